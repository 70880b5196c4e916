"""Compare a run's files with its plan.

No rule of the game notices a block that was left out, doubled or replaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ttr_sim.edition import load_edition
from ttr_sim.edition.rules import overrides_of
from ttr_sim.errors import UserError
from ttr_sim.run.folder import (
    BrokenFileError,
    RunFolder,
    finished_parts,
    read_metadata,
    rows_digest,
    run_digests,
    stored_digests,
)
from ttr_sim.run.lineups import Part, distinct_bots, parts_of, seat_blocks, size_of
from ttr_sim.run.read import Run
from ttr_sim.run.record import Record


class Discrepancy(NamedTuple):
    """Difference from the plan and the first affected game."""

    game: int | None
    message: str


def check_files(run: Run, jobs: int) -> tuple[str, ...]:
    """List problems with files and digests."""
    from joblib import Parallel, delayed

    missing: list[str] = []
    try:
        finished_parts(run.folder, run.record, missing.append)
    except UserError as error:
        return (str(error),)
    if missing:
        return tuple(missing)
    decoded = Parallel(jobs, backend="threading", batch_size=1)(
        delayed(_row_problems)(run.folder, run.record, number) for number in range(run.record.size.parts)
    )
    problems = tuple(problem for of_part in decoded for problem in of_part)
    stored = (run.record.digest, run.record.digest_turns)
    if not problems and run_digests(stored_digests(run.folder, run.record), run.plan) != stored:
        return (f"{run.path / 'run.json'}: the digest does not match the parts",)
    return problems


def _row_problems(folder: RunFolder, record: Record, number: int) -> list[str]:
    problems = []
    for table in record.plan.tables:
        file = folder.file(table, number)
        try:
            if rows_digest(table, file.read_bytes()) != read_metadata(file)["digest"]:
                problems.append(f"{file}: the rows are not those that were written")
        except (BrokenFileError, OSError, KeyError) as error:
            problems.append(f"{file} cannot be read: {error}")
    return problems


def check_plan(run: Run) -> list[Discrepancy]:
    """Compare the record, the edition and every part's games, seats and lineups with the plan."""
    found = [Discrepancy(None, message) for message in _record_problems(run)]
    return found or [problem for part in parts_of(run.plan, run.record.size) for problem in _part_problems(run, part)]


def _record_problems(run: Run) -> Iterator[str]:
    plan, record = run.plan, run.record
    size = record.size
    # A run may have grown, but it is never smaller than its plan.
    if size.games < plan.games or size != size_of(plan, record.requested_games):
        yield f"run.json names {size.games:,} games in {size.blocks:,} blocks, not those of its plan"
    if plan.edition != run.edition.name:
        yield f"run.json names the edition {plan.edition}, but the folder's edition is {run.edition.name}"
    if load_edition(run.folder.edition, overrides_of(record.settings)).fingerprint != run.edition.fingerprint:
        yield "the folder's edition was not played with the --set values that run.json names"


def _part_problems(run: Run, part: Part) -> Iterator[Discrepancy]:
    players = run.plan.players
    seating = seat_blocks(run.plan, part.first_block, part.blocks)
    games = pq.read_table(run.folder.file("games", part.number), columns=["game", "deal", "block", "players"])
    seats = pq.read_table(run.folder.file("seats", part.number), columns=["game", "seat", "bot"])
    numbers = part.first_game + np.arange(part.games)
    names = np.array(distinct_bots(run.plan), object)[seating.bots].ravel()
    expected = (
        ("games.game", games["game"], numbers),
        ("games.deal", games["deal"], seating.deals),
        ("games.block", games["block"], seating.deals),
        ("games.players", games["players"], np.full(part.games, players)),
        ("seats.game", seats["game"], np.repeat(numbers, players)),
        ("seats.seat", seats["seat"], np.tile(np.arange(players), part.games)),
        ("seats.bot", seats["bot"].cast(pa.string()), names),
    )
    for column, stored, wanted in expected:
        rows_a_game = players if column.startswith("seats") else 1
        yield from _difference(stored.to_numpy(), wanted, column, part.first_game, rows_a_game)
    wanted_cut = {"first_block": part.first_block, "first_game": part.first_game, "games": part.games}
    for table in run.plan.tables:
        file = run.folder.file(table, part.number)
        metadata = read_metadata(file)
        if any(metadata.get(name) != str(value) for name, value in wanted_cut.items()):
            yield Discrepancy(part.first_game, f"{file} holds other blocks than its part of the plan")


def _difference(
    stored: NDArray[np.generic], wanted: NDArray[np.generic], column: str, first_game: int, rows_a_game: int
) -> Iterator[Discrepancy]:
    if len(stored) != len(wanted):
        message = f"{column} has {len(stored):,} rows in this part where the plan has {len(wanted):,}"
        yield Discrepancy(first_game, message)
        return
    differs = np.flatnonzero(stored != wanted)
    if len(differs):
        row, rest = int(differs[0]), f"{len(differs):,} rows of its part differ"
        message = f"{column} is {stored[row]} where the plan has {wanted[row]} ({rest})"
        yield Discrepancy(first_game + row // rows_a_game, message)
