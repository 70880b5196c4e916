"""One finding, where its number stands, and how far it holds: the same claim, looked up in the other fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ttr_sim.analysis.ranking import ranked
from ttr_sim.analysis.verdicts import combine
from ttr_sim.run.fields import STRONG

NORMAL_QUANTILE = 1.96  # half an interval in standard errors

Tables = Mapping[str, pd.DataFrame]
Elsewhere = Mapping[str, Tables]  # the tables of other fields that can show it
KEYS = {
    "ticket_value": "ticket",
    "seats": "seat",
    "pace": "measure",
    "connections": "group",
    "routes": "route",
    "cities": "city",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence chosen by a rule. `table` and `row` (its index label there) say where the number stands;
    `notable` is False for "nothing notable". `about` is board, play or limits; `holds` says how far a finding about
    the board holds: all, strong or depends."""

    rule: str
    players: tuple[int, ...]
    sentence: str
    notable: bool
    table: str
    row: int | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    about: str = ""
    topic: str = ""
    holds: str | None = None


def top(rows: pd.DataFrame, column: str) -> pd.Series:
    """Return the row with the largest number."""
    return ranked(rows, column).iloc[0]


def leaders(rows: pd.DataFrame, column: str, *keys: str) -> Iterator[tuple[pd.Series, list[int]]]:
    """Yield what leads at any player count, told apart by the keys: its row where it is most marked, and those
    counts."""
    first = ranked(rows, column).drop_duplicates("players")
    for _, led in first.groupby(list(keys), sort=False):
        yield top(led, column), [int(players) for players in led["players"]]


def bottom(rows: pd.DataFrame, column: str) -> pd.Series:
    """Return the row with the smallest number."""
    return ranked(rows, column, ascending=True).iloc[0]


def notable(
    rule: str, table: str, row: pd.Series, column: str, sentence: str, players: Iterable[int] = (), holds: str = STRONG
) -> Finding:
    """Make a finding that rests on one number of one row; of that row's player count, if no others are given."""
    value, low, high = (float(row[name]) for name in (column, f"{column}_low", f"{column}_high"))
    counts = tuple(sorted(int(count) for count in players)) or (int(row["players"]),)
    return Finding(rule, counts, sentence, True, table, int(str(row.name)), value, low, high, holds=holds)


def nothing(rule: str, table: str, sentence: str) -> Finding:
    return Finding(rule, (), sentence, False, table)


def exaggeration(rows: pd.DataFrame, column: str) -> float:
    """Return how many times too large the largest of a list is expected to look: the spread seen over the true one."""
    value = rows[column].to_numpy(float)
    error = (rows[f"{column}_high"] - rows[f"{column}_low"]).to_numpy(float) / (2 * NORMAL_QUANTILE)
    seen, noise = float(np.nanvar(value)), float(np.nanmean(error**2))
    return seen / (seen - noise) if seen > noise else np.inf


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
