"""Screens 1 and 2 of a study's page: cards of the verdict, what to change, and effect over length.

The player count that a reader chooses shows other numbers, never other states: those come from all counts together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pandas as pd
from markupsafe import Markup

from ttr_sim.analysis.official import FIERCEST, FIRST_SEAT
from ttr_sim.analysis.targets import (
    CLAIMED,
    FOUGHT_OVER,
    LOCKED_OUT,
    MET,
    MISSED,
    OPEN,
    ROUTES,
    SEAT,
    STRATEGY,
    STYLE,
    TICKET,
    TICKETS,
    TURN_ORDER,
    Target,
)
from ttr_sim.analysis.text import ORDINALS, decimal
from ttr_sim.analysis.tickets import REVERSED, SAME, UNSURE, parse_holds, yardstick_of
from ttr_sim.analysis.verdict import CARDS, FAIR, NEARLY, NOT_FAIR, NOT_SURE, ODD, OWN_TARGETS, Card
from ttr_sim.balance.edits import edited_files, points_edit
from ttr_sim.edition import as_typed
from ttr_sim.errors import command_line
from ttr_sim.report.effect_plot import EffectPlot, dot_strip
from ttr_sim.report.numbers import ALL, MISSING
from ttr_sim.report.stage import Mark, route_name
from ttr_sim.run.study import HEADINGS

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.balance.remedies import Remedies
    from ttr_sim.edition.statics import Statics

ByCount = dict[int, Any]  # by player count, of which one is shown

LOOKS = {MET: "met", OPEN: "open", MISSED: "miss", ODD: "odd"}
STATE_WORDS = {MET: "fine", OPEN: "not sure yet", MISSED: "to fix", ODD: "odd"}
CHIPS = {FAIR: "met", NEARLY: "half", NOT_SURE: "open", NOT_FAIR: "miss"}
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
MOST_ROWS, MOST_CLOSE = 8, 3
CLOSE = 0.6  # of the limit
SCALE = 0.10  # of an effect bar, to either side


@dataclass(frozen=True)
class CardView:
    """A card as the page shows it; texts that differ by player count are given by count."""

    topic: str
    title: str
    look: str
    state: str
    claim: str
    big: ByCount
    small: ByCount
    why: list[Any]
    good: str = ""
    gauge: ByCount | None = None
    usual: ByCount | None = None
    strip: ByCount | None = None


@dataclass(frozen=True)
class Row:
    """A line of the table of what to change."""

    mark: Mark | None
    look: str
    name: str
    words: str
    trains: str
    points: str
    value: ByCount
    half: ByCount
    bar: ByCount
    attempt: str = ""
    attempt_words: str = ""
    holds: tuple[tuple[str, str], ...] = ()
    holds_words: str = ""
    game: str = ""


class VerdictPage:
    """The texts, numbers and drawings of screens 1 and 2."""

    def __init__(
        self, analysis: Analysis, board: Statics, remedies: Remedies, marks: Sequence[Mark], counts: Sequence[int]
    ) -> None:
        self.analysis, self.board, self.remedies, self.marks, self.counts = analysis, board, remedies, marks, counts
        self.verdict, self.edition = analysis.verdict, analysis.edition
        self.than = "the average ticket" if self.edition.is_race else "tickets as long"
        table = analysis.tables["ticket_value"]
        self.only_count = int(table["players"].min()) if len(table) else ALL
        self.values = {(int(row["players"]), int(row["ticket"])): row for row in table.to_dict("records")}
        self.tickets = [target for target in self.verdict.targets if target.measure == TICKET]
        self.margin = self.edition.targets.margin / 100

    def context(self, game_of: Callable[[str], str]) -> dict[str, Any]:
        verdict = self.verdict
        tally = [(LOOKS[state], verdict.counts[state], STATE_WORDS[state]) for state in (MET, OPEN, MISSED)]
        rows = [self._row(mark, game_of) for mark in self.marks if mark.state]
        return {
            "word": verdict.word,
            "chip": CHIPS[verdict.word],
            "headline": self._headline(),
            "tally": [each for each in tally if each[1]],
            "cards": [(self._card(card), game_of(card.topic)) for card in verdict.cards],
            "marks": self.marks,
            "rows": rows[:MOST_ROWS],
            "more": [mark for mark in self.marks if mark.state][MOST_ROWS:],
            "close": self._close(),
            "advice": self._advice(),
            "commands": self._commands(),
            "download": self._download(),
            "plot": self._plot(),
            "than": self.than,
            "met": self._met(),
        }

    # Screen 1

    def _headline(self) -> str:
        shown = self.verdict.to_show()
        said = []
        missed = [target for target in shown if target.state == MISSED]
        for side in ("generous", "stingy"):
            if number := sum(target.side == side for target in missed):
                said.append(f"{number_word(number)} {'ticket is' if number == 1 else 'tickets are'} too {side}.")
        for topic, thing in ((ROUTES, "route"), (TURN_ORDER, "seat"), (STRATEGY, "plan")):
            names = {target.name for target in missed if target.topic == topic}
            if names:
                words = {ROUTES: "out of line", TURN_ORDER: "too strong", STRATEGY: "too strong"}[topic]
                be = f"{thing} is" if len(names) == 1 else f"{thing}s are"
                said.append(f"{number_word(len(names))} {be} {words}.")
        if number := len(shown) - len(missed):
            more = " more" if missed else ""
            said.append(f"{number_word(number)}{more} {'is' if number == 1 else 'are'} too close to call.")
        return " ".join(said) or "Nothing has to change."

    def _card(self, card: Card) -> CardView:
        makers = {
            OWN_TARGETS: self._own_targets,
            TICKETS: self._ticket_card,
            TURN_ORDER: self._turn_order,
            ROUTES: self._route_card,
            STRATEGY: self._strategy,
            CARDS: self._deck,
        }
        return makers[card.topic](card)

    def _view(self, card: Card, claim: str, **more: Any) -> CardView:
        return CardView(card.topic, card.title, LOOKS[card.state], STATE_WORDS[card.state], claim, **more)

    def _own_targets(self, card: Card) -> CardView:
        met, _, asked = card.sentence.partition(" of ")
        claim = "All your targets are met" if card.state == MET else "Your targets are not all met"
        why = [
            f"Of your own targets in edition.toml, {card.sentence.removesuffix(' of your own targets met')} are met."
        ]
        return self._view(card, claim, big={ALL: met}, small={ALL: f"of {asked.partition(' ')[0]} targets"}, why=why)

    def _ticket_card(self, card: Card) -> CardView:
        target = card.target
        assert target is not None
        missed = [other for other in self.tickets if other.state == MISSED]
        unsure = [other for other in self.tickets if other.state == OPEN and other.beyond]
        claim = "All tickets are fair"
        if missed:
            claim = f"{number_word(len(missed))} {'ticket' if len(missed) == 1 else 'tickets'} to fix"
        elif unsure:
            claim = f"{number_word(len(unsure))} {'ticket' if len(unsure) == 1 else 'tickets'} not sure yet"
        value, half = self._excess(target)
        ticket = self.edition.tickets[target.row or 0]
        beyond = {count: "above" if share >= 0 else "below" for count, share in value.items()}
        why = [
            f"Each ticket is compared with {self.than}: ",
            f"{ticket.a}–{ticket.b} gives ",
            by(value, lambda share: decimal(abs(share) * 100)),
            " wins per 100 games ",
            beyond,
            " that, give or take ",
            by(half, lambda share: decimal(share * 100)),
            f". A ticket needs fixing when it is surely more than {self.margin * 100:g} off.",
        ]
        big = by(value, lambda share: decimal(share * 100, plus="+"))
        excess = [(other, self._excess(other)[0]) for other in self.tickets]
        strips = {
            count: dot_strip([(other, shares[count]) for other, shares in excess], self.margin, count)
            for count in self.counts
        }
        small = by(value, lambda _: "wins per 100 games")
        good = f"✓ fair, up to {self.margin * 100:g} off"
        return self._view(card, claim, big=big, small=small, why=why, good=good, strip=strips)

    def _excess(self, target: Target) -> tuple[ByCount, ByCount]:
        """A ticket's excess and half its interval; over all counts the one that the state goes by."""
        value: ByCount = {}
        half: ByCount = {}
        for count in self.counts:
            row = self.values.get((count, target.row or 0))
            if count in (ALL, self.only_count) or row is None:
                value[count], half[count] = target.value, (target.high - target.low) / 2
            else:
                value[count], half[count] = row["excess"], (row["excess_high"] - row["excess_low"]) / 2
        return value, half

    def _numbers(self, card: Card, measures: Sequence[str], chosen: Callable[[Target], float]) -> ByCount:
        """The target that stands for a topic at each player count, over all counts that of the card."""
        targets = [target for target in self.verdict.targets if target.measure in measures and target.state]
        found: ByCount = {}
        for count in self.counts:
            here = [target for target in targets if target.players == count]
            found[count] = max(here, key=chosen) if here and count != ALL else card.target
        return found

    def _turn_order(self, card: Card) -> CardView:
        found = self._numbers(card, [SEAT], lambda target: target.value)
        spans = by(found, lambda target: self.verdict.ranges.of_headline(FIRST_SEAT, target.players))
        seat = by(found, lambda target: ORDINALS[int(target.name.removeprefix("seat "))])
        claim = {MET: "Usual for the series", OPEN: "Turn order may matter too much"}.get(
            card.state, "Turn order matters too much"
        )
        why = [
            "Going first helps on every official board. Here the ",
            seat,
            " of ",
            by(found, lambda target: str(target.players)),
            " wins ",
            by(found, lambda target: f"{decimal(target.value * 100)} %"),
            " of the games. The limit is ",
            by(found, lambda target: f"{decimal((target.limit[1] or 1) * 100)} %"),
            ".",
        ]
        gauges = {
            count: gauge(target.value, 1 / target.players, target.limit[1], spans[count], 0.81)
            for count, target in found.items()
        }
        return self._view(
            card,
            claim,
            big=by(found, lambda target: f"{decimal(target.value * 100)} %"),
            small={count: f"{seat[count]} of {target.players} wins" for count, target in found.items()},
            why=why,
            good="✓ even",
            gauge=gauges,
            usual=by(spans, lambda span: official_words(span, 1)),
        )

    def _route_card(self, card: Card) -> CardView:
        found = self._numbers(card, [FOUGHT_OVER], lambda target: (target.beyond, target.value)[1])
        spans = by(found, lambda target: self.verdict.ranges.of_headline(FIERCEST, target.players))
        doubtful = [target for target in self.verdict.to_show() if target.topic == ROUTES]
        dead = {target.name for target in doubtful if target.measure == CLAIMED}
        blocked = {target.name for target in doubtful if target.measure == LOCKED_OUT}
        fought = {target.name for target in doubtful if target.measure == FOUGHT_OVER}
        maybe = "maybe " if card.state == OPEN else ""
        claim = "No route is dead"
        for names, words in ((fought, "fought over"), (blocked, "blocking rivals"), (dead, "hardly used")):
            if names:
                claim = f"{number_word(len(names))} {'route' if len(names) == 1 else 'routes'} {maybe}{words}"
        why = [
            "Every route is used. " if not dead else "",
            by(found, lambda target: route_name(self.edition, target.row or 0)),
            " is the fiercest: in ",
            by(found, lambda target: f"{target.value * 100:.0f} % of games with {target.players}"),
            " a rival wanted it, too.",
        ]
        gauges = {
            count: gauge(target.value, 0.0, target.limit[1], spans[count], 0.0) for count, target in found.items()
        }
        return self._view(
            card,
            claim,
            big=by(found, lambda target: f"{target.value * 100:.0f} %"),
            small=by(found, lambda target: f"fiercest route, with {target.players}"),
            why=why,
            good="✓ calm",
            gauge=gauges,
            usual=by(spans, lambda span: official_words(span, 0)),
        )

    def _strategy(self, card: Card) -> CardView:
        rewards = self.analysis.tables["rewards"]
        simple = {f"style {name}" for name in rewards[~rewards["bot"].str.contains(":")]["variant"]}
        found = self._numbers(card, [STYLE], lambda target: (target.name in simple) + target.value)
        claim = {MET: "No shortcut beats planning", OPEN: "A shortcut may be too strong"}.get(
            card.state, "A simple plan is too strong"
        )
        name = by(found, lambda target: target.name.removeprefix("style "))
        why = [
            "Each simple plan took one seat among strong players. The best, ",
            name,
            ", wins ",
            by(found, lambda target: f"{decimal(target.value * 100)} % with {target.players} players"),
            ". It would be too strong at a fair share plus 2.",
        ]
        gauges = {count: gauge(target.value, 0.0, target.limit[1], None, 0.87) for count, target in found.items()}
        limits = by(found, lambda target: f"at most {(target.limit[1] or 1) * 100:.0f}, a fair share plus 2")
        return self._view(
            card,
            claim,
            big=by(found, lambda target: f"{decimal(target.value * 100)} %"),
            small=by(found, lambda target: f"best simple plan, with {target.players}"),
            why=why,
            good="✓ low",
            gauge=gauges,
            usual=limits,
        )

    def _deck(self, card: Card) -> CardView:
        oddities = self.analysis.tables["oddities"]
        short = oddities[oddities["kind"] == "short_draw"].set_index("players")["share"].to_dict()
        ranges = self.verdict.ranges
        runs_out = "runs out" in card.sentence
        shares: ByCount = {}
        tables: ByCount = {}
        spans: ByCount = {}
        for count in self.counts:
            tables[count] = card.players if count == ALL else count
            shares[count] = short.get(tables[count], 0.0) if runs_out else card.value
            spans[count] = ranges.of("oddities", tables[count], "short_draw", "share") if runs_out else None
        claim = ("The deck runs out" if card.state == ODD else "The deck lasts") if runs_out else "Games break off"
        said = {
            count: f"With {tables[count]} players the deck runs out in {share * 100:.0f} % of games."
            for count, share in shares.items()
        }
        note = " Running out is odd, not wrong: the game goes on." if runs_out else " Such games count as they stand."
        why = [said if runs_out else f"{card.sentence[0].upper()}{card.sentence[1:]}.", note]
        gauges = {count: gauge(share, 0.0, None, spans[count] or (0.0, 0.0), 0.64) for count, share in shares.items()}
        return self._view(
            card,
            claim,
            big=by(shares, lambda share: f"{share * 100:.0f} %"),
            small=by(tables, lambda count: f"of games with {count}"),
            why=why,
            good="✓ never",
            gauge=gauges,
            usual=by(spans, lambda span: official_words(span, 0)),
        )

    # Screen 2

    def _row(self, mark: Mark, game_of: Callable[[str], str]) -> Row:
        if mark.ticket is None:
            return self._route_row(mark, game_of(ROUTES))
        ticket = self.edition.tickets[mark.ticket]
        target = next(target for target in self.tickets if target.row == mark.ticket)
        row = self._ticket_numbers(target, mark)
        attempt, words = self._attempt(target)
        record = self.values[self.only_count, mark.ticket]
        asked = parse_holds(record["holds"] or "")
        holds = tuple((HEADINGS.get(name, name), state) for name, state in asked.items())
        points = MISSING if self.edition.is_race else str(ticket.points)
        return Row(
            **row,
            points=points,
            attempt=attempt,
            attempt_words=words,
            holds=holds,
            holds_words=_holds_words(asked),
            game=game_of(f"ticket {mark.ticket}") or game_of(TICKETS),
        )

    def _ticket_numbers(self, target: Target, mark: Mark | None) -> dict[str, Any]:
        value, half = self._excess(target)
        trains = self.values[self.only_count, target.row or 0]["trains"]
        ticket = self.edition.tickets[target.row or 0]
        return {
            "mark": mark,
            "look": LOOKS[str(target.state)] if mark else "met",
            "name": f"{ticket.a}–{ticket.b}",
            "words": mark.words if mark else "",
            "trains": MISSING if math.isnan(trains) else f"{trains:.0f}",
            "value": by(value, lambda share: decimal(share * 100, plus="+")),
            "half": by(half, lambda share: "" if math.isnan(share) else f"± {decimal(share * 100)}"),
            "bar": {count: effect_bar(value[count], half[count]) for count in self.counts},
        }

    def _attempt(self, target: Target) -> tuple[str, str]:
        """Points to try, with words below them."""
        if target.state == OPEN:
            return "", "more games first"
        if self.edition.is_race:
            return "", "points do not count here"
        remedy = self.remedies.of(target.row)
        if remedy is None:
            return "", f"{command_line('balance', as_typed(self.edition))} finds the points"
        if remedy.points is not None:
            return str(remedy.points), f"replayed: {decimal(remedy.excess * 100, plus='+')}"
        least, most = remedy.tried
        return "", f"points alone will not do (tried {least} to {most}){self._route_to_change(target)}"

    def _route_to_change(self, target: Target) -> str:
        """Name a route of the shortest way: of a stingy ticket the fiercest, of a generous one the longest."""
        groups = sorted(self.board.ways[target.row or 0].shortest)
        if not groups:
            return ""
        routes = {route.group: number for number, route in reversed(list(enumerate(self.edition.routes)))}
        if target.value > 0:
            longest = max(groups, key=lambda group: self.edition.routes[routes[group]].length)
            return f"; lengthen {route_name(self.edition, routes[longest])}"
        fights = self.analysis.tables["connections"].groupby("group")["contention"].max().fillna(0.0)
        fiercest = max(groups, key=lambda group: (fights.get(group, 0.0), -group))
        lanes = sum(route.group == fiercest for route in self.edition.routes)
        verb = "double or shorten" if lanes == 1 else "shorten or free"
        return f"; {verb} {route_name(self.edition, routes[fiercest])}"

    def _route_row(self, mark: Mark, game: str) -> Row:
        route = self.edition.routes[mark.route or 0]
        target = next(
            target for target in self.verdict.to_show() if target.topic == ROUTES and target.row == mark.route
        )
        low, high = target.limit
        limit = (
            f"limit: at most {decimal((high or 0) * 100)}" if low is None else f"limit: at least {decimal(low * 100)}"
        )
        same = {count: f"{decimal(target.value * 100)} %" for count in self.counts}
        where = f"with {target.players} players, {limit}" if target.players else limit
        advice = "more games first"
        if target.state == MISSED:
            lanes = sum(other.group == route.group for other in self.edition.routes)
            advice = "shorten it, or print a ticket that uses it"
            if target.measure != CLAIMED:
                advice = "double it" if lanes == 1 else "open another way round"
        points = MISSING
        return Row(
            mark,
            mark.look,
            mark.name,
            mark.words,
            str(route.length),
            points,
            same,
            dict.fromkeys(self.counts, where),
            {},
            "",
            advice,
            game=game,
        )

    def _close(self) -> list[Row]:
        """Tickets near the limit that are fine as they are."""
        marked = {mark.ticket for mark in self.marks}
        fine = [target for target in self.tickets if target.row not in marked and not math.isnan(target.value)]
        near = [target for target in fine if abs(target.value) >= CLOSE * self.margin]
        near.sort(key=lambda target: (-abs(target.value), target.name))
        rows = []
        for target in near[:MOST_CLOSE]:
            points = MISSING if self.edition.is_race else str(self.edition.tickets[target.row or 0].points)
            rows.append(Row(**self._ticket_numbers(target, None), points=points))
        return rows

    def _advice(self) -> str:
        """The sentence below the heading."""
        missed = self.verdict.of_state(MISSED)
        if not missed:
            unsure = bool(self.verdict.to_show())
            return "Nothing surely. More games would settle the open ones." if unsure else "Nothing to change."
        helpful = [remedy for remedy in self.remedies.each if remedy.points is not None]
        if len(helpful) == len(missed) == 1:
            ticket = self.edition.tickets[helpful[0].ticket]
            return f"Print {helpful[0].points} points on {ticket.a}–{ticket.b}. Nothing else has to move."
        if helpful and self.remedies.hold_together and len(helpful) == len(missed):
            return f"Print other points on {number_word(len(helpful)).lower()} tickets. Together they were replayed."
        if helpful:
            return f"Other points help {number_word(len(helpful)).lower()} of {number_word(len(missed)).lower()}."
        return "The worst first."

    def _commands(self) -> list[tuple[str, str]]:
        """Pairs of a reason and a command."""
        name, verdict, commands = as_typed(self.edition), self.verdict, []
        if verdict.counts[MISSED]:
            commands.append(("find and prove the fewest edits", command_line("balance", name)))
        doubtful = [target for target in verdict.to_show() if target.state == OPEN]
        if doubtful:
            runs = self.analysis.main_runs
            games = sum(run.games for run in runs) // max(len({run.players for run in runs}), 1)
            needed = max(target.games_to_settle(games) for target in doubtful)
            commands.append(("settle what is not sure yet", command_line("study", name, "--games", str(needed))))
        return commands

    def _download(self) -> str:
        """Address of tickets.csv with all remedies, where they were replayed together."""
        helpful = [remedy for remedy in self.remedies.each if remedy.points is not None]
        if not (helpful and self.remedies.hold_together):
            return ""
        edits = [points_edit(remedy.ticket, remedy.points or 0) for remedy in helpful]
        return f"data:text/csv;charset=utf-8,{quote(edited_files(self.edition, edits)['tickets.csv'])}"

    def _met(self) -> list[str]:
        """Kinds of targets that are fine, with their numbers."""
        said = []
        for measures, words in (
            ((TICKET,), "tickets"),
            ((CLAIMED, FOUGHT_OVER, LOCKED_OUT), "limits of routes"),
            ((SEAT,), "limits of turn order"),
            ((STYLE,), "limits of styles"),
        ):
            judged = [target for target in self.verdict.targets if target.measure in measures and target.state]
            if judged:
                met = sum(target.state == MET for target in judged)
                said.append(f"{met:,} of {len(judged):,} {words}")
        return said

    def _plot(self) -> Markup | None:
        if not self.tickets:
            return None
        lines = yardstick_of(self.edition, self.analysis.tables["ticket_value"]).lines
        together = [(target, self.values[self.only_count, target.row or 0]) for target in self.tickets]
        by_count = {}
        for count in self.counts:
            rows = [(target, self.values.get((count, target.row or 0), row)) for target, row in together]
            by_count[count] = rows
        return EffectPlot([row for _, row in together], lines, self.margin, self.than).draw(by_count)


def by(values: Mapping[int, Any], words: Callable[[Any], Any]) -> ByCount:
    return {count: words(value) for count, value in values.items()}


def number_word(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def gauge(value: float, base: float, limit: float | None, span: tuple[float, float] | None, limit_at: float) -> str:
    """Places on a card's bar in percent: official range, limit and this board."""
    edge = limit if limit is not None else (span[1] if span else base)
    room = (edge - base) / limit_at if limit_at else 1.0 - base
    room = max(room, (value - base) / 0.96, 1e-9)

    def place(share: float) -> str:
        return f"{min(max((share - base) / room, 0.0), 1.0) * 100:.1f}%"

    low, high = span or (base, edge)
    at = min(max((value - base) / room, 0.015), 0.985) * 100
    return f"--lo:{place(low)};--hi:{place(high)};--x:{place(edge)};--v:{at:.1f}%"


def effect_bar(value: float, half: float) -> str:
    """Places of an effect bar in percent, cut at its edges."""

    def place(share: float) -> float:
        return min(max(50 + share / SCALE * 50, 0.0), 100.0)

    if math.isnan(value):
        return "--a:50%;--b:50%;--l:50%;--h:50%"
    spread = 0.0 if math.isnan(half) else half
    a, b = sorted((50.0, place(value)))
    return f"--a:{a:.1f}%;--b:{b:.1f}%;--l:{place(value - spread):.1f}%;--h:{place(value + spread):.1f}%"


def official_words(span: tuple[float, float] | None, decimals: int) -> str:
    if span is None:
        return ""
    low, high = (decimal(end * 100, decimals) for end in span)
    return f"official boards {low} to {high}" if low != high else f"official boards {low}"


def _holds_words(asked: Mapping[str, str]) -> str:
    states = list(asked.values())
    if not states:
        return ""
    if REVERSED not in states:
        return "yes" if UNSURE not in states else "never the opposite"
    return "mostly yes" if states.count(SAME) > len(states) / 2 else "depends on the players"


def played_words(analysis: Analysis, counts: Sequence[int]) -> ByCount:
    """Say how many games the verdict rests on, by player count."""
    runs = analysis.main_runs
    who = "strong players" if all(run.field == "strong" for run in runs) else "these bots"
    words: ByCount = {}
    for count in counts:
        games = sum(run.games for run in runs if count in (ALL, run.players))
        tables = sorted({run.players for run in runs}) if count == ALL else [count]
        between = f"{tables[0]} to {tables[-1]}" if len(tables) > 1 else f"{tables[0]}"
        words[count] = f"{games:,} games by {who}, {between} at the table"
    return words


def remedies_table(analysis: Analysis, remedies: Remedies) -> pd.DataFrame:
    """A row for each missed ticket: printed points, those to try, and the replayed excess."""
    rows = []
    for remedy in remedies.each:
        ticket, found = analysis.edition.tickets[remedy.ticket], remedy.points is not None
        rows.append(
            {
                "from": ticket.a,
                "to": ticket.b,
                "deck": analysis.edition.decks[ticket.deck].name,
                "copy": ticket.copy,
                "points": ticket.points,
                "try": remedy.points if found else None,
                "excess": remedy.excess if found else None,
                "low": remedy.low if found else None,
                "high": remedy.high if found else None,
                "tried_least": remedy.tried[0],
                "tried_most": remedy.tried[1],
                "together": remedies.hold_together,
            }
        )
    columns = ["from", "to", "deck", "copy", "points", "try", "excess", "low", "high", "tried_least", "tried_most"]
    return pd.DataFrame(rows, columns=[*columns, "together"])
