"""The range each number spans over the official editions: what is usual, to stand beside a map's own number.

Tables with a row a thing that all editions have (a seat, a measure, a style) are compared row by row; lists
(tickets, routes, cities) by what holds nine in ten rows of each edition. An edition is not compared with itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.tables import TABLES, Table, TableColumn
from ttr_sim.report.headlines import HEADLINES, headline_numbers

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.edition.model import Edition

FILE = "official_ranges.json"
KEYS: dict[str, tuple[str, ...]] = {
    "strategies": ("bot",),
    "matchups": ("bot", "opponent"),
    "seats": ("seat",),
    "seats_by_bot": ("bot", "seat"),
    "score_parts": ("bot", "part"),
    "pace": ("measure",),
    "shape": (),
    "actions": ("action",),
    "oddities": ("kind",),
}
LISTS = ("ticket_value", "tickets", "routes", "connections", "cities", "shape_loads")
WHOLE_LIST = "*"
LIST_SPAN = (0.05, 0.95)
DIGITS = 4

Span = tuple[float, float]


class Ranges:
    """Each edition's number, or span of a list, by table, player count, row key and column."""

    def __init__(
        self, spans: Mapping[str, Any], titles: Sequence[str] = (), left_out: int | None = None, games: float = 0.0
    ) -> None:
        self.spans = spans
        self.left_out = left_out
        self.games = games  # of each edition, by player count
        self.editions = [title for place, title in enumerate(titles) if place != left_out]

    def of(self, table: str, players: int, key: str, column: str) -> Span | None:
        """Return the span over the editions that show the number, without the one left out."""
        found = self.spans.get(table, {}).get(str(players), {}).get(key, {}).get(column, ())
        known = [span for place, span in enumerate(found) if span and place != self.left_out]
        return (min(low for low, _ in known), max(high for _, high in known)) if known else None


def official_ranges(edition: Edition) -> Ranges:
    """Return the ranges as shipped, without the edition itself; none when the file is not there."""
    source = files("ttr_sim.report") / FILE
    if not source.is_file():
        return Ranges({})
    stored = json.loads(source.read_text(encoding="utf-8"))
    prints = [other["fingerprint"] for other in stored["editions"]]
    itself = prints.index(edition.fingerprint) if edition.fingerprint in prints else None
    return Ranges(stored["spans"], [other["title"] for other in stored["editions"]], itself, stored["games"])


def key_of(table: str, row: Mapping[Any, Any]) -> str:
    """Return what a row is compared by: its own key, or the whole list."""
    return WHOLE_LIST if table in LISTS else "|".join(str(row[column]) for column in KEYS.get(table, ()))


def is_points(table: str, key: str, column: TableColumn) -> bool:
    """Return whether it is counted in points, which a race has none of: there scores and margins are tickets."""
    return column.unit == "points" or (table, key) == ("pace", "margin")


def compared(table: Table) -> list[TableColumn]:
    """Return the columns that have a usual range: estimates."""
    return [column for column in table.columns if column.interval]


def spans_of(analyses: Sequence[Analysis]) -> dict[str, Any]:
    """Return the spans of each edition, as stored: a list in the editions' order, with nothing for what one lacks."""
    spans: dict[str, Any] = {}
    for place, analysis in enumerate(analyses):
        for table, players, key, column, span in _spans(analysis):
            by_column = spans.setdefault(table, {}).setdefault(str(players), {}).setdefault(key, {})
            by_column.setdefault(column, [None] * len(analyses))[place] = span
    return spans


def _spans(analysis: Analysis) -> Iterator[tuple[str, int, str, str, list[float]]]:
    for name in (*KEYS, *LISTS):
        yield from _spans_of_table(name, _comparable(analysis, name))
    for players, key, value in headline_numbers(analysis):
        yield HEADLINES, players, key, "value", [_rounded(value)] * 2


def _comparable(analysis: Analysis, name: str) -> pd.DataFrame:
    """Leave out a race's numbers in the columns of points."""
    frame = analysis.tables[name]
    if not analysis.edition.is_race:
        return frame
    if name == "pace":
        return frame[frame["measure"] != "margin"]
    return frame.assign(**{c.name: float("nan") for c in compared(TABLES[name]) if c.unit == "points"})


def _spans_of_table(name: str, frame: pd.DataFrame) -> Iterator[tuple[str, int, str, str, list[float]]]:
    import pandas as pd

    keys = [key_of(name, row) for row in frame.to_dict("records")]
    for (players, key), group in frame.groupby([frame["players"], pd.Series(keys, frame.index, dtype=object)]):
        for column in compared(TABLES[name]):
            known = group[column.name].astype(float).dropna()
            if len(known):
                ends = LIST_SPAN if key == WHOLE_LIST else (0.0, 1.0)
                yield (
                    name,
                    int(str(players)),
                    str(key),
                    column.name,
                    [_rounded(float(known.quantile(end))) for end in ends],
                )


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
