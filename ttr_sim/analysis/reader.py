"""A run folder to analyze: its edition, its record, and its finished parts, each byte of them checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pyarrow.parquet as pq

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.run.finished import finished_parts
from ttr_sim.run.folder import Record, RunFolder
from ttr_sim.run.parts import part_file_name
from ttr_sim.run.plan import Plan


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder with its finished parts."""

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
    edition = _edition_of(folder, record.plan)

    def refuse(note: str) -> NoReturn:
        raise UserError(f"{note} by `{folder.resume_command}`")

    finished = finished_parts(folder, record.plan, record.size.parts, refuse)
    parts = tuple(part_file_name(number) for number in sorted(finished.numbers))
    games = tuple(pq.read_metadata(folder.path / "games" / part).num_rows for part in parts)
    return Run(folder.path, edition, record, parts, games)


def _edition_of(folder: RunFolder, plan: Plan) -> Edition:
    try:
        edition = load_edition(folder.edition)
    except UserError as error:
        raise UserError(f"{folder.edition} is missing or damaged: the games cannot be read without it") from error
    if edition.fingerprint != plan.fingerprint:
        raise UserError(f"{folder.edition} was changed since the games were played; they cannot be read against it")
    return edition
