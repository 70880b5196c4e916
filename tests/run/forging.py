"""Forge a run: change rows, then take digests and seals anew, as someone would who wants to hide the change."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.sealed_rows import write_rows
from ttr_sim.run.digest import block_digests, cells_of, cuts_between, first_games, run_digests
from ttr_sim.run.folder import RUN_FILE, SEAL_KEY, RunFolder
from ttr_sim.run.plan import Plan

Rows = dict[str, pa.Table]


def forge_rows(path: Path, change: Callable[[Rows], Rows]) -> None:
    """Change the rows of the first part; seals, block digests and run.json's digests then fit again."""
    folder = RunFolder(path)
    plan = folder.read().plan
    files = {table: folder.file(table, 0) for table in plan.tables}
    rows = change({table: pq.read_table(file) for table, file in files.items()})
    starts = first_games(*(rows["games"][name].to_numpy() for name in ("game", "block")))
    for table, file in files.items():
        digests = block_digests(cells_of(table, rows[table]), cuts_between(rows[table]["game"].to_numpy(), starts))
        metadata = {**metadata_of(file), "block_digests": b64encode(digests).decode()}
        write_rows(rows[table], file, metadata)
    retake_digests(path)


def retake_digests(path: Path) -> None:
    folder = RunFolder(path)
    record = folder.read()
    digest, digest_turns = run_digests(folder, record.plan, record.size.parts)
    forge_record(path, digest=digest, digest_turns=digest_turns)


def forge_record(path: Path, **values: Any) -> None:
    """Change fields of run.json."""
    file = path / RUN_FILE
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), **values}), "utf-8")


def forge_plan(path: Path, **values: Any) -> None:
    """Change fields of the plan wherever it stands: in run.json and, by its hash, in every file."""
    record = json.loads((path / RUN_FILE).read_text("utf-8"))
    fields = {**record["plan"], **values}
    plan = Plan(**{**fields, "bots": tuple(fields["bots"])})
    for table in plan.tables:
        for file in (path / table).glob("*.parquet"):
            write_rows(pq.read_table(file), file, {**metadata_of(file), "plan": plan.hash})
    forge_record(path, plan=plan.to_json(), plan_hash=plan.hash)


def set_cell(rows: Rows, table: str, column: str, change: Callable[[Any], Any], row: int = 0) -> Rows:
    """Change one cell."""
    values = rows[table][column].to_pylist()
    values[row] = change(values[row])
    return _with_column(rows, table, column, values)


def first_row(rows: Rows, table: str, column: str) -> int:
    """Return the first row that is not null in this column."""
    return next(row for row, value in enumerate(rows[table][column].to_pylist()) if value is not None)


def _with_column(rows: Rows, table: str, column: str, values: list[Any]) -> Rows:
    old = rows[table]
    kind = old.schema.field(column).type
    is_named = pa.types.is_dictionary(kind)
    made = pa.array(values, kind.value_type).dictionary_encode() if is_named else pa.array(values, kind)
    return {**rows, table: _replaced(old, column, made.cast(kind))}


def _replaced(rows: pa.Table, column: str, values: Any) -> pa.Table:
    place = rows.schema.get_field_index(column)
    return rows.set_column(place, rows.schema.field(place), values)


def metadata_of(file: Path) -> dict[str, str]:
    stored = pq.read_metadata(file).metadata
    own = {key.decode(): value.decode() for key, value in stored.items() if not key.startswith(b"ARROW")}
    own.pop(SEAL_KEY)
    return own
