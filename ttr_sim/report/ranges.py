"""Ranges of numbers over the official editions, to compare a board with.

Tables with rows that all editions have (a seat, a measure, a style) are compared row by row. Lists (tickets, routes,
cities) are compared by the span of nine in ten rows of each edition. An edition is not compared with itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.analysis import TABLES
from ttr_sim.analysis.tables import TableColumn
from ttr_sim.report.numbers import ALL

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
# Numbers of a whole board that no table has, under the name of a table of their own.
HEADLINES, MISVALUED, LOCKED_OUT = "headlines", "misvalued", "locked_out"

Span = tuple[float, float]


@dataclass(frozen=True)
class Ranges:
    """Spans of the editions by table, player count, row key and column."""

    spans: Mapping[str, Any]
    titles: Sequence[str] = ()
    left_out: int | None = None  # place of the edition that is compared
    games: float = 0.0  # of each edition, by player count

    @property
    def editions(self) -> list[str]:
        return [title for place, title in enumerate(self.titles) if place != self.left_out]

    def of(self, table: str, players: int, key: str, column: str) -> Span | None:
        """Look up the span over the editions that show the number."""
        found = self.spans.get(table, {}).get(str(players), {}).get(key, {}).get(column, ())
        # Compared with a range of which it is part, a board would always lie within.
        known = [span for place, span in enumerate(found) if span and place != self.left_out]
        return (min(low for low, _ in known), max(high for _, high in known)) if known else None


def official_ranges(edition: Edition) -> Ranges:
    """Load the ranges as shipped, without the edition itself."""
    source = files("ttr_sim.report") / FILE
    if not source.is_file():
        return Ranges({})  # while the gallery measures the editions again
    stored = json.loads(source.read_text(encoding="utf-8"))
    prints = [other["fingerprint"] for other in stored["editions"]]
    itself = prints.index(edition.fingerprint) if edition.fingerprint in prints else None
    return Ranges(stored["spans"], [other["title"] for other in stored["editions"]], itself, stored["games"])


def key_of(table: str, row: Mapping[Any, Any]) -> str:
    """The key that a row is compared by, its own or that of the list."""
    return WHOLE_LIST if table in LISTS else "|".join(str(row[column]) for column in KEYS.get(table, ()))


def is_points(table: str, key: str, column: TableColumn) -> bool:
    """Check for numbers in points, which a race lacks: its scores are tickets."""
    return column.unit == "points" or (table, key) == ("pace", "margin")


def spans_of(analyses: Sequence[Analysis]) -> dict[str, Any]:
    """Collect the spans as stored: a list by edition, None for a missing number."""
    spans: dict[str, Any] = {}
    for place, analysis in enumerate(analyses):
        for table, players, key, column, span in _spans(analysis):
            by_column = spans.setdefault(table, {}).setdefault(str(players), {}).setdefault(key, {})
            by_column.setdefault(column, [None] * len(analyses))[place] = [float(f"{end:.4g}") for end in span]
    return spans


def _spans(analysis: Analysis) -> Iterator[tuple[str, int, str, str, Span]]:
    import pandas as pd

    for name in (*KEYS, *LISTS):
        frame = analysis.tables[name]
        keys = pd.Series([key_of(name, row) for row in frame.to_dict("records")], frame.index, dtype=object)
        for (players, key), group in frame.groupby([frame["players"], keys]):
            low, high = LIST_SPAN if key == WHOLE_LIST else (0.0, 1.0)
            for column in TABLES[name].columns:
                if not column.interval or (analysis.edition.is_race and is_points(name, str(key), column)):
                    continue
                known = group[column.name].astype(float).dropna()
                if len(known):
                    span = float(known.quantile(low)), float(known.quantile(high))
                    yield name, int(str(players)), str(key), column.name, span
    tickets = judged_tickets(analysis)
    if len(tickets):
        misvalued = float((tickets["verdict"] != "").mean())
        yield HEADLINES, ALL, MISVALUED, "value", (misvalued, misvalued)
    routes = analysis.tables["routes"].dropna(subset=["denial"])
    for players, most in routes.groupby("players")["denial"].max().items():
        yield HEADLINES, int(str(players)), LOCKED_OUT, "value", (float(most), float(most))


def listed_tickets(analysis: Analysis) -> pd.DataFrame:
    """Rows of the tickets for all player counts, or the only one."""
    tickets = analysis.tables["ticket_value"]
    listed: pd.DataFrame = tickets[tickets["players"] == tickets["players"].min()]
    return listed


def judged_tickets(analysis: Analysis) -> pd.DataFrame:
    """Listed tickets that are dealt at setup often enough to be judged."""
    return listed_tickets(analysis).dropna(subset=["win_effect_low"])


def games_by_count(analysis: Analysis) -> float:
    """Mean number of games per player count."""
    runs = analysis.main_runs
    return sum(run.games for run in runs) / max(1, len({run.players for run in runs}))
