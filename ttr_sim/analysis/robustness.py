"""One finding, and how far it holds: the same claim among other players, in the fields beside the main one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.text import percent
from ttr_sim.run.lineups import ALL, OWN, REWARDS, RIVALS, STRONG
from ttr_sim.run.read import Run
from ttr_sim.run.study import HEADINGS

if TYPE_CHECKING:
    from ttr_sim.analysis.text import Row

MAIN = (STRONG, OWN, RIVALS, ALL, REWARDS)  # the first that was played is the field the board is judged by
STYLES = (ALL, RIVALS)  # likewise for the section on styles; else the main field
ROBUSTNESS_FIELDS = (RIVALS, ALL)

HOLDS_ALL, HOLDS_STRONG, DEPENDS = "all", "strong", "depends"
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

Tables = Mapping[str, pd.DataFrame]
TablesByField = Mapping[str, Tables]
Format = Callable[["Row", str], str]  # writes a row's number with its interval


def main_field(played: Collection[str]) -> str:
    """Of the fields that were played, the one that findings about the board rest on."""
    return next((field for field in MAIN if field in played), STRONG)


@dataclass(frozen=True)
class Fields:
    """The runs with games of each field, the main one first. `all_main` has its unfinished runs, too."""

    runs: Mapping[str, tuple[Run, ...]]
    all_main: tuple[Run, ...]
    rewards: tuple[Run, ...] = ()

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Fields:
        named = {field: tuple(run for run in runs if run.field == field) for field in MAIN}
        played = {field: tuple(run for run in named[field] if run.finished_games) for field in MAIN}
        played = {field: runs for field, runs in played.items() if runs}
        main = main_field(played)
        if main == REWARDS:
            return cls({OWN: played[main]}, named[main])
        rewards = played.pop(REWARDS, ())
        return cls(played, named[main] or tuple(runs), rewards)

    @property
    def main(self) -> str:
        return next(iter(self.runs), STRONG)

    @property
    def styles(self) -> str:
        """Field in which the styles compete."""
        return next((field for field in STYLES if field in self.runs), self.main)

    @property
    def others(self) -> list[str]:
        """Fields that show how far a finding of the main one holds."""
        return [field for field in self.runs if field in ROBUSTNESS_FIELDS and field != self.main]


class Robustness(NamedTuple):
    """How far a finding holds, and the opposite claim of other fields where it does not."""

    holds: str | None = None
    contradiction: str = ""


UNKNOWN = Robustness()


def robustness(
    others: TablesByField, table: str, row: pd.Series, column: str, limit: float, above: bool, write: Format = percent
) -> Robustness:
    """How far does the claim hold that the row's number is above (or below) the limit?"""
    sign = 1.0 if above else -1.0
    agreements = {
        field: np.array([sign * _sure_side(rows, column, limit)])
        for field, rows in _same_rows(others, table, row).items()
    }
    found = contradiction(others, table, row, column, limit, above, write)
    return Robustness(_combine(agreements, ROBUSTNESS_FIELDS, 1)[0], found)


def contradiction(
    others: TablesByField, table: str, row: pd.Series, column: str, limit: float, above: bool, write: Format
) -> str:
    """Write that the claim is not so, with the number in the fields where it is clearly on the other side."""
    sign = 1.0 if above else -1.0
    found = [
        f"{write(rows.iloc[0], column)} among {HEADINGS[field]}"
        for field, rows in _same_rows(others, table, row).items()
        if sign * _sure_side(rows, column, limit) < 0
    ]
    instead = NOT_SO if limit else REVERSED
    return f"{instead}, {' and '.join(found)}" if found else instead


def hold_of_rows(table: pd.DataFrame, others: Tables, key: str, column: str) -> list[str]:
    """How far the sign of each row's number holds in the same row of the same table of other fields."""
    sign = np.sign(table[column].to_numpy(float))
    agreements = {}
    for field, other in others.items():
        ends = other[["players", key, f"{column}_low", f"{column}_high"]]
        both = table[["players", key]].merge(ends, how="left", on=["players", key])
        low, high = both[f"{column}_low"].to_numpy(float), both[f"{column}_high"].to_numpy(float)
        agreements[field] = sign * ((low > 0).astype(float) - (high < 0))
    return _combine(agreements, ROBUSTNESS_FIELDS, len(table))


def _combine(agreements: Mapping[str, NDArray[np.float64]], expected: Collection[str], rows: int) -> list[str]:
    """Combine the agreement of each field: 1 is clearly the same, -1 clearly opposite.

    A field that is expected but was not played agrees with nothing.
    """
    not_played = [np.zeros(rows) for field in expected if field not in agreements]
    least = np.min([*agreements.values(), *not_played], axis=0)
    return [DEPENDS if agreed < 0 else HOLDS_ALL if agreed > 0 else HOLDS_STRONG for agreed in least]


def _same_rows(others: TablesByField, table: str, row: pd.Series) -> dict[str, pd.DataFrame]:
    keys = row[["players", KEYS[table]]]
    tables = {field: found[table] for field, found in others.items() if len(found.get(table, ()))}
    return {field: found[(found[keys.index] == keys).all(axis=1)] for field, found in tables.items()}


def _sure_side(rows: pd.DataFrame, column: str, limit: float) -> float:
    """1 when the number is surely above the limit, -1 when surely below, else 0."""
    low, high = rows[f"{column}_low"], rows[f"{column}_high"]
    return float((low > limit).any()) - float((high < limit).any())


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence chosen by a rule. `notable` is False for "nothing notable".

    `table` and `row` (its index label there) say where the number stands. `about` is board, play or limits, and `holds`
    says how far a finding about the board holds: all, strong or depends.
    """

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
    contradiction: str = ""  # where it depends on who plays: the claim that holds in other fields, with numbers

    def about_the_board(self, topic: str, compared: bool) -> Finding:
        """Turn it into a finding about the board, with a sentence on how far it holds if fields were compared."""
        words = f" {HOLDING[self.holds].format(self.contradiction)}" if compared and self.holds else ""
        holds = self.holds or HOLDS_STRONG
        return replace(self, about="board", topic=topic, sentence=f"{self.sentence}{words}", holds=holds)


def notable(
    rule: str,
    table: str,
    row: pd.Series,
    column: str,
    sentence: str,
    players: Iterable[int] = (),
    holds: Robustness = UNKNOWN,
) -> Finding:
    """Make a finding that rests on one number of one row, by default for that row's player count."""
    value, low, high = (float(row[name]) for name in (column, f"{column}_low", f"{column}_high"))
    counts = tuple(sorted(int(count) for count in players)) or (int(row["players"]),)
    found = Finding(rule, counts, sentence, True, table, int(str(row.name)), value, low, high)
    return replace(found, holds=holds.holds, contradiction=holds.contradiction)


def quiet_finding(rule: str, table: str, sentence: str) -> Finding:
    return Finding(rule, (), sentence, False, table)
