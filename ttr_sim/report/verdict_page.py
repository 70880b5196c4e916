"""Screens 1 and 2 of a study's page: the verdict in cards, and the table of changes to make."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pandas as pd

from ttr_sim.analysis.targets import CLAIMED, MISSED, OPEN, ROUTES, STRATEGY, TICKET, TICKETS, TURN_ORDER, Target
from ttr_sim.analysis.text import decimal, than_words
from ttr_sim.analysis.tickets import REVERSED, SAME, UNSURE, parse_holds, yardstick_of
from ttr_sim.analysis.verdict import CARDS
from ttr_sim.analysis.watch import CLOSEST, MOST_BLOCKED, TYPICAL
from ttr_sim.balance.edits import edited_files, points_edit
from ttr_sim.edition import as_typed
from ttr_sim.errors import command_line
from ttr_sim.report import cards
from ttr_sim.report.cards import effect_bar, number_word
from ttr_sim.report.document import banner, played
from ttr_sim.report.numbers import ALL, MISSING, players_words
from ttr_sim.report.stage import Mark, draw_effects, draw_stage, marks_of, route_name
from ttr_sim.run.study import HEADINGS

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.balance.remedies import Remedies
    from ttr_sim.edition.statics import Statics

    Film = dict[str, Any]  # a game to watch, with the words and the address of its page

OF_CARDS = {TICKETS: TYPICAL, TURN_ORDER: TYPICAL, ROUTES: MOST_BLOCKED, STRATEGY: CLOSEST, CARDS: "short_draw"}
MOST_ROWS, MOST_CLOSE = 8, 3
CLOSE = 0.6  # of the limit


@dataclass(frozen=True)
class Effect:
    """The number of a row at one player count, and the places of its bar."""

    value: str
    half: str
    bar: str = ""


@dataclass(frozen=True)
class Row:
    """A ticket or route to change. Without a mark it is fine as it is."""

    mark: Mark | None
    name: str
    trains: str
    points: str
    effects: dict[int, Effect]  # by player count
    attempt: str = ""
    attempt_words: str = ""
    holds: tuple[tuple[str, str], ...] = ()
    holds_words: str = ""
    game: str = ""


class VerdictPage:
    """The texts, numbers and drawings of both screens, with links to games to watch."""

    def __init__(self, analysis: Analysis, board: Statics, remedies: Remedies, films: Sequence[Film] = ()) -> None:
        self.analysis, self.board, self.remedies = analysis, board, remedies
        self.verdict, self.edition = analysis.verdict, analysis.edition
        self.marks, self.effects = marks_of(analysis.verdict), cards.TicketEffects(analysis)
        self.players = sorted({run.players for run in analysis.runs})
        self.counts = self.players if len(self.players) == 1 else [ALL, *self.players]  # all together first
        self.tickets = [target for target in self.verdict.targets if target.measure == TICKET]
        self.games: dict[str, str] = {}  # addresses of games to watch, by kind
        for film in films:
            self.games.setdefault(film["watched"].kind, film["address"])

    def screen_1(self) -> dict[str, Any]:
        edition, verdict, writer = self.edition, self.verdict, cards.CardWriter(self.analysis, self.effects)
        routes, made = self.analysis.tables["routes"], []
        for card in verdict.cards:
            views = {count: writer.write(card, count) for count in self.counts}
            game = self.games.get(OF_CARDS.get(card.topic, ""), "")
            made.append(cards.page_card(card.title, card.state, views, game))
        count_words = {count: f"with {players_words(count)}" if count else players_words(ALL) for count in self.counts}
        return {
            "chip": cards.CHIPS[verdict.word],
            "headline": cards.headline(verdict),
            "banner": banner(self.analysis),
            "tally": cards.tally(Counter(target.state for target in verdict.targets)),
            "counts": self.players,
            "choices": self.counts,
            "count_words": count_words,
            "marks": self.marks,
            "stage": draw_stage(edition, self.marks, routes, self.counts),
            "has_routes": not routes.empty,
            "games_words": played_words(self.analysis, self.counts),
            "games_note": f"The verdict rests on these games. {played(self.analysis)}",
            "cards": made,
        }

    def screen_2(self) -> dict[str, Any]:
        """The table of changes to make, and the plot of all tickets."""
        margin, than = self.edition.targets.margin / 100, than_words(self.edition)
        signed = [mark for mark in self.marks if mark.state]
        rows = [self.route_row(mark) if mark.ticket is None else self.ticket_row(mark) for mark in signed[:MOST_ROWS]]
        # Tickets near the limit that are fine as they are.
        marked = {mark.ticket for mark in self.marks}
        near = [t for t in self.tickets if t.row not in marked and abs(t.value) >= CLOSE * margin]
        near.sort(key=lambda target: (-abs(target.value), target.name))
        plot = None
        if self.tickets:
            by_count = {}
            for count in self.counts:
                by_count[count] = [(target, self.effects.row(target, count)) for target in self.tickets]
            lines = yardstick_of(self.edition, self.analysis.tables["ticket_value"]).lines
            plot = draw_effects(by_count, lines, margin, than)
        return self.ways_on() | {
            "rows": rows,
            "more": signed[MOST_ROWS:],
            "close": [Row(None, *self.numbers(target)) for target in near[:MOST_CLOSE]],
            "plot": plot,
            "than": than,
        }

    def ticket_row(self, mark: Mark) -> Row:
        target = next(target for target in self.tickets if target.row == mark.ticket)
        asked = parse_holds(self.effects.row(target)["holds"] or "")
        states = list(asked.values())
        holds_words = ""
        if REVERSED in states:
            holds_words = "mostly yes" if states.count(SAME) > len(states) / 2 else "depends on the players"
        elif states:
            holds_words = "never the opposite" if UNSURE in states else "yes"
        holds = tuple((HEADINGS.get(name, name), state) for name, state in asked.items())
        game = self.games.get(f"ticket {mark.ticket}") or self.games.get(OF_CARDS[TICKETS], "")
        return Row(mark, *self.numbers(target), *self.attempt(target), holds, holds_words, game)

    def numbers(self, target: Target) -> tuple[str, str, str, dict[int, Effect]]:
        trains, ticket = self.effects.row(target)["trains"], self.edition.tickets[target.row or 0]
        effects = {}
        for count in self.counts:
            value, half = self.effects.excess(target, count)
            spread = "" if math.isnan(half) else f"± {decimal(half * 100)}"
            effects[count] = Effect(decimal(value * 100, plus="+"), spread, effect_bar(value, half))
        points = MISSING if self.edition.is_race else str(ticket.points)
        return f"{ticket.a}–{ticket.b}", MISSING if math.isnan(trains) else f"{trains:.0f}", points, effects

    def attempt(self, target: Target) -> tuple[str, str]:
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
        words = f"points alone will not do (tried {remedy.tried[0]} to {remedy.tried[1]})"
        # Name a route of the shortest way: of a generous ticket the longest, of a stingy one the fiercest.
        groups = sorted(self.board.ways[target.row or 0].shortest)
        lanes: dict[int, list[int]] = {}
        for row, route in enumerate(self.edition.routes):
            lanes.setdefault(route.group, []).append(row)
        if groups and target.value > 0:
            longest = max(groups, key=lambda group: self.edition.routes[lanes[group][0]].length)
            words += f"; lengthen {route_name(self.edition, lanes[longest][0])}"
        elif groups:
            fights = self.analysis.tables["connections"].groupby("group")["contention"].max().fillna(0.0)
            fiercest = lanes[max(groups, key=lambda group: (fights.get(group, 0.0), -group))]
            verb = "double or shorten" if len(fiercest) == 1 else "shorten or free"
            words += f"; {verb} {route_name(self.edition, fiercest[0])}"
        return "", words

    def route_row(self, mark: Mark) -> Row:
        route = self.edition.routes[mark.route or 0]
        shown = [target for target in self.verdict.to_show() if target.topic == ROUTES and target.row == mark.route]
        target, (low, high) = shown[0], shown[0].limit
        limit = f"limit: at most {decimal((high or 0) * 100)}"
        if low is not None:
            limit = f"limit: at least {decimal(low * 100)}"
        where = f"with {target.players} players, {limit}" if target.players else limit
        advice = "more games first"
        if target.state == MISSED and target.measure == CLAIMED:
            advice = "shorten it, or print a ticket that uses it"
        elif target.state == MISSED:
            lanes = sum(other.group == route.group for other in self.edition.routes)
            advice = "double it" if lanes == 1 else "open another way round"
        effects = dict.fromkeys(self.counts, Effect(f"{decimal(target.value * 100)} %", where))
        game = self.games.get(OF_CARDS[ROUTES], "")
        return Row(mark, mark.name, str(route.length), MISSING, effects, "", advice, game=game)

    def ways_on(self) -> dict[str, Any]:
        """The sentence below the heading, pairs of a reason and a command, and tickets.csv with all remedies."""
        missed, shown, name = self.verdict.of_state(MISSED), self.verdict.to_show(), as_typed(self.edition)
        helpful = [remedy for remedy in self.remedies.each if remedy.points is not None]
        helped, together = number_word(len(helpful)).lower(), bool(helpful) and self.remedies.hold_together
        if not missed:
            advice = "Nothing surely. More games would settle the open ones." if shown else "Nothing to change."
        elif len(helpful) == len(missed) == 1:
            ticket = self.edition.tickets[helpful[0].ticket]
            advice = f"Print {helpful[0].points} points on {ticket.a}–{ticket.b}. Nothing else has to move."
        elif together and len(helpful) == len(missed):
            advice = f"Print other points on {helped} tickets. Together they were replayed."
        elif helpful:
            advice = f"Other points help {helped} of {number_word(len(missed)).lower()}."
        else:
            advice = "The worst first."
        commands = [("find and prove the fewest edits", command_line("balance", name))] if missed else []
        doubtful = [target for target in shown if target.state == OPEN]
        if doubtful:
            runs = self.analysis.main_runs
            games = sum(run.games for run in runs) // max(len({run.players for run in runs}), 1)
            needed = max(target.games_to_settle(games) for target in doubtful)
            commands.append(("settle what is too close to call", command_line("study", name, "--games", str(needed))))
        download = ""
        if together:
            edits = [points_edit(remedy.ticket, remedy.points or 0) for remedy in helpful]
            download = f"data:text/csv;charset=utf-8,{quote(edited_files(self.edition, edits)['tickets.csv'])}"
        return {"advice": advice, "commands": commands, "download": download}


def played_words(analysis: Analysis, counts: Sequence[int]) -> dict[int, str]:
    runs, words = analysis.main_runs, {}
    who = "strong players" if all(run.field == "strong" for run in runs) else "these bots"
    for count in counts:
        games = sum(run.games for run in runs if count in (ALL, run.players))
        tables = sorted({run.players for run in runs}) if count == ALL else [count]
        between = f"{tables[0]} to {tables[-1]}" if len(tables) > 1 else f"{tables[0]}"
        words[count] = f"{games:,} games by {who}, {between} at the table"
    return words


def remedies_table(analysis: Analysis, remedies: Remedies) -> pd.DataFrame:
    """Printed points, points to try, and the replayed excess of each missed ticket."""
    rows = []
    for remedy in remedies.each:
        ticket = analysis.edition.tickets[remedy.ticket]
        printed = ticket.a, ticket.b, analysis.edition.decks[ticket.deck].name, ticket.copy, ticket.points
        found: tuple[float | None, ...] = (None,) * 4
        if remedy.points is not None:
            found = remedy.points, remedy.excess, remedy.low, remedy.high
        rows.append((*printed, *found, *remedy.tried, remedies.hold_together))
    columns = "from to deck copy points try excess low high tried_least tried_most together"
    return pd.DataFrame(rows, columns=columns.split())
