"""Parts: a run is cut into parts of whole blocks, each of which fills one file per table; they are numbered from 0.

A run can grow. Its parts stay as they are, a short last one too, and new ones begin at the next block: blocks and games
are those of a run played in one go, only the cuts between parts are others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ttr_sim.run.lineups import games_by_block, most_rotations
from ttr_sim.run.plan import Plan

BLOCKS_AT_A_TIME = 50_000


@dataclass(frozen=True, slots=True)
class Part:
    number: int
    first_block: int
    blocks: int
    first_game: int
    games: int


@dataclass(frozen=True, slots=True)
class RunSize:
    """A run in numbers, as far as it has grown; `games` are those requested, rounded up to whole blocks."""

    games: int
    blocks: int
    parts: int


NOTHING = RunSize(0, 0, 0)


def part_file_name(number: int) -> str:
    return f"part-{number:05d}.parquet"


def blocks_per_part(plan: Plan) -> int:
    return max(1, plan.part_size // most_rotations(plan))


def size_of(plan: Plan) -> RunSize:
    """Return the size of the plan carried out in one go."""
    return grown(plan, NOTHING, plan.games)


def grown(plan: Plan, size: RunSize, wanted: int) -> RunSize:
    """Return the size with at least the games wanted, counted on from the present one.

    Count block by block, because blocks of drawn lineups differ in size; memory is bounded.
    """
    games, blocks = size.games, size.blocks
    while games < wanted:
        missing = wanted - games
        ahead = games_by_block(plan, blocks, min(BLOCKS_AT_A_TIME, missing)).cumsum()
        used = min(int(np.searchsorted(ahead, missing)) + 1, len(ahead))
        games += int(ahead[used - 1])
        blocks += used
    return RunSize(games, blocks, size.parts - (size.blocks - blocks) // blocks_per_part(plan))


def parts_of(plan: Plan, stages: Sequence[RunSize] = ()) -> Iterator[Part]:
    """Yield all parts in order; `stages` are the sizes that the run grew to, by default the plan's own."""
    step, before, first_game = blocks_per_part(plan), NOTHING, 0
    for stage in stages or (size_of(plan),):
        for number, first_block in enumerate(range(before.blocks, stage.blocks, step), before.parts):
            count = min(step, stage.blocks - first_block)
            games = int(games_by_block(plan, first_block, count).sum())
            yield Part(number, first_block, count, first_game, games)
            first_game += games
        before = stage
