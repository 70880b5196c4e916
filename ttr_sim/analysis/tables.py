"""Tables of an analysis: their layouts, declared in tables.txt, and how measured numbers fill them.

An estimate is three columns, `x`, `x_low` and `x_high`: the number and its 95 % interval. A missing number (NaN) means
"no estimate", never 0. `n` counts the cases behind the row's numbers, as each table says. `players` 0 stands for all
player counts of the analysis together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.jackknife import Estimate, Floats

AT_LEAST_0 = (0.0, np.inf)
DECIMALS = 10  # digits below are rounding errors, and would differ between machines

Unit = Literal["id", "text", "count", "share", "change", "points", "rounds", "number", "rating", "p", "flag"]


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column. An estimate, with `interval`, has the columns `_low` and `_high`, too.

    `unit` decides how to print it: a share is 0 to 1, a change the difference of two shares.
    """

    name: str
    unit: Unit
    meaning: str
    interval: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, f"{self.name}_low", f"{self.name}_high") if self.interval else (self.name,)


@dataclass(frozen=True, slots=True)
class Table:
    """`needs_turns`: empty when the runs were logged with `--log results`."""

    name: str
    title: str
    meaning: str
    columns: tuple[TableColumn, ...]
    needs_turns: bool = False

    @property
    def column_names(self) -> list[str]:
        return [name for column in self.columns for name in column.names]


def parse_layouts(text: str) -> dict[str, Table]:
    """Read layouts of tables, separated by empty lines.

    A table begins with its name and title and, after =, its meaning. Each column has a name, a unit (~ marks an
    estimate) and a meaning. A line of names alone takes columns of the first table.
    """
    tables: dict[str, Table] = {}
    common: dict[str, TableColumn] = {}
    for block in text.strip().replace("\n      ", " ").split("\n\n"):
        heading, *lines = block.splitlines()
        name, title, *needs = heading.split(" | ")
        meaning = ""
        columns: list[TableColumn] = []
        for line in lines:
            words = line.split(maxsplit=2)
            if words[0] == "=":
                meaning = line.removeprefix("  = ")
            elif common.keys() >= set(line.split()):
                columns += [common[word] for word in line.split()]
            else:
                unit = cast(Unit, words[1].removeprefix("~"))
                columns.append(TableColumn(words[0], unit, words[2], interval=words[1] != unit))
        common = common or {column.name: column for column in columns}
        tables[name] = Table(name, title, meaning, tuple(columns), needs_turns=bool(needs))
    del tables["common"]
    return tables


TABLES = parse_layouts((files("ttr_sim.analysis") / "tables.txt").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Measured:
    """Numbers by key: plain columns in `keys`, estimates, and the blocks they rest on, one number or one a key.

    `bounds` are the floor and ceiling of estimates that cannot lie outside. A share lies between 0 and 1.
    """

    keys: pd.DataFrame
    estimates: Mapping[str, Estimate]
    blocks: int | NDArray[np.int64]
    bounds: Mapping[str, tuple[float | Floats, float | Floats]] = field(default_factory=dict)

    def table(self, name: str) -> pd.DataFrame:
        """Lay the numbers out as one of the tables, with NaN where not measured."""
        columns: dict[str, NDArray[Any]] = {}
        missing = np.full(len(self.keys), np.nan)
        for column in TABLES[name].columns:
            name = column.name
            if name in self.estimates:
                estimate = self.estimates[name]
                bounds = self.bounds.get(name, (0.0, 1.0) if column.unit == "share" else None)
                interval = estimate.bounded_interval(self.blocks, *bounds) if bounds else estimate.interval()
                for heading, values in zip(column.names, (estimate.value, *interval), strict=True):
                    columns[heading] = values.round(DECIMALS) + 0.0  # adding 0 turns a negative zero into a plain one
            elif column.unit in ("id", "count"):
                columns[name] = self.keys[name].to_numpy(np.int64)
            elif name in self.keys and not column.interval:
                columns[name] = self.keys[name].to_numpy()
            else:
                columns.update(dict.fromkeys(column.names, missing))
        return pd.DataFrame(columns)
