"""Numbers of the games and of the board, each compared with its range over the official editions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.official import Ranges, Span
from ttr_sim.analysis.tables import Unit
from ttr_sim.edition.statics import Statics, measured, shown
from ttr_sim.report.numbers import interval, labeled, with_unit, written
from ttr_sim.report.ranges import key_of

PADDING = 0.06  # of a strip, free at both ends


@dataclass(frozen=True, slots=True)
class Strip:
    """A number with its interval on its range, drawn by the page's style sheet."""

    places: str  # of the range, the dot and the interval's ends, in percent of the length
    words: str  # for screen readers
    usual: str


@dataclass(frozen=True)
class RangedNumber:
    """A number with the ends of its interval, and the official range."""

    number: tuple[float, float, float]  # all equal without an interval
    span: Span | None
    unit: Unit

    @property
    def is_known(self) -> bool:
        return not any(map(math.isnan, self.number))

    @property
    def usual(self) -> str:
        return interval(*self.span, self.unit) if self.span else ""

    @property
    def standing(self) -> str:
        """Position relative to the range: outside only when the whole interval is."""
        if self.span is None:
            return ""
        _, low, high = self.number
        return "below" if high < self.span[0] else "above" if low > self.span[1] else "within"

    def strip(self, others: Iterable[RangedNumber] = (), usual: str = "") -> Strip | None:
        """Place the number on a scale that covers the others too."""
        if self.span is None or not self.is_known:
            return None
        values = [value for one in (self, *others) for value in (*one.number, *(one.span or ()))]
        room = PADDING * ((max(values) - min(values)) or 1.0)
        least, most = min(values) - room, max(values) + room
        shares = (round(100 * (value - least) / (most - least), 1) for value in (*self.span, *self.number))
        places = ";".join(f"--{name}:{share}%" for name, share in zip("abxcd", shares, strict=True))
        words = f"{self.standing} the range of the official boards, {usual or self.usual}"
        return Strip(
            places, words, usual or f"{written(self.span[0], self.unit)} to {with_unit(self.span[1], self.unit)}"
        )


@dataclass(frozen=True)
class GlanceLine:
    """Source of a headline number: table, row and column."""

    words: str
    table: str
    row: dict[str, Any]
    column: str
    unit: Unit


def _of_pace(words: str, measure: str, unit: Unit) -> GlanceLine:
    return GlanceLine(words, "pace", {"measure": measure}, "mean", unit)


def _of_parts(words: str, part: str) -> GlanceLine:
    return GlanceLine(words, "score_parts", {"bot": "", "part": part}, "mean", "points")


FIRST_PLAYER = GlanceLine("Wins of the first player", "seats", {"seat": 0}, "win_share", "share")
ROUNDS = _of_pace("Rounds of a game", "rounds", "rounds")
MARGIN = _of_pace("Winner's margin", "margin", "number")
HIDDEN = _of_pace("Winner not ahead in open points", "hidden", "share")
CLAIMS = GlanceLine("Claims per player", "actions", {"action": "claim"}, "per_seat", "number")
MEASURES = (
    FIRST_PLAYER,
    ROUNDS,
    MARGIN,
    _of_pace("Changes of the lead", "lead_changes", "number"),
    _of_pace("Winner leads for good from", "decided", "share"),
    HIDDEN,
    _of_pace("Shared wins", "shared", "share"),
    _of_parts("Points from routes", "route"),
    _of_parts("Points from tickets", "ticket"),
    _of_parts("Lost on failed tickets", "ticket_penalty"),
    CLAIMS,
    GlanceLine("Draws of tickets per player", "actions", {"action": "tickets"}, "per_seat", "number"),
)


@dataclass(frozen=True)
class MetricCell:
    """A number and its position in the official range."""

    words: str
    between: str = ""
    usual: str = ""
    standing: str = ""  # below, within, above or empty
    strip: Strip | None = None


@dataclass(frozen=True)
class MetricRow:
    """A measure with its cells: one per player count, or one for the empty board."""

    words: str
    anchor: str  # of its table
    cells: list[MetricCell] = field(default_factory=list)
    meaning: str = ""


def glance(analysis: Analysis, counts: Sequence[int], ranges: Ranges) -> list[MetricRow]:
    """Row for each measure that the runs show."""
    rows = []
    for measure in MEASURES:
        found = [find(analysis, measure, players, ranges) for players in counts]
        # All counts on one scale, so that a row of strips can be compared.
        known = [one for one in found if one and one.is_known]
        row = MetricRow(labeled(measure.words, measure.unit), measure.table)
        for one in found:
            if one is None or not one.is_known:
                row.cells.append(MetricCell(written(None, measure.unit)))
                continue
            value, low, high = one.number
            words, between = written(value, measure.unit), interval(low, high, measure.unit)
            row.cells.append(MetricCell(words, between, one.usual, one.standing, one.strip(known)))
        if known:
            rows.append(row)
    return rows


def find(analysis: Analysis, measure: GlanceLine, players: int, ranges: Ranges) -> RangedNumber | None:
    """Look up the number of a measure, if the table has it."""
    table = analysis.tables[measure.table]
    chosen = table[table["players"] == players]
    for column, wanted in measure.row.items():
        chosen = chosen[chosen[column] == wanted]
    if chosen.empty:
        return None
    row = chosen.to_dict("records")[0]
    value, low, high = (float(row[f"{measure.column}{end}"]) for end in ("", "_low", "_high"))
    span = None
    # The margin of a race counts tickets, where other boards count points.
    if not (analysis.edition.is_race and measure is MARGIN):
        span = ranges.of(measure.table, players, key_of(measure.table, row), measure.column)
    return RangedNumber((value, low, high), span, measure.unit)


def board_measures(board: Statics) -> Iterator[MetricRow]:
    """Yield each measure of the board before anyone plays."""
    for row in measured(board):
        value, usual = shown(row.value, row.measure.unit), f"{shown(row.low)} to {shown(row.high)}"
        cell = MetricCell(value, usual=usual)
        if row.value is not None and row.low is not None and row.high is not None:
            ranged = RangedNumber((row.value,) * 3, (row.low, row.high), "number")
            cell = MetricCell(value, "", usual, ranged.standing, ranged.strip(usual=usual))
        yield MetricRow(row.measure.name, "", [cell], row.measure.definition)


def named_things(board: Statics) -> list[tuple[str, str]]:
    """Name the things that the board measures only count."""
    name, shape, tickets = board.net.name, board.shape, board.edition.tickets
    bridges, pairs = [], []
    for number in shape.bridges:
        bridge = board.net.connections[number]
        bridges.append(f"{name(bridge.a)}–{name(bridge.b)}")
    for pair in board.near_duplicates:
        first, second = tickets[pair.first], tickets[pair.second]
        pairs.append(f"{first.a}–{first.b} and {second.a}–{second.b} ({100 * pair.overlap:.0f} %)")
    found = {
        "Bridges": bridges,
        "Cut cities": [name(city) for city in shape.cut_cities],
        "Dead ends": [name(city) for city in shape.dead_ends],
        "Regions": [", ".join(map(name, region)) for region in shape.regions],
        "Near-duplicates": pairs,
        "Places without tickets": [place for place, times in board.tickets_by_place.items() if not times],
    }
    return [(kind, "; ".join(things) or "none") for kind, things in found.items()]
