"""The verdict on a board: one word, a card for each topic, and the targets that they rest on.

Terminal, page and JSON show the same cards in the same order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from ttr_sim.analysis import targets as kinds
from ttr_sim.analysis.official import FIERCEST, FIRST_SEAT, Ranges
from ttr_sim.analysis.targets import MET, MISSED, OPEN, Target, find_targets
from ttr_sim.analysis.text import ORDINALS, decimal, ends, ranked, than_words
from ttr_sim.analysis.thresholds import NEARLY_FAIR, ODD_SHARE
from ttr_sim.edition.model import Edition

FAIR, NEARLY, NOT_FAIR, NOT_SURE = "fair", "nearly fair", "not fair", "not sure yet"
ODD = "odd"
OWN_TARGETS, CARDS = "targets", "cards"
SYMBOLS = {MET: "✓", OPEN: "?", MISSED: "✗", ODD: "!"}
# Limits that edition.toml may leave out: with others a board has targets of its own.
USUAL_MARGIN, USUAL_CLAIMS = 5, 2
WHAT = {
    kinds.CLAIMED: "claimed {} times in 100 games",
    kinds.FOUGHT_OVER: "fought over {} times in 100 games",
    kinds.LOCKED_OUT: "leaves a rival no way in {} of 100 games",
    kinds.SEAT: "wins {} of 100 games",
    kinds.STYLE: "wins {} of 100 games",
}
BROKEN = {"stalled": "stalled", "capped": "were cut off at the turn limit"}


@dataclass(frozen=True, slots=True)
class Card:
    """One topic of the verdict. `value` with its interval is the number that stands for it, as a share of 1."""

    topic: str
    state: str
    players: int  # 0: all player counts together
    sentence: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    limit: float | None = None
    official: tuple[float, float] | None = None
    target: Target | None = None

    @property
    def title(self) -> str:
        return self.topic.capitalize()


@dataclass(frozen=True)
class TargetChanges:
    """Targets that a change of the board fixed, made worse, or left missed, the farthest beyond first.

    `unsure` are the open ones with an estimate beyond the limit, as the board is now.
    """

    fixed: tuple[Target, ...]
    worse: tuple[Target, ...]
    left: tuple[Target, ...]
    unsure: tuple[Target, ...] = ()

    @classmethod
    def between(cls, before: Sequence[Target], after: Sequence[Target]) -> TargetChanges:
        old = {target.key: target.state for target in before}
        changed = sorted(after, key=lambda target: (-target.beyond, target.name))
        groups: dict[tuple[bool, bool], list[Target]] = {}
        for new in changed:
            groups.setdefault((old.get(new.key) == MISSED, new.state == MISSED), []).append(new)
        unsure = tuple(new for new in changed if new.state == OPEN and new.beyond)
        fixed, worse, left = (tuple(groups.get(key, ())) for key in ((True, False), (False, True), (True, True)))
        return cls(fixed, worse, left, unsure)

    @property
    def word(self) -> str:
        if self.fixed and self.worse:
            return "better and worse"
        return "better" if self.fixed else "worse" if self.worse else "the same"


def describe(edition: Edition, target: Target) -> str:
    """Name a target with its number, as in `Calgary–Phoenix +7.0 wins per 100 games beyond tickets as long`."""
    kind, _, name = target.name.partition(" ")
    players = f" with {target.players} players" if target.players else ""
    if target.row is not None and target.measure == kinds.TICKET:
        ticket = edition.tickets[target.row]
        value = decimal(target.value * 100, plus="+")
        return f"{ticket.a}–{ticket.b} {value} wins per 100 games beyond {than_words(edition)}"
    if kind == "seat":
        name = f"the {ORDINALS[int(name)]} player"
    elif kind == "route":
        name = name.rsplit(" ", 2)[0]
    return f"{name} {WHAT[target.measure].format(decimal(target.value * 100))}{players}"


@dataclass(frozen=True)
class Verdict:
    """All targets of a board, its word and its cards."""

    edition: Edition
    tables: Mapping[str, pd.DataFrame]
    targets: tuple[Target, ...]
    ranges: Ranges

    @classmethod
    def of(cls, edition: Edition, tables: Mapping[str, pd.DataFrame], ranges: Ranges) -> Verdict:
        return cls(edition, tables, tuple(find_targets(edition, tables)), ranges)

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(target.state for target in self.targets if target.state)

    @property
    def never_dealt(self) -> int:
        """Number of tickets without a state, as nobody was dealt them."""
        return sum(target.measure == kinds.TICKET and target.state is None for target in self.targets)

    @property
    def word(self) -> str:
        if not self.counts[MISSED]:
            return NOT_SURE if any(target.state == OPEN and target.beyond for target in self.targets) else FAIR
        missed = self.of_state(MISSED)
        judged = [target for target in self.targets if target.measure == kinds.TICKET and target.state]
        few = len(missed) <= NEARLY_FAIR * len(judged)
        return NEARLY if few and all(target.measure == kinds.TICKET for target in missed) else NOT_FAIR

    def of_state(self, *states: str) -> list[Target]:
        """Targets in one of these states, the farthest beyond its limit first."""
        found = [target for target in self.targets if target.state in states]
        return sorted(found, key=lambda target: (states.index(str(target.state)), -target.beyond, target.name))

    def to_show(self) -> list[Target]:
        """Missed targets, then open ones whose estimate lies beyond the limit."""
        return [target for target in self.of_state(MISSED, OPEN) if target.state == MISSED or target.beyond]

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """A card for each topic that was measured, in one order."""
        wanted = self.edition.targets
        own = {
            kinds.TICKET: wanted.margin != USUAL_MARGIN,
            kinds.CLAIMED: wanted.claimed != USUAL_CLAIMS,
            kinds.FOUGHT_OVER: wanted.fought_over is not None,
            kinds.LOCKED_OUT: wanted.locked_out is not None,
            kinds.SEAT: wanted.seats is not None,
        }
        cards = []
        # Targets whose limit the designer set.
        if asked := [target for target in self._judged(*own) if own[target.measure]]:
            met = sum(target.state == MET for target in asked)
            cards.append(Card(OWN_TARGETS, self._state(asked), 0, f"{met} of {len(asked)} of your own targets met"))
        for measure, card_of in (
            (kinds.TICKET, self.tickets),
            (kinds.SEAT, self.turn_order),
            (kinds.FOUGHT_OVER, self.routes),
            (kinds.STYLE, self.strategy),
        ):
            if targets := self._judged(measure):
                cards.append(card_of(targets))
        odd = self.broken_or_short_games()
        return (*cards, odd) if odd else tuple(cards)

    def _judged(self, *measures: str) -> list[Target]:
        return [target for target in self.targets if target.measure in measures and target.state]

    def _state(self, targets: Sequence[Target]) -> str:
        states = {target.state for target in targets}
        if MISSED in states:
            return MISSED
        return OPEN if any(target.state == OPEN and target.beyond for target in targets) else MET

    def _card(
        self, targets: Sequence[Target], sentence: str, target: Target, official: tuple[float, float] | None = None
    ) -> Card:
        """A card on some targets, with the numbers of one."""
        interval = target.value, target.low, target.high
        state = self._state(targets)
        return Card(target.topic, state, target.players, sentence, *interval, target.limit[1], official, target)

    def tickets(self, tickets: Sequence[Target]) -> Card:
        worst = max(tickets, key=lambda target: abs(target.value))
        limit = worst.limit[1] or 0.0
        within = sum(abs(target.value) <= limit for target in tickets)
        than = than_words(self.edition)
        sentence = f"{within} of {len(tickets)} within {limit * 100:g} wins per 100 games of {than}"
        return self._card(tickets, sentence, worst)

    def turn_order(self, seats: Sequence[Target]) -> Card:
        worst = max(seats, key=lambda target: (target.state == MISSED, target.value - (target.limit[1] or 1.0)))
        official = self.ranges.of_headline(FIRST_SEAT, worst.players)
        seat = ORDINALS[int(worst.name.removeprefix("seat "))]
        is_usual = official is None or worst.value <= official[1]
        above = "slightly above official boards" if worst.state == MET else "more than on any official board"
        usual = "usual for the series" if is_usual else above
        ends_of_span = dict.fromkeys(decimal(end * 100) for end in official or ())  # equal ones once
        between = f" ({'–'.join(ends_of_span)})" if official else ""
        sentence = f"{seat} of {worst.players} wins {decimal(worst.value * 100)} %, {usual}{between}"
        return self._card(seats, sentence, worst, official)

    def routes(self, fights: Sequence[Target]) -> Card:
        dead = [target for target in self._judged(kinds.CLAIMED) if target.state != MET and target.beyond]
        worst = max(fights, key=lambda target: (target.beyond, target.value))
        connections = self.tables["connections"]
        group = self.edition.routes[worst.row or 0].group
        row = connections[connections["group"] == group].iloc[0]
        nobody = f"{len(dead)} hardly ever claimed" if dead else "none dead"
        sentence = f"{nobody}; fiercest: {ends(row)} ({worst.value * 100:.0f} % with {worst.players})"
        of_routes = [target for target in self.targets if target.topic == kinds.ROUTES]
        return self._card(of_routes, sentence, worst, self.ranges.of_headline(FIERCEST, worst.players))

    def strategy(self, styles: Sequence[Target]) -> Card:
        rewards = self.tables["rewards"]
        simple = set(rewards[~rewards["bot"].str.contains(":")]["variant"])
        fair = dict(zip(rewards["players"], rewards["fair"], strict=True))
        state = self._state(styles)
        # A plan that is too strong, or may be, before simple ones that are not.
        shown: Sequence[Target] = [target for target in styles if target.state == state and target.beyond]
        shown = shown or [target for target in styles if target.name.removeprefix("style ") in simple] or styles
        best = max(shown, key=lambda target: target.value / fair[target.players])
        name, share = best.name.removeprefix("style "), decimal(best.value * 100)
        words = {MISSED: "a plan wins more than its share", OPEN: "a plan may win more than its share"}
        word = words.get(state, "no simple plan wins its share")
        return self._card(styles, f"{word} (best: {name}, {share} %, fair is {fair[best.players] * 100:.0f})", best)

    def broken_or_short_games(self) -> Card | None:
        """Games that broke off, and decks that run out unusually often."""
        oddities = self.tables["oddities"]
        broken = oddities[oddities["kind"].isin(BROKEN) & (oddities["games"] > 0)]
        short = oddities[oddities["kind"] == "short_draw"]
        if len(broken):
            row = ranked(broken, "share").to_dict("records")[0]
            sentence = f"with {row['players']} players {row['games']:,} of {row['n']:,} games {BROKEN[row['kind']]}"
            return Card(CARDS, ODD, row["players"], sentence, row["share"], row["share_low"], row["share_high"])
        if short.empty:
            return None
        rows = []
        for row in short.to_dict("records"):
            span = self.ranges.of("oddities", row["players"], "short_draw", "share")
            is_odd = span is not None and row["share_low"] > max(span[1], ODD_SHARE)
            rows.append((is_odd, row["share"], row, span))
        is_odd, share, row, span = max(rows, key=lambda each: each[:2])
        ends_of_span = dict.fromkeys(f"{end * 100:.0f}" for end in span or ())  # equal ones once
        usual = f" (usual {'–'.join(ends_of_span)})" if span else ""
        sentence = f"with {row['players']} players the deck runs out in {share * 100:.0f} % of games{usual}"
        interval = row["share_low"], row["share_high"]
        return Card(CARDS, ODD if is_odd else MET, row["players"], sentence, share, *interval, None, span)
