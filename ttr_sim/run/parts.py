"""Parts: a run is cut into parts of whole blocks, each of which fills one file per table; they are numbered from 0."""

from __future__ import annotations

from collections.abc import Iterator
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
    """The whole run in numbers; `games` are those requested, rounded up to whole blocks."""

    games: int
    blocks: int
    parts: int


def part_file_name(number: int) -> str:
    return f"part-{number:05d}.parquet"


def blocks_per_part(plan: Plan) -> int:
    return max(1, plan.part_size // most_rotations(plan))


def size_of(plan: Plan) -> RunSize:
    """Count block by block, because blocks of drawn lineups differ in size; memory is bounded."""
    games = blocks = 0
    while games < plan.games:
        missing = plan.games - games
        ahead = games_by_block(plan, blocks, min(BLOCKS_AT_A_TIME, missing)).cumsum()
        used = min(int(np.searchsorted(ahead, missing)) + 1, len(ahead))
        games += int(ahead[used - 1])
        blocks += used
    return RunSize(games, blocks, -(-blocks // blocks_per_part(plan)))


def parts_of(plan: Plan) -> Iterator[Part]:
    """Yield all parts in order."""
    blocks, step, first_game = size_of(plan).blocks, blocks_per_part(plan), 0
    for number, first_block in enumerate(range(0, blocks, step)):
        count = min(step, blocks - first_block)
        games = int(games_by_block(plan, first_block, count).sum())
        yield Part(number, first_block, count, first_game, games)
        first_game += games
