"""How far a finding about the board holds: the same claim, looked up in the other fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from ttr_sim.analysis.findings.finding import Tables
from ttr_sim.analysis.verdicts import combine

Elsewhere = Mapping[str, Tables]  # the tables of other fields that can show it
KEYS = {
    "ticket_value": "ticket",
    "seats": "seat",
    "pace": "measure",
    "connections": "group",
    "routes": "route",
    "cities": "city",
}


def how_far(elsewhere: Elsewhere, table: str, row: pd.Series, column: str, limit: float, above: bool) -> str:
    """Return all, strong or depends for the claim that the number is above (or below) the limit."""
    keys = ["players", KEYS[table]]
    agreements = [
        np.array([_agreement(other, column, limit, above)])
        for other in _rows_elsewhere(elsewhere, table, dict(row[keys]))
    ]
    return combine(agreements, 1)[0]


def _rows_elsewhere(elsewhere: Elsewhere, table: str, keys: Mapping[str, object]) -> Iterator[pd.Series]:
    for tables in elsewhere.values():
        rows = tables.get(table, pd.DataFrame(columns=list(keys)))
        for _, other in rows[(rows[list(keys)] == pd.Series(keys)).all(axis=1)].iterrows():
            yield other


def _agreement(row: pd.Series, column: str, limit: float, above: bool) -> float:
    surely = float(row[f"{column}_low"] > limit) - float(row[f"{column}_high"] < limit)
    return surely if above else -surely
