"""Columns of the log's Parquet files as arrays, without a pandas object for each.

Numbers are as they are, with NaN where there may be none; flags are 0, 1 or UNKNOWN; words are places in a list, or
themselves, and empty where there are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ttr_sim.analysis.queries import unreadable
from ttr_sim.log import ACTION_NAMES, END_NAMES
from ttr_sim.run.opened import Run

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Column = NDArray[Any]
Columns = dict[str, Column]

UNKNOWN = -1
WORDS: Mapping[str, Sequence[str]] = {"end": END_NAMES, "action": ACTION_NAMES}


def read_file(run: Run, file: Path, names: Iterable[str]) -> pa.Table:
    try:
        with pq.ParquetFile(
            file, pre_buffer=False
        ) as parquet:  # to read ahead takes a tenth longer where files are small
            return parquet.read(list(names), use_threads=False)
    except (OSError, pa.ArrowException) as error:
        raise unreadable(run, error) from error


def read_columns(run: Run, table: str, names: Sequence[str], words: Mapping[str, Sequence[str]] = WORDS) -> Columns:
    """Return columns of all parts of a run."""
    parts = [read_file(run, file, names) for file in run.files(table)]
    together = pa.concat_tables(parts).unify_dictionaries().combine_chunks()
    return {name: as_array(together[name], words.get(name)) for name in names}


def as_array(column: pa.ChunkedArray, words: Sequence[str] | None = None) -> Column:
    values = column.combine_chunks()
    if isinstance(values, pa.DictionaryArray):
        known = values.dictionary.to_pylist()
        named = [words.index(word) for word in known] + [UNKNOWN] if words else [*known, ""]
        return np.asarray(np.array(named)[values.indices.fill_null(UNKNOWN).to_numpy()])  # what is null comes last
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.int8()).fill_null(UNKNOWN)
    return np.asarray(values.to_numpy(zero_copy_only=False))


def columns_where(known: str, rows: pa.Table, names: Sequence[str]) -> Columns:
    """Return those columns that there are, of the rows in which one of them is known."""
    if known not in rows.column_names:
        return {"game": np.zeros(0, np.int64)}
    nulls = rows[known].null_count
    at = np.flatnonzero(rows[known].is_valid().to_numpy())
    return {
        name: _plain(rows[name] if rows[name].null_count in (0, nulls) else rows[name].fill_null(0))[at]
        for name in names
        if name in rows.column_names
    }


def _plain(column: pa.ChunkedArray) -> Column:
    """Return what a column holds, with anything where it is null: that takes no time."""
    values = column.combine_chunks()
    without_nulls = pa.Array.from_buffers(values.type, len(values), [None, values.buffers()[1]], 0, values.offset)
    return np.asarray(without_nulls.to_numpy(zero_copy_only=False))


def chosen_columns(columns: Mapping[str, Column], chosen: Flags | Ints) -> Columns:
    if chosen.dtype == bool:
        if chosen.all():
            return dict(columns)
        chosen = np.flatnonzero(chosen)  # once, not for each column
    return {name: values[chosen] for name, values in columns.items()}


def joined_columns(pieces: Sequence[Columns]) -> Columns:
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


def with_places(columns: Columns, numbers: Ints) -> Columns:
    """Return rows with the place of their game among those of these numbers, which ascend, without those of others."""
    game = columns["game"]
    if len(numbers) and numbers[-1] - numbers[0] + 1 == len(numbers):
        place = game - numbers[0]
        is_one = (place >= 0) & (place < len(numbers))
    else:  # a part is missing, or games are left out
        place = np.searchsorted(numbers, game)
        is_one = np.append(numbers, UNKNOWN)[place] == game
    found = {**columns, "game": place}
    return found if is_one.all() else chosen_columns(found, is_one)
