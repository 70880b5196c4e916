"""Digests of decoded rows: as the docs describe them, whatever the file looks like and whoever played them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.run.conftest import digests, play
from tests.run.forging import forge_record, forge_rows, set_cell
from ttr_sim.log import TABLES, Column
from ttr_sim.run.folder import checksum, read_metadata
from ttr_sim.run.read import check_files, open_run
from ttr_sim.run.tables import table_digest
from ttr_sim.run.workers import Pool, ThisMachine, Work


def by_the_docs(table: str, rows: list[dict[str, Any]]) -> str:
    """The digest computed from plain Python values, as docs/runs.md says."""
    digest = hashlib.sha256()
    for column in TABLES[table]:
        values = [row[column.name] for row in rows]
        if column.type == "text" or (column.type == "name" and not column.names):
            texts = [None if value is None else value.encode() for value in values]
            digest.update(np.array([-1 if text is None else len(text) for text in texts], "<i4").tobytes())
            digest.update(b"".join(text for text in texts if text is not None))
            continue
        kind = {"int32": "<i4", "int64": "<i8", "float64": "<f8", "letter": "<i4"}.get(column.type, "<i2")
        if column.type == "name":
            values = [None if value is None else column.names.index(value) for value in values]
        if column.type == "letter":
            values = [None if value is None else ord(value) for value in values]
        cells = [np.iinfo(kind).min if value is None else value for value in values]
        digest.update(np.array(cells, kind).tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("edition", ["usa", "amsterdam", "first_journey"])
def test_digests_are_as_the_docs_say(tmp_path: Path, edition: str, table: str) -> None:
    play(tmp_path / "run", edition=edition, games=12)
    file = tmp_path / "run" / table / "part-00000.parquet"
    assert read_metadata(file)["digest"] == by_the_docs(table, pq.read_table(file).to_pylist())


def another(column: Column, value: Any) -> Any:
    if column.type == "bool":
        return value is not True
    if column.type in {"name", "letter", "text"}:
        return next(word for word in (*column.names, "r", "b") if word != value)
    if column.type == "float64":
        return value + 1
    return 1 if value is None else value ^ 1


@pytest.mark.parametrize("table", TABLES)
def test_a_change_in_any_column_changes_the_digest(played: Path, table: str) -> None:
    rows = pq.read_table(played / table / "part-00000.parquet")
    before = table_digest(table, rows)
    for place, column in enumerate(TABLES[table]):
        values = rows[column.name].to_pylist()
        values[len(rows) // 2] = another(column, values[len(rows) // 2])
        kind = rows.schema.field(column.name).type
        changed = rows.set_column(place, column.name, pa.array(values).cast(kind))
        assert table_digest(table, changed) != before, column.name


def test_the_file_format_leaves_no_trace(copy_of_played: Path) -> None:
    file = copy_of_played / "turns" / "part-00001.parquet"
    rows, stored = pq.read_table(file), read_metadata(file)["digest"]
    pq.write_table(rows, file, compression="none", use_dictionary=False, row_group_size=100)
    assert table_digest("turns", pq.read_table(file)) == stored


def test_run_json_has_a_checksum_of_each_file(played: Path) -> None:
    assert check_files(open_run(played), 2) == ()
    record = open_run(played).record
    for table in TABLES:
        for number in range(record.size.parts):
            content = (played / table / f"part-{number:05d}.parquet").read_bytes()
            assert record.checksum(table, number) == checksum(content)


def test_an_audit_decodes_the_rows(copy_of_played: Path) -> None:
    """Checksums fit, but the digest in the footer is that of other rows."""
    file = copy_of_played / "seats" / "part-00000.parquet"
    digest = read_metadata(file)["digest"]
    forge_rows(copy_of_played, lambda rows: set_cell(rows, "seats", "score", lambda score: score + 1))
    rows, metadata = pq.read_table(file), {**read_metadata(file), "digest": digest}
    metadata.pop("ARROW:schema")
    pq.write_table(rows.replace_schema_metadata(metadata), file)
    record = json.loads((copy_of_played / "run.json").read_text())
    record["checksums"]["seats"][0] = checksum(file.read_bytes())
    forge_record(copy_of_played, checksums=record["checksums"])
    (problem,) = check_files(open_run(copy_of_played), 1)
    assert problem == f"{file}: the rows are not those that were written"


@dataclass(frozen=True)
class InProcesses(ThisMachine):
    """Plays by processes what threads could play."""

    def pool(self, work: Work[Any, Any]) -> Pool[Any, Any]:
        return ThisMachine(self.jobs).pool(replace(work, in_threads=False))


@pytest.mark.parametrize("workers", [ThisMachine(2), InProcesses(1), InProcesses(2)])
def test_workers_do_not_show(played: Path, tmp_path: Path, workers: ThisMachine) -> None:
    record = play(tmp_path / "run", workers=workers)
    assert record.sessions[0].backend == ("processes" if isinstance(workers, InProcesses) else "threads")
    assert digests(tmp_path / "run") == digests(played)


def test_other_rows_and_fewer_tables_show(played: Path, tmp_path: Path) -> None:
    play(tmp_path / "other", seed=2)
    assert not {*digests(tmp_path / "other")} & {*digests(played)}
    play(tmp_path / "results", log="results")
    assert digests(tmp_path / "results") == (digests(played)[0], None)
    assert not (tmp_path / "results" / "turns").exists()
