"""Arrow's rows as a file of a run, for tests that make up a log or change one."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim.run.folder import NO_SEAL, SEAL_KEY, write_sealed


def write_rows(rows: pa.Table, path: Path, metadata: dict[str, str]) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(rows.replace_schema_metadata({**metadata, SEAL_KEY: NO_SEAL}), sink, compression="zstd")
    write_sealed(bytearray(sink.getvalue()), path)
