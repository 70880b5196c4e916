"""The ranges of numbers over the official editions, as the package stores them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.official import FIERCEST, FIRST_SEAT, HEADLINES, LOCKED_OUT_MOST, Span
from ttr_sim.analysis.tables import TABLES
from ttr_sim.report.tables import KEYS, LISTS, WHOLE_LIST, is_points, key_of

OF_HEADLINES = {
    FIERCEST: ("connections", "contention"),
    LOCKED_OUT_MOST: ("routes", "denial"),
    FIRST_SEAT: ("seats", "win_share"),
}
LIST_SPAN = (0.05, 0.95)


def spans_of(analyses: Sequence[Analysis]) -> dict[str, Any]:
    """Collect the spans as stored: a list by edition, None for a missing number."""
    spans: dict[str, Any] = {}
    for place, analysis in enumerate(analyses):
        for table, players, key, column, span in _spans(analysis):
            by_column = spans.setdefault(table, {}).setdefault(str(players), {}).setdefault(key, {})
            by_column.setdefault(column, [None] * len(analyses))[place] = [float(f"{end:.4g}") for end in span]
    return spans


def _spans(analysis: Analysis) -> Iterator[tuple[str, int, str, str, Span]]:
    """Yield table, player count, row key, column and span."""
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
