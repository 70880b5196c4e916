"""Compare a run with its plan: complete, nothing foreign, every game's deal, block and lineup as the plan draws them.

No rule of the game notices a block that was left out, doubled or replaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ttr_sim.edition import load_edition
from ttr_sim.edition.rules import overrides_of
from ttr_sim.errors import UserError
from ttr_sim.run.digest import check_digests, stored_digests
from ttr_sim.run.folder import finished_parts, read_metadata
from ttr_sim.run.lineups import NOTHING, Part, distinct_bots, grown, parts_of, seat_blocks
from ttr_sim.run.opened import Run
from ttr_sim.run.sha256 import DIGEST_BYTES


class Discrepancy(NamedTuple):
    """A difference from the plan; `game` is the first one concerned, if any."""

    game: int | None
    message: str


def check_plan(run: Run) -> list[Discrepancy]:
    """Compare the record, the edition and every part's games, seats and lineups with the plan."""
    found = [Discrepancy(None, message) for message in _record_problems(run)]
    return found or [problem for part in _parts(run) for problem in _part_problems(run, part)]


def _parts(run: Run) -> Iterator[Part]:
    return parts_of(run.plan, run.record.stages)


def check_files(run: Run, jobs: int) -> tuple[str, ...]:
    """Check seals, strangers and digests; return a sentence for each problem."""
    missing: list[str] = []
    try:
        finished_parts(run.folder, run.plan, run.record.size.parts, missing.append)
    except UserError as error:
        return (str(error),)
    return tuple(missing) or check_digests(run.path, jobs)


def _record_problems(run: Run) -> Iterator[str]:
    plan, record = run.plan, run.record
    for before, stage in pairwise((NOTHING, *record.stages)):
        if stage != grown(plan, before, stage.games if record.has_grown else plan.games):
            yield f"run.json names {stage.games:,} games in {stage.blocks:,} blocks, not those of its plan"
    if plan.edition != run.edition.name:
        yield f"run.json names the edition {plan.edition}, but the folder's edition is {run.edition.name}"
    if load_edition(run.folder.edition, overrides_of(record.settings)).fingerprint != run.edition.fingerprint:
        yield "the folder's edition was not played with the --set values that run.json names"


def _part_problems(run: Run, part: Part) -> Iterator[Discrepancy]:
    """Yield what is wrong about who sat where in a part."""
    seating = seat_blocks(run.plan, part.first_block, part.blocks)
    games = pq.read_table(run.folder.file("games", part.number), columns=["game", "deal", "block", "players"])
    seats = pq.read_table(run.folder.file("seats", part.number), columns=["game", "seat", "bot"])
    numbers = part.first_game + np.arange(part.games)
    names = np.array(distinct_bots(run.plan), object)[seating.bots].ravel()
    expected = (
        ("games", games["game"], numbers, 1),
        ("games", games["deal"], seating.deals, 1),
        ("games", games["block"], seating.deals, 1),
        ("games", games["players"], np.full(part.games, run.plan.players), 1),
        ("seats", seats["game"], np.repeat(numbers, run.plan.players), run.plan.players),
        ("seats", seats["seat"], np.tile(np.arange(run.plan.players), part.games), run.plan.players),
        ("seats", seats["bot"].cast(pa.string()), names, run.plan.players),
    )
    for (table, stored, wanted, rows), column in zip(expected, (*games.column_names, *seats.column_names), strict=True):
        yield from _difference(stored.to_numpy(), wanted, f"{table}.{column}", part.first_game, rows)
    yield from _metadata_problems(run, part)


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


def _metadata_problems(run: Run, part: Part) -> Iterator[Discrepancy]:
    wanted = {"first_block": part.first_block, "first_game": part.first_game, "games": part.games}
    for table in run.plan.tables:
        file = run.folder.file(table, part.number)
        metadata = read_metadata(file)
        if any(metadata.get(name) != str(value) for name, value in wanted.items()):
            yield Discrepancy(part.first_game, f"{file} holds other blocks than its part of the plan")
        if len(stored_digests(file)) != part.blocks * DIGEST_BYTES:
            yield Discrepancy(part.first_game, f"{file} has not one digest for each block")
