"""The few numbers a designer looks at first, each beside the range over the official editions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.tables import Unit
from ttr_sim.report.numbers import interval, labeled, with_unit, written
from ttr_sim.report.ranges import Ranges, Span, key_of
from ttr_sim.report.strips import Strip, StripScale, strip

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis


@dataclass(frozen=True)
class GlanceLine:
    """Where a headline number stands: table, the values that choose its row, and column."""

    words: str
    table: str
    row: tuple[tuple[str, Any], ...]
    column: str
    unit: Unit
    in_points: bool = False  # a race counts tickets instead, which compare with nothing


FIRST_PLAYER = GlanceLine("Wins of the first player", "seats", (("seat", 0),), "win_share", "share")
ROUNDS = GlanceLine("Rounds of a game", "pace", (("measure", "rounds"),), "mean", "rounds")
MARGIN = GlanceLine("Winner's margin", "pace", (("measure", "margin"),), "mean", "number", in_points=True)
HIDDEN = GlanceLine("Winner not ahead in open points", "pace", (("measure", "hidden"),), "mean", "share")
CLAIMS = GlanceLine("Claims per player", "actions", (("action", "claim"),), "per_seat", "number")
MEASURES = (
    FIRST_PLAYER,
    ROUNDS,
    MARGIN,
    GlanceLine("Changes of the lead", "pace", (("measure", "lead_changes"),), "mean", "number"),
    GlanceLine("Winner leads for good from", "pace", (("measure", "decided"),), "mean", "share"),
    HIDDEN,
    GlanceLine("Shared wins", "pace", (("measure", "shared"),), "mean", "share"),
    GlanceLine("Points from routes", "score_parts", (("bot", ""), ("part", "route")), "mean", "points"),
    GlanceLine("Points from tickets", "score_parts", (("bot", ""), ("part", "ticket")), "mean", "points"),
    GlanceLine("Lost on failed tickets", "score_parts", (("bot", ""), ("part", "ticket_penalty")), "mean", "points"),
    CLAIMS,
    GlanceLine("Draws of tickets per player", "actions", (("action", "tickets"),), "per_seat", "number"),
)


@dataclass(frozen=True)
class Glimpse:
    """One number; `standing` is where it lies in the official range: below, within, above or empty."""

    words: str
    between: str = ""
    usual: str = ""
    standing: str = ""
    strip: Strip | None = None


@dataclass(frozen=True)
class Line:
    words: str
    anchor: str
    glimpses: list[Glimpse]


@dataclass(frozen=True)
class RangedNumber:
    """A number with the ends of its interval, and the official range; a number without an interval has itself."""

    number: tuple[float, float, float]
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
        """Return where the interval lies; outside only when all of it is."""
        if self.span is None:
            return ""
        _, low, high = self.number
        return "below" if high < self.span[0] else "above" if low > self.span[1] else "within"

    def strip(self, scale: StripScale | None = None) -> Strip | None:
        """Return the number beside its range, on a scale of its own unless one is given."""
        if self.span is None or not self.is_known:
            return None
        words = f"{self.standing} the range of the official boards, {self.usual}"
        usual = f"{written(self.span[0], self.unit)} to {with_unit(self.span[1], self.unit)}"
        return strip(self.number, self.span, scale or common_scale([self]), words, usual)


def glance(analysis: Analysis, counts: list[int], ranges: Ranges) -> list[Line]:
    """Return one line per measure that the runs show, with a glimpse per player count."""
    lines = []
    for measure in MEASURES:
        found = [find(analysis, measure, players, ranges) for players in counts]
        if any(one and one.is_known for one in found):
            scale = common_scale(one for one in found if one)
            glimpses = [_glimpse(one, measure, scale) for one in found]
            lines.append(Line(labeled(measure.words, measure.unit), measure.table, glimpses))
    return lines


def find(analysis: Analysis, measure: GlanceLine, players: int, ranges: Ranges) -> RangedNumber | None:
    """Return the number of a measure; None when the table lacks it."""
    row = find_row(analysis.tables[measure.table], measure, players)
    if row is None:
        return None
    value, low, high = (float(row[f"{measure.column}{end}"]) for end in ("", "_low", "_high"))
    compares = not (analysis.edition.is_race and measure.in_points)
    key = key_of(measure.table, row)
    span = ranges.of(measure.table, players, key, measure.column) if compares else None
    return RangedNumber((value, low, high), span, measure.unit)


def common_scale(found: Iterable[RangedNumber]) -> StripScale:
    """Return a scale on which all these numbers and their ranges can be drawn."""
    return StripScale.over(value for one in found for value in (*one.number, *(one.span or ())))


def _glimpse(found: RangedNumber | None, measure: GlanceLine, scale: StripScale) -> Glimpse:
    if found is None or not found.is_known:
        return Glimpse(written(None, measure.unit))
    value, low, high = found.number
    words, between = written(value, measure.unit), interval(low, high, measure.unit)
    return Glimpse(words, between, found.usual, found.standing, found.strip(scale))


def find_row(frame: pd.DataFrame, measure: GlanceLine, players: int) -> dict[Any, Any] | None:
    """Return the row of a measure, or None when the table lacks it."""
    chosen = frame[frame["players"] == players]
    for column, value in measure.row:
        chosen = chosen[chosen[column] == value]
    return chosen.head(1).to_dict("records")[0] if len(chosen) else None
