"""Collect the ranges of numbers over the official editions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.analysis import TABLES
from ttr_sim.analysis.official import FIERCEST, FIRST_SEAT, HEADLINES, LOCKED_OUT_MOST, Span
from ttr_sim.analysis.tables import TableColumn

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis

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
OF_HEADLINES = {
    FIERCEST: ("connections", "contention"),
    LOCKED_OUT_MOST: ("routes", "denial"),
    FIRST_SEAT: ("seats", "win_share"),
}
LISTS = ("ticket_value", "tickets", "routes", "connections", "cities", "shape_loads")
WHOLE_LIST = "*"
LIST_SPAN = (0.05, 0.95)


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
    for headline, (table, measure) in OF_HEADLINES.items():
        rows = analysis.tables[table].dropna(subset=[measure])
        for players, most in rows.groupby("players")[measure].max().items():
            yield HEADLINES, int(str(players)), headline, "value", (float(most), float(most))


def listed_tickets(analysis: Analysis) -> pd.DataFrame:
    """Rows of the tickets for all player counts, or the only one."""
    tickets = analysis.tables["ticket_value"]
    listed: pd.DataFrame = tickets[tickets["players"] == tickets["players"].min()]
    return listed


def judged_tickets(analysis: Analysis) -> pd.DataFrame:
    """Listed tickets that are dealt at setup often enough to be judged."""
    return listed_tickets(analysis).dropna(subset=["win_effect_low"])
