"""One finding, where its number stands, and how far it holds: the same claim, looked up in the other fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from ttr_sim.analysis.fields import ELSEWHERE, WITHOUT_TURNS
from ttr_sim.analysis.ranking import ranked
from ttr_sim.analysis.tables import TABLES
from ttr_sim.analysis.verdicts import DEPENDS, HOLDS_ALL, HOLDS_STRONG, combine
from ttr_sim.analysis.words import percent
from ttr_sim.run.study import WORDS

if TYPE_CHECKING:
    from ttr_sim.analysis.words import Row

NORMAL_QUANTILE = 1.96  # half an interval in standard errors

Tables = Mapping[str, pd.DataFrame]
Say = Callable[["Row", str], str]  # writes a row's number with its interval
Elsewhere = Mapping[str, Tables]  # the tables of other fields that can show it
HOLDING = {
    HOLDS_ALL: "This holds no matter who plays.",
    HOLDS_STRONG: "Among other players it is not certain.",
    DEPENDS: "With other styles at the table {}: it depends on who plays.",
}
REVERSED, NOT_SO = "it is the other way around", "this is not so"
KEYS = {
    "ticket_value": "ticket",
    "tickets": "ticket",
    "seats": "seat",
    "pace": "measure",
    "connections": "group",
    "routes": "route",
    "cities": "city",
}


class HowFar(NamedTuple):
    """How far a finding holds, and what is clearly so elsewhere where it does not."""

    holds: str | None = None
    otherwise: str = ""


UNASKED = HowFar()


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
    otherwise: str = ""  # what is clearly so instead where it depends on who plays, and the numbers there

    def about_the_board(self, topic: str, asked: bool) -> Finding:
        """Return the finding as one about the board, which says how far it holds where other fields were asked."""
        words = f" {HOLDING[self.holds].format(self.otherwise)}" if asked and self.holds else ""
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
    holds: HowFar = UNASKED,
) -> Finding:
    """Make a finding that rests on one number of one row; of that row's player count, if no others are given."""
    value, low, high = (float(row[name]) for name in (column, f"{column}_low", f"{column}_high"))
    counts = tuple(sorted(int(count) for count in players)) or (int(row["players"]),)
    place = table, int(str(row.name))
    return Finding(rule, counts, sentence, True, *place, value, low, high, holds=holds.holds, otherwise=holds.otherwise)


def nothing(rule: str, table: str, sentence: str) -> Finding:
    return Finding(rule, (), sentence, False, table)


def exaggeration(rows: pd.DataFrame, column: str) -> float:
    """Return how many times too large the largest of a list is expected to look: the spread seen over the true one."""
    value = rows[column].to_numpy(float)
    error = (rows[f"{column}_high"] - rows[f"{column}_low"]).to_numpy(float) / (2 * NORMAL_QUANTILE)
    seen, noise = float(np.nanvar(value)), float(np.nanmean(error**2))
    return seen / (seen - noise) if seen > noise else np.inf


def how_far(
    elsewhere: Elsewhere, table: str, row: pd.Series, column: str, limit: float, above: bool, say: Say = percent
) -> HowFar:
    """Return how far the claim holds that the number is above (or below) the limit; `say` writes it."""
    sign = 1.0 if above else -1.0
    agreements = {
        field: np.array([sign * _sure_side(rows, column, limit)])
        for field, rows in _rows_elsewhere(elsewhere, table, row).items()
    }
    asked = [field for field in ELSEWHERE if not (TABLES[table].needs_turns and field in WITHOUT_TURNS)]
    return HowFar(combine(agreements, asked, 1)[0], otherwise(elsewhere, table, row, column, limit, above, say))


def otherwise(
    elsewhere: Elsewhere, table: str, row: pd.Series, column: str, limit: float, above: bool, say: Say
) -> str:
    """Say that the claim is not so, with the number in the fields where it is clearly on the other side."""
    sign = 1.0 if above else -1.0
    found = [
        f"{say(rows.iloc[0], column)} among {WORDS[field]}"
        for field, rows in _rows_elsewhere(elsewhere, table, row).items()
        if sign * _sure_side(rows, column, limit) < 0
    ]
    instead = NOT_SO if limit else REVERSED
    return f"{instead}, {' and '.join(found)}" if found else instead


def _rows_elsewhere(elsewhere: Elsewhere, table: str, row: pd.Series) -> dict[str, pd.DataFrame]:
    """Return the same row in the fields that have the table."""
    keys = row[["players", KEYS[table]]]
    tables = {field: found[table] for field, found in elsewhere.items() if len(found.get(table, ()))}
    return {field: found[(found[keys.index] == keys).all(axis=1)] for field, found in tables.items()}


def _sure_side(rows: pd.DataFrame, column: str, limit: float) -> float:
    """Return 1 when the number is surely above the limit, -1 when surely below, else 0."""
    low, high = rows[f"{column}_low"], rows[f"{column}_high"]
    return float((low > limit).any()) - float((high < limit).any())
