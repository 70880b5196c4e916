"""How a run is cut up: into blocks with their lineups and seats, and into parts of whole blocks.

A block is one deal played once with every distinct rotation of its lineup. With as many bots as players, they are the
lineup of every block. Otherwise each block's lineup is drawn from (seed, deal) alone, by keys, so that any block can be
computed without those before it.

Each part fills one file per table; parts are numbered from 0. A run can grow. Its parts stay as they are, a short last
one too, and new ones begin at the next block: blocks and games are those of a run played in one go, only the cuts
between parts are others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ttr_sim.run.plan import Plan

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

LINEUP_PURPOSE = 0x6C696E65757073  # keeps these draws apart from the engine's, which use the same seed
GOLDEN_GAMMA = 0x9E3779B97F4A7C15
BLOCKS_AT_A_TIME = 50_000


@dataclass(frozen=True, slots=True)
class Seating:
    """The games of consecutive blocks: which rotation of which lineup each game plays."""

    deals: Ints  # by game
    rotations: Ints
    bots: Ints  # by game and seat: index into the distinct bots
    places: Ints  # by game and seat: place in the lineup


def distinct_bots(plan: Plan) -> tuple[str, ...]:
    return tuple(dict.fromkeys(plan.bots))


def most_rotations(plan: Plan) -> int:
    """Return the number of games of the largest block this plan can have."""
    if len(plan.bots) == plan.players:
        return int(rotation_counts(_identities(plan, lineups(plan, 0, 1)))[0])
    return 1 if len(distinct_bots(plan)) == 1 else plan.players


def games_by_block(plan: Plan, first: int, count: int) -> Ints:
    """Return the number of games of each of `count` blocks."""
    if len(plan.bots) == plan.players:
        return np.full(count, most_rotations(plan), np.int64)
    return rotation_counts(_identities(plan, lineups(plan, first, count)))


def seat_blocks(plan: Plan, first: int, count: int) -> Seating:
    """Return the games of these blocks, rotation by rotation."""
    drawn = lineups(plan, first, count)
    identities = _identities(plan, drawn)
    rotations = rotation_counts(identities)
    block = np.repeat(np.arange(count), rotations)
    rotation = np.arange(len(block)) - np.repeat(np.cumsum(rotations) - rotations, rotations)
    places = (np.arange(plan.players) + rotation[:, None]) % plan.players
    return Seating(first + block, rotation, identities[block[:, None], places], places)


def lineups(plan: Plan, first: int, count: int) -> Ints:
    """Return, by block and place in the lineup, the index of the bot in `--bots`."""
    if len(plan.bots) == plan.players:
        return np.tile(np.arange(plan.players), (count, 1))
    deals = np.arange(first, first + count, dtype=np.uint64)
    if len(plan.bots) > plan.players:
        order = np.argsort(_keys(plan.seed, deals, len(plan.bots)), axis=1, kind="stable")
        return order[:, : plan.players].astype(np.int64)
    high_bits = _keys(plan.seed, deals, plan.players) >> np.uint64(32)
    return (high_bits * np.uint64(len(plan.bots)) >> np.uint64(32)).astype(np.int64)


def rotation_counts(identities: Ints) -> Ints:
    """Return the number of distinct rotations of each lineup: its smallest period that divides its length."""
    count, players = identities.shape
    periods = np.full(count, players, np.int64)
    for period in (step for step in range(players - 1, 0, -1) if players % step == 0):
        periods[(np.roll(identities, period, axis=1) == identities).all(axis=1)] = period
    return periods


def _identities(plan: Plan, drawn: Ints) -> Ints:
    """Turn indices in `--bots` into indices of distinct bots: a name given twice is one bot."""
    names = distinct_bots(plan)
    return np.array([names.index(bot) for bot in plan.bots], np.int64)[drawn]


def _keys(seed: int, deals: Keys, count: int) -> Keys:
    """Return a random number for each deal and each of `count` things."""
    of_run = _mix(np.array([seed], np.uint64) + np.uint64(LINEUP_PURPOSE))
    of_deal = _mix(of_run ^ _mix(deals + np.uint64(GOLDEN_GAMMA)))
    steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(GOLDEN_GAMMA)
    return _mix(of_deal[:, None] + steps)


def _mix(keys: Keys) -> Keys:
    """Apply the output function of SplitMix64: every bit of the result depends on every bit of the key."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


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
