"""Digests: SHA-256 of each block's rows. docs/runs.md describes the bytes.

Rows are digested as two-byte cells, taken from the engine's codes when a part is written, and from
Parquet when it is checked. Nothing of parts, workers or compression can show in them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ttr_sim.log import NULL, TABLES, Column

Plane = NDArray[np.int16]
Ints = NDArray[np.int64]

ROWS_AT_A_TIME = 16_384  # what fits a core's cache


class Cells(NamedTuple):
    """All cells of a table: a plane or more for each column, and behind them the texts, as offsets and bytes."""

    planes: list[Plane]
    texts: list[tuple[NDArray[np.int32], memoryview]]


def block_digests(cells: Cells, cuts: Ints) -> list[bytes]:
    """One digest a block; `cuts` are the blocks' first rows and the end of the last."""
    text_cuts = [(offsets[cuts].tolist(), data) for offsets, data in cells.texts]
    rows = cuts.tolist()
    digests = []
    for first, last in _stretches(rows):
        stretch = np.stack([plane[rows[first] : rows[last]] for plane in cells.planes])
        for block in range(first, last):
            block_cells = stretch[:, rows[block] - rows[first] : rows[block + 1] - rows[first]]
            digest = hashlib.sha256(np.ascontiguousarray(block_cells).data)
            for ends, data in text_cuts:
                digest.update(data[ends[block] : ends[block + 1]])
            digests.append(digest.digest())
    return digests


def cuts_between(games: Ints, first_games: Ints) -> Ints:
    """Where the rows of each block begin, in a table whose rows stand game by game, and where the last end."""
    return np.append(np.searchsorted(games, first_games), len(games))


def cells_of(table: str, rows: pa.Table) -> Cells:
    """The cells of rows read back."""
    cells = Cells([], [])
    for column, chunks in zip(TABLES[table], rows.columns, strict=True):
        array = _in_one_piece(chunks)
        if is_text(column):
            add_text(cells, *_text_buffers(array), _present(array))
        else:
            cells.planes.extend(planes_of(_values(column, array), _present(array)))
    return cells


def is_text(column: Column) -> bool:
    """Whether a column's values have any length: texts, and the names of bots."""
    return column.type == "text" or (column.type == "name" and not column.names)


def add_text(cells: Cells, offsets: NDArray[np.int32], data: memoryview, present: NDArray[np.bool_] | None) -> None:
    """A text's cell is its length; its bytes come behind all cells."""
    cells.planes.extend(planes_of(np.diff(offsets), present))
    cells.texts.append((offsets, data))


def planes_of(values: NDArray[np.generic], present: NDArray[np.bool_] | None) -> list[Plane]:
    """Two bytes a cell; a number of eight bytes is four cells."""
    if values.dtype.itemsize == 8:
        return list(np.ascontiguousarray(values).view(np.int16).reshape(-1, 4).T)
    cells = values.astype(np.int16, copy=False)
    return [cells if present is None else np.where(present, cells, np.int16(NULL))]


def word_cells(words: Sequence[str]) -> Plane:
    """A letter or the first two letters of a name, as UTF-8, are a word's cell: no two of a list begin alike."""
    return np.array([int.from_bytes(word.encode()[:2], "little") for word in words], np.int16)


def _stretches(rows: list[int]) -> Iterator[tuple[int, int]]:
    """Blocks a few at a time."""
    first = 0
    for last in range(1, len(rows)):
        if rows[last] - rows[first] >= ROWS_AT_A_TIME or last == len(rows) - 1:
            yield first, last
            first = last


def _in_one_piece(chunks: pa.ChunkedArray) -> pa.Array:
    array = chunks.combine_chunks()
    return pa.concat_arrays([array, array[:0]]) if array.offset else array


def _present(array: pa.Array) -> NDArray[np.bool_] | None:
    return _bits(array.buffers()[0], len(array)).astype(np.bool_) if array.null_count else None


def _bits(buffer: pa.Buffer, count: int) -> NDArray[np.uint8]:
    return np.unpackbits(np.frombuffer(buffer, np.uint8), count=count, bitorder="little")


def _values(column: Column, array: pa.Array) -> NDArray[np.generic]:
    if isinstance(array, pa.DictionaryArray):
        words = word_cells(array.dictionary.to_pylist() or [""])
        indices = _numbers(array.indices).astype(np.int64)
        return words[np.clip(indices, 0, len(words) - 1)]  # under a null any index may stand
    if column.type == "bool":
        return _bits(array.buffers()[1], len(array))
    return _numbers(array)


def _numbers(array: pa.Array) -> NDArray[np.generic]:
    numbers: NDArray[np.generic] = np.frombuffer(array.buffers()[1], array.type.to_pandas_dtype(), len(array))
    return numbers


def _text_buffers(array: pa.Array) -> tuple[NDArray[np.int32], memoryview]:
    texts = array.cast(pa.string()) if isinstance(array, pa.DictionaryArray) else array
    _, offsets, data = texts.buffers()
    return np.frombuffer(offsets, np.int32, len(texts) + 1), memoryview(data or b"")
