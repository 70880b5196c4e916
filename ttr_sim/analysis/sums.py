"""Sums by group of blocks and key, as arrays; and measured numbers by key, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.columns import Column
from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, ratio
from ttr_sim.analysis.tables import Table

Bound = float | Floats
AT_LEAST_0 = (0.0, np.inf)
DECIMALS = 10  # below lies what the order of adding up leaves: the same runs give the same tables


@dataclass(frozen=True, eq=False)
class Sums:
    """`keys` has a row for each of K keys, sorted; `arrays[measure]` is (GROUPS, K)."""

    keys: pd.DataFrame
    arrays: Mapping[str, Floats]

    @classmethod
    def of(cls, frame: pd.DataFrame, keys: Sequence[str]) -> Sums:
        """Add up rows with a column `grp`, the keys, and measures."""
        distinct, column = _number(frame, keys)
        cell = frame["grp"].to_numpy(np.int64) * len(distinct) + column
        arrays = {}
        for measure in frame.columns.difference([*keys, "grp"]):
            values = frame[measure].fillna(0).to_numpy(float)
            added = np.bincount(cell, values, minlength=GROUPS * len(distinct))
            arrays[measure] = np.asarray(added.reshape(GROUPS, len(distinct)), float)
        return cls(distinct, arrays)

    def __getitem__(self, measure: str) -> Floats:
        return self.arrays[measure]

    def __or__(self, other: Sums) -> Sums:
        """Return the measures of both, of the same keys."""
        return Sums(self.keys, {**self.arrays, **other.arrays})

    def met(self) -> Sums:
        """Return the sums of those keys that have any."""
        is_met = np.any([array.any(axis=0) for array in self.arrays.values()], axis=0)
        if is_met.all():
            return self
        keys = self.keys[is_met].reset_index(drop=True)
        return Sums(keys, {measure: array[:, is_met] for measure, array in self.arrays.items()})

    def total(self, measure: str) -> Floats:
        total: Floats = self.arrays[measure].sum(axis=0)
        return total

    def mean(self, measure: str, of: str = "n") -> Estimate:
        """Return the ratio of two measures."""
        return ratio(self.arrays[measure], self.arrays[of])

    def __add__(self, other: Sums) -> Sums:
        """Return the sums of both, for the keys of either."""
        if self.keys is not other.keys and not self.keys.equals(other.keys):
            keys, _ = _number(pd.concat([self.keys, other.keys]), list(self.keys.columns))
            return self.spread_over(keys) + other.spread_over(keys)
        return Sums(self.keys, {measure: array + other[measure] for measure, array in self.arrays.items()})

    def over(self, keys: Sequence[str]) -> tuple[Sums, NDArray[np.int64]]:
        """Return the same sums by fewer keys, and where each old key went."""
        return self._fold(*_number(self.keys, keys))

    def by(self, label: NDArray[np.int64]) -> tuple[Sums, NDArray[np.int64]]:
        """Return the same sums by a label of each key, and where each key went."""
        distinct, column = np.unique(label, return_inverse=True)
        return self._fold(pd.DataFrame({"label": distinct}), column)

    def _fold(self, distinct: pd.DataFrame, column: NDArray[np.int64]) -> tuple[Sums, NDArray[np.int64]]:
        order = np.argsort(column, kind="stable")
        first = np.searchsorted(column[order], np.arange(len(distinct)))
        folded = {measure: _added_up(array[:, order], first) for measure, array in self.arrays.items()}
        return Sums(distinct, folded), column

    def shared_among(self, label: NDArray[np.int64]) -> Sums:
        """Return the same keys with the mean sums of all keys of their label."""
        folded, column = self.by(label)
        sizes = np.bincount(column)[column]
        return Sums(self.keys, {measure: array[:, column] / sizes for measure, array in folded.arrays.items()})

    def spread_over(self, keys: pd.DataFrame) -> Sums:
        """Return the same sums with exactly these keys, in that order; a key never met has sums of 0."""
        if self.keys is keys or self.keys.equals(keys[self.keys.columns]):
            return Sums(keys, self.arrays)
        column = _index(self.keys).get_indexer(_index(keys[self.keys.columns]))
        met = column >= 0
        arrays = {}
        for measure, array in self.arrays.items():
            arrays[measure] = np.zeros((GROUPS, len(keys)))
            arrays[measure][:, met] = array[:, column[met]]
        return Sums(keys, arrays)


def tally(
    keys: pd.DataFrame, group: NDArray[np.int64], key: NDArray[np.int64], **measures: NDArray[Any] | None
) -> Sums:
    """Add up measures of rows, of which group and place of the key are given; None counts the rows."""
    cell, cells = group * len(keys) + key, GROUPS * len(keys)
    added = {name: np.bincount(cell, values, cells) for name, values in measures.items()}
    return Sums(keys, {name: array.reshape(GROUPS, -1).astype(float, copy=False) for name, array in added.items()})


def every(**values: Iterable[object]) -> pd.DataFrame:
    """Return all keys that can be made of these values, as `Sums` sorts them."""
    return _every(**{name: tuple(level) for name, level in values.items()})


@lru_cache(maxsize=64)  # each batch and table asks for them
def _every(**values: tuple[object, ...]) -> pd.DataFrame:
    levels = [pd.Index(list(level)) for level in values.values()]
    places = np.indices([len(level) for level in levels]).reshape(len(levels), -1)
    return pd.DataFrame({name: level.take(place) for name, level, place in zip(values, levels, places, strict=True)})


@dataclass(frozen=True)
class Counts:
    """Rows with how many there are of each, `n`, in pieces."""

    pieces: tuple[pd.DataFrame, ...]

    @classmethod
    def of(cls, **columns: NDArray[Any]) -> Counts:
        return cls((pd.DataFrame(columns),))

    @cached_property
    def rows(self) -> pd.DataFrame:
        return add_up(pd.concat(self.pieces, ignore_index=True))

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.pieces + other.pieces)


def add_up(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row for all that differ in `n` only, with its sum."""
    others = [name for name in rows.columns if name != "n"]
    return rows.groupby(others, as_index=False).agg({"n": "sum"})


@dataclass(frozen=True)
class Measured:
    """Numbers by key: plain columns in `keys`, estimates beside them; `blocks` they rest on. `bounds` are the floor and
    ceiling of estimates that cannot lie outside; a share lies between 0 and 1."""

    keys: pd.DataFrame
    estimates: Mapping[str, Estimate]
    blocks: int
    bounds: Mapping[str, tuple[Bound, Bound]] = field(default_factory=dict)

    def columns(self, layout: Table) -> dict[str, Column]:
        """Return the columns of the layout; what was not measured is missing."""
        columns: dict[str, Column] = {}
        for column in layout.columns:
            if column.interval:
                columns.update(zip(column.names, self._numbers(column.name, column.unit == "share"), strict=True))
            elif column.unit in ("id", "count"):
                columns[column.name] = self.keys[column.name].to_numpy(np.int64)
            else:
                columns[column.name] = self._known(column.name)
        return columns

    def _known(self, name: str) -> Column:
        return self.keys[name].to_numpy() if name in self.keys else np.full(len(self.keys), np.nan)

    def _numbers(self, name: str, is_share: bool) -> tuple[Floats, Floats, Floats]:
        if name not in self.estimates:
            missing = np.full(len(self.keys), np.nan)
            return missing, missing, missing
        estimate = self.estimates[name]
        bounds = self.bounds.get(name, (0.0, 1.0) if is_share else None)
        low, high = estimate.bounded_interval(self.blocks, *bounds) if bounds else estimate.interval()
        return _settled(estimate.value), _settled(low), _settled(high)


def stack(layout: Table, measured: Sequence[Measured]) -> pd.DataFrame:
    """Stack the tables of several player counts."""
    parts = [part.columns(layout) for part in measured if len(part.keys)]
    if not parts:
        return pd.DataFrame(columns=layout.column_names)
    return pd.DataFrame({name: np.concatenate([part[name] for part in parts]) for name in layout.column_names})


def _settled(values: Floats) -> Floats:
    """Round off what the order of adding up leaves, the sign of a zero, too."""
    return np.asarray(values.round(DECIMALS) + 0.0)


def _added_up(array: Floats, first: NDArray[np.int64]) -> Floats:
    """Add up columns that stand together, each run of them from the one where it begins."""
    if not array.shape[1]:
        return np.zeros((len(array), len(first)))
    return np.asarray(np.add.reduceat(array, first, axis=1))


def _index(keys: pd.DataFrame) -> pd.Index:
    return pd.Index(keys.iloc[:, 0]) if keys.shape[1] == 1 else pd.MultiIndex.from_frame(keys)


def _number(frame: pd.DataFrame, keys: Sequence[str]) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Return the distinct keys in order, and the number of each row's key among them."""
    names = list(keys)
    if not names:
        return pd.DataFrame({"all": [0]}), np.zeros(len(frame), np.int64)
    codes, levels = zip(*(pd.factorize(frame[name], sort=True) for name in names), strict=True)
    sizes = tuple(max(len(level), 1) for level in levels)
    cell = np.ravel_multi_index(codes, sizes)
    is_met = np.zeros(np.prod(sizes), bool)
    is_met[cell] = True
    places = np.unravel_index(np.flatnonzero(is_met), sizes)
    distinct = {name: level.take(place) for name, level, place in zip(names, levels, places, strict=True)}
    return pd.DataFrame(distinct), np.asarray((np.cumsum(is_met) - 1)[cell], np.int64)
