"""The range each number spans over the official editions: what is usual, to stand beside a map's own number.

Tables with a row a thing that all editions have (a seat, a measure, a style) are compared row by row; lists
(tickets, routes, cities) by the span of their rows, from the 5th to the 95th percentile.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.tables import TABLES, Table, TableColumn

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis

FILE = "official_ranges.json"
KEYS: dict[str, tuple[str, ...]] = {
    "strategies": ("bot",),
    "matchups": ("bot", "opponent"),
    "seats": ("seat",),
    "seats_by_bot": ("bot", "seat"),
    "score_parts": ("bot", "part"),
    "pace": ("measure",),
    "actions": ("action",),
    "oddities": ("kind",),
}
LISTS = ("ticket_value", "tickets", "routes", "connections", "cities")
WHOLE_LIST = "*"
LIST_SPAN = (0.05, 0.95)
DIGITS = 4

Span = tuple[float, float]


class Ranges:
    """Spans by table, player count, row key and column."""

    def __init__(self, spans: Mapping[str, Any], editions: tuple[str, ...] = ()) -> None:
        self.spans = spans
        self.editions = editions

    def of(self, table: str, players: int, key: str, column: str) -> Span | None:
        found = self.spans.get(table, {}).get(str(players), {}).get(key, {}).get(column)
        return (found[0], found[1]) if found else None


def official_ranges() -> Ranges:
    """Return the ranges as shipped; none when the file is not there."""
    source = files("ttr_sim.report") / FILE
    if not source.is_file():
        return Ranges({})
    stored = json.loads(source.read_text(encoding="utf-8"))
    return Ranges(stored["spans"], tuple(stored["editions"]))


def key_of(table: str, row: Mapping[Any, Any]) -> str:
    """Return what a row is compared by: its own key, or the whole list."""
    return WHOLE_LIST if table in LISTS else "|".join(str(row[column]) for column in KEYS.get(table, ()))


def is_points(table: str, key: str, column: TableColumn) -> bool:
    """Return whether it is counted in points, which a race has none of: there scores and margins are tickets."""
    return column.unit == "points" or (table, key) == ("pace", "margin")


def compared(table: Table) -> list[TableColumn]:
    """Return the columns that have a usual range: estimates."""
    return [column for column in table.columns if column.interval]


def span_over(analyses: Iterable[Analysis]) -> dict[str, Any]:
    """Return spans over several editions, as stored."""
    spans: dict[str, Any] = {}
    for name in (*KEYS, *LISTS):
        frames = [_comparable(analysis, name) for analysis in analyses]
        _add_spans(spans.setdefault(name, {}), TABLES[name], [frame for frame in frames if len(frame)])
    return spans


def _comparable(analysis: Analysis, name: str) -> pd.DataFrame:
    """Leave out a race's numbers in the columns of points."""
    frame = analysis.tables[name]
    if not analysis.edition.is_race:
        return frame
    if name == "pace":
        return frame[frame["measure"] != "margin"]
    return frame.assign(**{c.name: float("nan") for c in compared(TABLES[name]) if c.unit == "points"})


def _add_spans(spans: dict[str, Any], table: Table, frames: list[pd.DataFrame]) -> None:
    import pandas as pd

    if not frames:
        return
    rows = pd.concat(frames, ignore_index=True)
    keys = [key_of(table.name, row) for row in rows.to_dict("records")]
    for (players, key), group in rows.groupby([rows["players"], pd.Series(keys)], sort=True):
        found = {column.name: _span(group[column.name], key == WHOLE_LIST) for column in compared(table)}
        spans.setdefault(str(players), {})[key] = {name: span for name, span in found.items() if span}


def _span(values: pd.Series[float], whole_list: bool) -> list[float] | None:
    known = values.astype(float).dropna()
    if known.empty:
        return None
    low, high = (known.quantile(share) for share in LIST_SPAN) if whole_list else (known.min(), known.max())
    return [float(f"{end:.{DIGITS}g}") for end in (low, high)]
