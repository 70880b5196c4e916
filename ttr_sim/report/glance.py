"""The few numbers a designer looks at first, each beside the range over the official editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.tables import Unit
from ttr_sim.report.numbers import interval, labeled, written
from ttr_sim.report.ranges import Ranges, key_of

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis


@dataclass(frozen=True)
class Measure:
    """Where a headline number stands: table, the values that choose its row, and column."""

    words: str
    table: str
    row: tuple[tuple[str, Any], ...]
    column: str
    unit: Unit
    in_points: bool = False  # a race counts tickets instead, which compare with nothing


MEASURES = (
    Measure("Wins of the first player", "seats", (("seat", 0),), "win_share", "share"),
    Measure("Rounds of a game", "pace", (("measure", "rounds"),), "mean", "rounds"),
    Measure("Winner's margin", "pace", (("measure", "margin"),), "mean", "number", in_points=True),
    Measure("Changes of the lead", "pace", (("measure", "lead_changes"),), "mean", "number"),
    Measure("Winner leads for good from", "pace", (("measure", "decided"),), "mean", "share"),
    Measure("Winner not ahead in open points", "pace", (("measure", "hidden"),), "mean", "share"),
    Measure("Shared wins", "pace", (("measure", "shared"),), "mean", "share"),
    Measure("Points from routes", "score_parts", (("bot", ""), ("part", "route")), "mean", "points"),
    Measure("Points from tickets", "score_parts", (("bot", ""), ("part", "ticket")), "mean", "points"),
    Measure("Lost on failed tickets", "score_parts", (("bot", ""), ("part", "ticket_penalty")), "mean", "points"),
    Measure("Claims per player", "actions", (("action", "claim"),), "per_seat", "number"),
    Measure("Draws of tickets per player", "actions", (("action", "tickets"),), "per_seat", "number"),
)


@dataclass(frozen=True)
class Glimpse:
    """One number; `standing` is where it lies in the official range: below, within, above or empty."""

    words: str
    between: str = ""
    usual: str = ""
    standing: str = ""


@dataclass(frozen=True)
class Line:
    words: str
    anchor: str
    glimpses: list[Glimpse]


def glance(analysis: Analysis, counts: list[int], ranges: Ranges) -> list[Line]:
    """Return one line per measure that the runs show, with a glimpse per player count."""
    return _lines([(analysis, count) for count in counts], ranges)


def side_by_side(analyses: Sequence[Analysis], players: int) -> list[Line]:
    """Return one line per measure that one of the editions shows at this player count, with a glimpse per edition."""
    return _lines([(analysis, players) for analysis in analyses], Ranges({}))


def _lines(columns: Sequence[tuple[Analysis, int]], ranges: Ranges) -> list[Line]:
    lines = []
    for measure in MEASURES:
        glimpses = [_glimpse(analysis, measure, players, ranges) for analysis, players in columns]
        if any(glimpse.between for glimpse in glimpses):
            lines.append(Line(labeled(measure.words, measure.unit), measure.table, glimpses))
    return lines


def _glimpse(analysis: Analysis, measure: Measure, players: int, ranges: Ranges) -> Glimpse:
    row = find_row(analysis.tables[measure.table], measure, players)
    if row is None:
        return Glimpse(written(None, measure.unit))
    value, low, high = (row[f"{measure.column}{end}"] for end in ("", "_low", "_high"))
    known = not (analysis.edition.is_race and measure.in_points)
    span = ranges.of(measure.table, players, key_of(measure.table, row), measure.column) if known else None
    usual = interval(span[0], span[1], measure.unit) if span else ""
    between = interval(low, high, measure.unit)
    return Glimpse(written(value, measure.unit), between, usual, _standing(low, high, span) if between else "")


def find_row(frame: pd.DataFrame, measure: Measure, players: int) -> dict[Any, Any] | None:
    """Return the row of a measure, or None when the table lacks it."""
    chosen = frame[frame["players"] == players]
    for column, value in measure.row:
        chosen = chosen[chosen[column] == value]
    return chosen.head(1).to_dict("records")[0] if len(chosen) else None


def _standing(low: float, high: float, span: tuple[float, float] | None) -> str:
    """Return where the interval lies; outside only when all of it is."""
    if span is None:
        return ""
    return "below" if high < span[0] else "above" if low > span[1] else "within"
