"""From the engine's codes to a Parquet file, without a Python object per row."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ttr_sim.log import NULL, Column
from ttr_sim.run.parquet import encodings, files
from ttr_sim.run.parquet.encodings import Encoded, Flags
from ttr_sim.run.parquet.files import Kind
from ttr_sim.run.tables import Codes, Entries, Words, schema_of

KINDS = {
    "bool": Kind(0),
    "int8": Kind(1, 15),
    "int16": Kind(1, 16),
    "int32": Kind(1, 17),
    "uint8": Kind(1, 11),
    "int64": Kind(2, 18),
    "float64": Kind(5),
}
TEXT = Kind(6, 0)

Whole = TypeVar("Whole", bound="np.signedinteger[Any]")


def table_file(table: str, entries: Entries, words: Words, metadata: Mapping[str, str]) -> bytearray:
    columns = [
        _host_column(column, entries) if column.name in entries.host else _column(column, codes, entries, words)
        for column, codes in zip(entries.columns, entries.log.numbers, strict=True)
    ]
    return files.file_bytes(columns, len(entries.host["game"]), {**metadata, "ARROW:schema": _arrow_schema(table)})


@cache
def _arrow_schema(table: str) -> str:
    """Return what tells Arrow to leave words in a dictionary."""
    return b64encode(schema_of(table).serialize()).decode()


def _host_column(column: Column, entries: Entries) -> files.Column:
    if column.type != "int64":
        return files.Column(column.name, KINDS[column.type], encodings.plain(entries.host[column.name]))
    ids = entries.host_ids(column.name)
    # Readers skip files by the bounds of ids; those of every column would cost a third more bytes.
    bounds = (ids.min().tobytes(), ids.max().tobytes()) if len(ids) else None
    return files.Column(column.name, KINDS["int64"], encodings.differences(ids), bounds=bounds)


def _column(column: Column, codes: Codes, entries: Entries, words: Words) -> files.Column:
    present = codes != NULL if column.nullable else None
    if column.type == "text":
        encoded = encodings.texts(_texts(*entries.log.texts[column.name], present))
    else:
        encoded = _encoded(column, _without_nulls(codes, present), words)
    return files.Column(column.name, KINDS.get(column.type, TEXT), encoded, present)


def _texts(offsets: NDArray[np.int32], letters: NDArray[np.uint8], present: Flags | None) -> pa.StringArray:
    starts = _without_nulls(offsets[:-1], present)  # a null has no letters
    ends = np.append(starts, offsets[-1:])
    return pa.StringArray.from_buffers(len(starts), pa.py_buffer(ends), pa.py_buffer(letters))


def _encoded(column: Column, values: Codes, words: Words) -> Encoded:
    if column.type == "bool":
        return encodings.flags(values == 1)
    if column.type in {"name", "letter"}:
        return encodings.words(words.indices(column, values), words.behind(column))
    return encodings.numbers(values)


def _without_nulls(values: NDArray[Whole], present: Flags | None) -> NDArray[Whole]:
    # Seven times as fast as values[present], which jumps at each row.
    return values if present is None else np.compress(present, values)
