"""One Parquet file of a part: written whole or not at all, and sealed.

The seal is a SHA-256 over all other bytes of the file, kept in its footer: a flipped byte anywhere
is found without reading a single row.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

SEAL_KEY = "ttr_sim_seal"
NO_SEAL = "0" * 64
# Key and value as Parquet's footer spells them: the value is a string (18) of 64 bytes (40).
SEAL = re.compile(SEAL_KEY.encode() + rb"\x18\x40([0-9a-f]{64})")
COMPRESSION_LEVEL = 3
PLAIN_COLUMNS = {"game", "turn", "score"}  # numbers that run on are smaller without a dictionary
FILTERED_COLUMNS = ["game"]  # readers skip files by its range; statistics of all columns would cost a third more


class BrokenSealError(Exception):
    """The file is not what was once written."""


def write_sealed(rows: pa.Table, path: Path, metadata: dict[str, str]) -> int:
    """Returns the number of bytes."""
    data = _seal(_parquet_bytes(rows, metadata))
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
    return len(data)


def read_metadata(path: Path) -> dict[str, str]:
    """The file's own metadata, after every byte of it was checked."""
    data = path.read_bytes()
    _check_seal(data)
    stored = pq.read_metadata(pa.BufferReader(data)).metadata
    return {key.decode(): value.decode() for key, value in stored.items()}


def _parquet_bytes(rows: pa.Table, metadata: dict[str, str]) -> bytes:
    sink = pa.BufferOutputStream()
    how = {
        "compression": "zstd",
        "compression_level": COMPRESSION_LEVEL,
        "write_statistics": FILTERED_COLUMNS,
        "use_dictionary": [name for name in rows.column_names if name not in PLAIN_COLUMNS],
    }
    with pq.ParquetWriter(sink, rows.schema, **how) as writer:
        writer.write_table(rows, row_group_size=max(1, len(rows)))
        writer.add_key_value_metadata({**metadata, SEAL_KEY: NO_SEAL})
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _seal(data: bytes) -> bytes:
    start, end = _seal_place(data)
    return data[:start] + hashlib.sha256(data).hexdigest().encode() + data[end:]


def _check_seal(data: bytes) -> None:
    start, end = _seal_place(data)
    digest = hashlib.sha256(data[:start])
    digest.update(NO_SEAL.encode())
    digest.update(memoryview(data)[end:])
    if digest.hexdigest().encode() != data[start:end]:
        raise BrokenSealError


def _seal_place(data: bytes) -> tuple[int, int]:
    found = SEAL.match(data, max(0, data.rfind(SEAL_KEY.encode())))
    if found is None:
        raise BrokenSealError
    return found.span(1)
