"""Digests: SHA-256 of each block's rows, and of a run. docs/runs.md describes the bytes.

They are taken from Arrow tables, so the same code digests rows about to be written and rows read
back, and nothing of parts, workers or compression can show in them.
"""

from __future__ import annotations

import hashlib
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ttr_sim.log import TABLES, Column

Bytes = NDArray[np.uint8]
Firsts = NDArray[np.int64]

NUMPY_TYPES = {"int64": "<i8", "int16": "<i2", "int8": "i1", "uint8": "u1", "bool": "u1", "float64": "<f8"}
LENGTH = "<u2"


def block_digests(table: str, rows: pa.Table, first_games: Firsts) -> list[bytes]:
    """One digest a block; `first_games` are the first game of each block, in order."""
    fixed, texts = _row_bytes(table, rows)
    games = fixed["game"]
    cuts = np.append(np.searchsorted(games, first_games), len(games)).tolist()
    packed = fixed.view(np.uint8).data
    width = fixed.dtype.itemsize
    digests = []
    for start, end in pairwise(cuts):
        digest = hashlib.sha256(packed[start * width : end * width])
        for offsets, data in texts:
            digest.update(data[offsets[start] : offsets[end]])
        digests.append(digest.digest())
    return digests


def _row_bytes(table: str, rows: pa.Table) -> tuple[NDArray[np.void], list[tuple[NDArray[np.int32], memoryview]]]:
    """The fixed-width part of each row, and the texts behind it."""
    fields: list[tuple[str, str]] = []
    cells: list[NDArray[np.generic]] = []
    texts = []
    for column, chunks in zip(TABLES[table], rows.columns, strict=True):
        array = _in_one_piece(chunks)
        present = _present(array)
        if column.nullable:
            fields.append((f"{column.name} present", "u1"))
            cells.append(present)
        if column.type == "text" or (column.type == "name" and not column.names):
            offsets, data = _text_buffers(array)
            texts.append((offsets, data))
            values: NDArray[np.generic] = np.diff(offsets)
            fields.append((column.name, LENGTH))
        else:
            values = _values(column, array)
            fields.append((column.name, values.dtype.str))
        cells.append(_blanked(values, present) if array.null_count else values)
    fixed = np.empty(len(rows), fields)
    for (name, _), values in zip(fields, cells, strict=True):
        fixed[name] = values
    return fixed, texts


def _in_one_piece(chunks: pa.ChunkedArray) -> pa.Array:
    array = chunks.combine_chunks()
    if isinstance(array, pa.ChunkedArray):  # no rows at all
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], chunks.type)
    return pa.concat_arrays([array, array[:0]]) if array.offset else array


def _present(array: pa.Array) -> Bytes:
    if not array.null_count:
        return np.ones(len(array), np.uint8)
    return _bits(array.buffers()[0], len(array))


def _bits(buffer: pa.Buffer, count: int) -> Bytes:
    return np.unpackbits(np.frombuffer(buffer, np.uint8), count=count, bitorder="little")


def _values(column: Column, array: pa.Array) -> NDArray[np.generic]:
    if isinstance(array, pa.DictionaryArray):
        return _word_bytes(column, array)
    if column.type == "bool":
        return _bits(array.buffers()[1], len(array))
    return np.frombuffer(array.buffers()[1], NUMPY_TYPES[column.type], len(array))


def _word_bytes(column: Column, array: pa.DictionaryArray) -> NDArray[np.bytes_]:
    """Names as UTF-8, zero-padded to the longest name the column knows."""
    width = max((len(name.encode()) for name in column.names), default=1)
    words = np.array([*(word.encode() for word in array.dictionary.to_pylist()), b""], f"S{width}")
    indices = array.indices
    codes = np.frombuffer(indices.buffers()[1], indices.type.to_pandas_dtype(), len(array))
    return words[np.where(_present(array), codes, -1)]


def _blanked(values: NDArray[np.generic], present: Bytes) -> NDArray[np.generic]:
    """Zero under every null: what stands in memory there is nobody's."""
    if values.dtype.kind == "S":
        return values
    blanked: NDArray[np.generic] = values * present.astype(values.dtype)
    return blanked


def _text_buffers(array: pa.Array) -> tuple[NDArray[np.int32], memoryview]:
    texts = array.cast(pa.string()) if isinstance(array, pa.DictionaryArray) else array
    _, offsets, data = texts.buffers()
    if not len(texts):
        return np.zeros(1, np.int32), memoryview(b"")
    return np.frombuffer(offsets, np.int32, len(texts) + 1), memoryview(data or b"")
