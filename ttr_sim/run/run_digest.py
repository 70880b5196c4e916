"""The digests of a whole run: put together from its blocks' digests, and checked against the rows."""

from __future__ import annotations

import hashlib
from base64 import b64decode
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim.run.digest import Ints, block_digests, cells_of, cuts_between
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.parts import part_file_name
from ttr_sim.run.plan import FULL, Plan
from ttr_sim.run.tables import schema_of
from ttr_sim.run.workers import first_games

RESULT_TABLES = ("games", "seats", "tickets")


def run_digests(folder: RunFolder, plan: Plan, parts: int) -> tuple[str, str | None]:
    """`digest` and `digest_turns` of run.json."""
    results = hashlib.sha256()
    for table in RESULT_TABLES:
        results.update(_table_digest(folder, table, parts))
    turns = _table_digest(folder, "turns", parts).hex() if plan.log == FULL else None
    return results.hexdigest(), turns


def _table_digest(folder: RunFolder, table: str, parts: int) -> bytes:
    digest = hashlib.sha256()
    for number in range(parts):
        digest.update(stored_digests(folder.file(table, number)))
    return digest.digest()


def stored_digests(file: Path) -> bytes:
    """The digests of a part's blocks, one behind the other."""
    return b64decode(pq.read_metadata(file).metadata[b"block_digests"])


def check_digests(path: Path, jobs: int = 1) -> tuple[str, ...]:
    """Every file whose rows are not those that were digested, in words; nothing when all is well."""
    from joblib import Parallel, delayed

    folder = RunFolder(path)
    record = folder.read()
    parts = range(record.size.parts)
    found = Parallel(jobs, backend="threading", batch_size=1)(
        delayed(_check_part)(folder, record.plan, number) for number in parts
    )
    problems = tuple(problem for of_part in found for problem in of_part)
    if problems:
        return problems
    if (record.digest, record.digest_turns) != run_digests(folder, record.plan, record.size.parts):
        return (f"{path / 'run.json'}: the digest is not that of the parts",)
    return ()


def _check_part(folder: RunFolder, plan: Plan, number: int) -> list[str]:
    try:
        rows = {table: _read(folder.file(table, number), table) for table in plan.tables}
        starts = first_games(*(rows["games"][name].to_numpy() for name in ("game", "block")))
    except (OSError, pa.ArrowException, KeyError) as error:
        return [f"{part_file_name(number)} cannot be read: {_first_line(error)}"]
    return list(_mismatches(folder, rows, starts, number))


def _mismatches(folder: RunFolder, rows: dict[str, pa.Table], starts: Ints, number: int) -> Iterable[str]:
    for table, entries in rows.items():
        file = folder.file(table, number)
        digests = block_digests(cells_of(table, entries), cuts_between(entries["game"].to_numpy(), starts))
        if b"".join(digests) != stored_digests(file):
            yield f"{file}: the rows are not those that were written"


def _read(file: Path, table: str) -> pa.Table:
    return pq.read_table(file, use_threads=False, schema=schema_of(table))


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
