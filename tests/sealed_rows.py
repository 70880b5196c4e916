"""Arrow's rows as a file of a run, for tests that make up a log or change one."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ttr_sim.run.tables import parquet_bytes, schema_of, table_digest


def write_rows(rows: pa.Table, path: Path, metadata: dict[str, str]) -> None:
    """Write a part's file whose digest fits its rows, as far as they have the columns of a log."""
    table = path.parent.name
    if rows.schema.equals(schema_of(table)):
        metadata = {**metadata, "digest": table_digest(table, rows)}
    path.write_bytes(parquet_bytes(table, rows, metadata))  # `write_whole` waits for the disk
