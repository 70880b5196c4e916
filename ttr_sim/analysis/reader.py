"""Run folders on disk: what run.json tells, which parts are finished, and whether they are sound."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim import log
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.run.folder import Record, RunFolder
from ttr_sim.run.plan import Plan
from ttr_sim.run.sealed import BrokenSealError, read_metadata


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder with its finished parts; a part is finished when its games are there."""

    path: Path
    edition: Edition
    record: Record
    parts: tuple[str, ...]
    games_by_part: tuple[int, ...]

    @property
    def plan(self) -> Plan:
        return self.record.plan

    @property
    def games(self) -> int:
        return sum(self.games_by_part)

    def files(self, table: str, parts: Sequence[str]) -> list[Path]:
        return [self.path / table / part for part in parts]


def open_run(path: str | Path) -> Run:
    """Read what there is; a folder that is no run, or a damaged one, is refused in a sentence."""
    folder = RunFolder(Path(path))
    record = folder.read()
    edition = load_edition(folder.edition)
    if edition.fingerprint != record.plan.fingerprint:
        raise UserError(f"{folder.edition} was changed since the games were played; they cannot be read against it")
    parts = tuple(sorted(file.name for file in (folder.path / "games").glob("part-*.parquet")))
    with ThreadPoolExecutor() as pool:
        games = tuple(pool.map(lambda part: _check_part(folder, part, record.plan.tables), parts))
    return Run(folder.path, edition, record, parts, games)


def damaged(folder: RunFolder, what: str) -> UserError:
    """The sentence for a part that cannot be read, with what to do."""
    return UserError(
        f"{what} is missing or damaged; delete what is left of it, and `{folder.resume_command}` plays it again"
    )


def _check_part(folder: RunFolder, part: str, tables: Sequence[str]) -> int:
    """Every table of the part is sound and has the log's columns; returns its number of games."""
    return {table: _checked_rows(folder, table, part) for table in tables}["games"]


def _checked_rows(folder: RunFolder, table: str, part: str) -> int:
    file = folder.path / table / part
    try:
        read_metadata(file)
        footer = pq.read_metadata(file)
    except (OSError, BrokenSealError, pa.ArrowException) as error:
        raise damaged(folder, str(file)) from error
    names = set(footer.schema.to_arrow_schema().names)
    lacking = [column.name for column in log.TABLES[table] if column.name not in names]
    if lacking:
        raise UserError(f'{file} is not the log of a run: it lacks the column "{lacking[0]}"')
    return int(footer.num_rows)
