"""One finding, where its number stands, and how far it holds: the same claim, looked up in the other fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ttr_sim.analysis.robustness import HOLDING, HOLDS_STRONG, UNKNOWN, Robustness
from ttr_sim.analysis.text import ranked

NORMAL_QUANTILE = 1.96  # half an interval in standard errors


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
    contradiction: str = ""  # what is clearly so instead where it depends on who plays, and the numbers there

    def about_the_board(self, topic: str, asked: bool) -> Finding:
        """Return the finding as one about the board, which says how far it holds where other fields were asked."""
        words = f" {HOLDING[self.holds].format(self.contradiction)}" if asked and self.holds else ""
        holds = self.holds or HOLDS_STRONG
        return replace(self, about="board", topic=topic, sentence=f"{self.sentence}{words}", holds=holds)


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
    rule: str,
    table: str,
    row: pd.Series,
    column: str,
    sentence: str,
    players: Iterable[int] = (),
    holds: Robustness = UNKNOWN,
) -> Finding:
    """Make a finding that rests on one number of one row; of that row's player count, if no others are given."""
    value, low, high = (float(row[name]) for name in (column, f"{column}_low", f"{column}_high"))
    counts = tuple(sorted(int(count) for count in players)) or (int(row["players"]),)
    place = table, int(str(row.name))
    return Finding(
        rule, counts, sentence, True, *place, value, low, high, holds=holds.holds, contradiction=holds.contradiction
    )


def nothing(rule: str, table: str, sentence: str) -> Finding:
    return Finding(rule, (), sentence, False, table)


def exaggeration(rows: pd.DataFrame, column: str) -> float:
    """Return how many times too large the largest of a list is expected to look: the spread seen over the true one."""
    value = rows[column].to_numpy(float)
    error = (rows[f"{column}_high"] - rows[f"{column}_low"]).to_numpy(float) / (2 * NORMAL_QUANTILE)
    seen, noise = float(np.nanvar(value)), float(np.nanmean(error**2))
    return seen / (seen - noise) if seen > noise else np.inf
