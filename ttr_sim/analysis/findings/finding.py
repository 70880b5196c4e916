"""One finding, and where its number stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from ttr_sim.analysis.ranking import ranked

Tables = Mapping[str, pd.DataFrame]


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence chosen by a rule. `table` and `row` (its index label there) say where the number stands;
    `notable` is False for "nothing notable"."""

    rule: str
    players: int
    sentence: str
    notable: bool
    table: str
    row: int | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None


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


def notable(rule: str, table: str, row: pd.Series, column: str, sentence: str) -> Finding:
    """Make a finding that rests on one number of one row."""
    value, low, high = (float(row[name]) for name in (column, f"{column}_low", f"{column}_high"))
    return Finding(rule, int(row["players"]), sentence, True, table, int(str(row.name)), value, low, high)


def nothing(rule: str, table: str, sentence: str) -> Finding:
    return Finding(rule, 0, sentence, False, table)
