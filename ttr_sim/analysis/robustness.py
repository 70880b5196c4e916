"""One finding, and how far it holds: the same claim among other players, in the fields beside the main one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.text import percent
from ttr_sim.run.lineups import ALL, RIVALS
from ttr_sim.run.study import HEADINGS

if TYPE_CHECKING:
    from ttr_sim.analysis.text import Row

ROBUSTNESS_FIELDS = (RIVALS, ALL)

HOLDS_ALL, HOLDS_STRONG, DEPENDS = "all", "strong", "depends"
HOLDING = {
    HOLDS_ALL: "This holds no matter who plays.",
    HOLDS_STRONG: "Among other players it is not certain.",
    DEPENDS: "With other styles at the table {}: it depends on who plays.",
}
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


class Robustness(NamedTuple):
    """How far a finding holds, and the opposite claim of other fields where it does not."""

    holds: str | None = None
    contradiction: str = ""


def robustness(
    others: TablesByField, table: str, row: pd.Series, column: str, limit: float, above: bool, write: Format = percent
) -> Robustness:
    """How far does the claim hold that the row's number is above (or below) the limit?"""
    agreements, opposite = {}, []
    keys = row[["players", KEYS[table]]]
    for field, tables in others.items():
        rows = tables.get(table, pd.DataFrame())
        if rows.empty:
            continue
        same = rows[(rows[keys.index] == keys).all(axis=1)]
        surely_above, surely_below = (same[f"{column}_low"] > limit).any(), (same[f"{column}_high"] < limit).any()
        agreement = (1.0 if above else -1.0) * (float(surely_above) - float(surely_below))
        agreements[field] = np.array([agreement])
        if agreement < 0:
            opposite.append(f"{write(same.iloc[0], column)} among {HEADINGS[field]}")
    instead = "this is not so" if limit else "it is the other way around"
    contradiction = f"{instead}, {' and '.join(opposite)}" if opposite else instead
    return Robustness(_combine(agreements, 1)[0], contradiction)


def hold_of_rows(table: pd.DataFrame, others: Tables, key: str, column: str) -> list[str]:
    """How far the sign of each row's number holds in the same row of the same table of other fields."""
    sign = np.sign(table[column].to_numpy(float))
    agreements = {}
    for field, other in others.items():
        ends = other[["players", key, f"{column}_low", f"{column}_high"]]
        both = table[["players", key]].merge(ends, how="left", on=["players", key])
        low, high = both[f"{column}_low"].to_numpy(float), both[f"{column}_high"].to_numpy(float)
        agreements[field] = sign * ((low > 0).astype(float) - (high < 0))
    return _combine(agreements, len(table))


def _combine(agreements: Mapping[str, NDArray[np.float64]], rows: int) -> list[str]:
    """Combine the agreement of each field: 1 is clearly the same, -1 clearly opposite."""
    # A field that was not played agrees with nothing.
    not_played = [np.zeros(rows) for field in ROBUSTNESS_FIELDS if field not in agreements]
    least = np.min([*agreements.values(), *not_played], axis=0)
    return [DEPENDS if agreed < 0 else HOLDS_ALL if agreed > 0 else HOLDS_STRONG for agreed in least]


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
    holds: Robustness | None = None,
) -> Finding:
    """Make a finding that rests on one number of one row, by default for that row's player count."""
    value, low, high = (float(row[name]) for name in (column, f"{column}_low", f"{column}_high"))
    counts = tuple(sorted(int(count) for count in players)) or (int(row["players"]),)
    found = Finding(rule, counts, sentence, True, table, int(str(row.name)), value, low, high)
    return replace(found, holds=holds.holds, contradiction=holds.contradiction) if holds else found


def quiet_finding(rule: str, table: str, sentence: str) -> Finding:
    return Finding(rule, (), sentence, False, table)
