"""The parts a folder already holds: each byte checked, nothing dropped, nothing foreign taken in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ttr_sim.errors import UserError
from ttr_sim.log import TABLES
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.parts import part_file_name
from ttr_sim.run.plan import Plan
from ttr_sim.run.sealed import BrokenSealError, read_metadata


@dataclass(frozen=True, slots=True)
class Finished:
    numbers: frozenset[int]
    games: int


def finished_parts(folder: RunFolder, plan: Plan, parts: int, note: Callable[[str], None]) -> Finished:
    """Parts with all their tables in order; a part with a file missing is played again, and that is told."""
    _refuse_strangers(folder, plan, parts)
    numbers, games = set(), 0
    for number in range(parts):
        files = {table: folder.file(table, number) for table in plan.tables}
        missing = [file for file in files.values() if not file.is_file()]
        if not missing:
            games += [_games_of(file, table, number, plan) for table, file in files.items()][-1]
            numbers.add(number)
        elif files["games"] not in missing:
            note(f"{missing[0]} is missing; part {number} is played again")
    return Finished(frozenset(numbers), games)


def sweep(folder: RunFolder) -> None:
    """Remove what a killed run was writing."""
    for unfinished in [*folder.path.glob(".*.tmp"), *folder.path.glob("*/.*.tmp")]:
        unfinished.unlink(missing_ok=True)


def _refuse_strangers(folder: RunFolder, plan: Plan, parts: int) -> None:
    """Readers take every Parquet file of a table's folder, so each must be one of the plan's."""
    expected = {part_file_name(number) for number in range(parts)}
    for table in TABLES:
        known = expected if table in plan.tables else set()
        for file in sorted((folder.path / table).glob("*.parquet")):
            if file.name not in known:
                raise UserError(f"{file} is not part of this run's plan; move it out of the folder, then run again")


def _games_of(file: Path, table: str, number: int, plan: Plan) -> int:
    try:
        metadata = read_metadata(file)
    except BrokenSealError:
        raise UserError(
            f"{file} is damaged (cut short or changed since it was written); "
            "delete it and run again: only its part is played anew"
        ) from None
    if (metadata["plan"], metadata["table"], metadata["part"]) != (plan.hash, table, str(number)):
        raise UserError(
            f"{file} belongs to another plan or place (plan {metadata['plan'][:8]}, part {metadata['part']} of "
            f"{metadata['table']}); move it out of the folder and run again"
        )
    return int(metadata["games"])
