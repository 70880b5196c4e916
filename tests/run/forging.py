"""Forge a run: change rows, then take checksums and digests anew, as someone would who wants to hide the change."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.sealed_rows import write_rows
from ttr_sim.errors import UserError
from ttr_sim.run.folder import RUN_FILE, BrokenFileError, RunFolder, checksum
from ttr_sim.run.plan import Plan

Rows = dict[str, pa.Table]


def forge_rows(path: Path, change: Callable[[Rows], Rows]) -> None:
    """Change the rows of the first part; checksums and digests then fit again."""
    folder = RunFolder(path)
    files = {table: folder.file(table, 0) for table in folder.read().plan.tables}
    rows = change({table: pq.read_table(file) for table, file in files.items()})
    for table, file in files.items():
        write_rows(rows[table].replace_schema_metadata(None), file, metadata_of(file))
    take_digests_anew(path)


def take_digests_anew(path: Path) -> None:
    folder = RunFolder(path)
    try:
        record = folder.read()
    except UserError:  # the plan itself is forged beyond reading
        return
    checksums = {
        table: [checksum(folder.file(table, number).read_bytes()) for number in range(record.size.parts)]
        for table in record.plan.tables
    }
    try:
        digest, digest_turns = folder.digests(record)
    except (BrokenFileError, KeyError, ValueError):
        digest, digest_turns = record.digest or "", record.digest_turns
    forge_record(path, digest=digest, digest_turns=digest_turns, checksums=checksums)


def forge_record(path: Path, **values: Any) -> None:
    """Change fields of run.json."""
    file = path / RUN_FILE
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), **values}), "utf-8")


def forge_plan(path: Path, **values: Any) -> None:
    """Change fields of the plan wherever it stands: in run.json and, by its hash, in every file."""
    record = json.loads((path / RUN_FILE).read_text("utf-8"))
    fields = {**record["plan"], **values}
    plan = Plan(**{**fields, "bots": tuple(fields["bots"]), "one_of": tuple(fields["one_of"])})
    for table in plan.tables:
        for file in (path / table).glob("*.parquet"):
            write_rows(pq.read_table(file), file, {**metadata_of(file), "plan": plan.hash})
    forge_record(path, plan=plan.to_json(), plan_hash=plan.hash)
    take_digests_anew(path)


def set_cell(rows: Rows, table: str, column: str, change: Callable[[Any], Any], row: int = 0) -> Rows:
    """Change one cell."""
    old = rows[table]
    values = old[column].to_pylist()
    values[row] = change(values[row])
    kind = old.schema.field(column).type
    is_named = pa.types.is_dictionary(kind)
    made = pa.array(values, kind.value_type).dictionary_encode() if is_named else pa.array(values, kind)
    place = old.schema.get_field_index(column)
    return {**rows, table: old.set_column(place, old.schema.field(place), made.cast(kind))}


def metadata_of(file: Path) -> dict[str, str]:
    stored = pq.read_metadata(file).metadata
    return {key.decode(): value.decode() for key, value in stored.items() if not key.startswith(b"ARROW")}
