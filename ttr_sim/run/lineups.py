"""Fields of bots, and the lineups, blocks and parts of a run (see docs/runs.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ttr_sim.bots.api import STANDARD_STYLES, load_style
from ttr_sim.bots.tuning import tuned_of
from ttr_sim.edition.model import Edition
from ttr_sim.run.plan import Plan

STRONG, RIVALS, ALL, REWARDS, MIXES, OWN = "strong", "rivals", "all", "rewards", "mixes", "own"
STRONG_BOT = "planner"
# The same with its first mix of decks drawn by chance, to measure decks that it never takes.
MIXES_BOT = f"{STRONG_BOT}:lottery=1"
RIVAL_BOTS = (STRONG_BOT, "racer", "blocker", "longroute")
ALL_BOTS = STANDARD_STYLES
# A strong player with one parameter moved from where it is on the board, as far as its limits allow.
# Moved far enough to show in play (USA: a ticket draw more, half a claim more, one less), not so far that it breaks.
TASTES = {
    "draws more tickets": ("curiosity", -3.0),
    "draws fewer tickets": ("curiosity", 1.5),
    "keeps fewer tickets": ("caution", 2.0),
    "races through its trains": ("train", -0.2),
    "saves up for long routes": ("tempo", 0.2),
    "goes for route points": ("greed", 0.4),
    "blocks": ("block", 1.5),
    "hunts the longest path": ("chain", 3.0),
}
STYLES_THAT_TRY = tuple(style for style in STANDARD_STYLES if style not in (STRONG_BOT, "blocker"))

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

# Purposes keep these draws apart from each other and from the engine's, which use the same seed.
LINEUP_PURPOSE = 0x6C696E65757073
ONE_OF_PURPOSE = 0x6F6E655F6F66
BLOCKS_AT_A_TIME = 50_000


class Seating(NamedTuple):
    """The games of consecutive blocks: which rotation of which lineup each game plays."""

    deals: Ints  # by game
    rotations: Ints
    bots: Ints  # by game and seat: index into the distinct bots
    places: Ints  # by game and seat: place in the lineup


@dataclass(frozen=True, slots=True)
class Part:
    number: int
    first_block: int
    blocks: int
    first_game: int
    games: int


@dataclass(frozen=True, slots=True)
class RunSize:
    """Size of a run, rounded up to whole blocks."""

    games: int
    blocks: int
    parts: int


def field_of(plan: Plan) -> str:
    bots = frozenset(plan.bots)
    if plan.one_of:
        return REWARDS if bots == {STRONG_BOT} else OWN
    fields = {STRONG: (STRONG_BOT,), RIVALS: RIVAL_BOTS, ALL: ALL_BOTS, MIXES: (MIXES_BOT,)}
    for field, known in fields.items():
        if bots == set(known):
            return field
    return OWN


def variants(edition: Edition) -> dict[str, str]:
    """Bots of the rewards by name: one taste moved, or a simple style."""
    parameters = {parameter.name: parameter for parameter in load_style(STRONG_BOT).parameters}
    values, without_effect = tuned_of(edition).of(STRONG_BOT, None), set()
    if edition.longest_path is None:
        without_effect.add("chain")
    if edition.is_race or edition.route_scores is None:
        without_effect.add("greed")
    tickets = edition.ticket_rules
    dealt = tickets.deal_total if tickets.mix else sum(deck.deal for deck in edition.decks)
    if edition.instant_tickets and dealt <= tickets.keep_at_start:
        without_effect.add("caution")
    found = {}
    for name, (taste, change) in TASTES.items():
        if taste in without_effect:
            continue
        parameter = parameters[taste]
        before = values.get(taste, parameter.default)
        after = min(max(before + change, parameter.low), parameter.high)
        # On a board that is tuned to the limit, the variant would be the strong player itself.
        if after != before:
            found[name] = f"{STRONG_BOT}:{taste}={after:.12g}"
    return found | {style: style for style in STYLES_THAT_TRY}


def distinct_bots(plan: Plan) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*plan.bots, *plan.one_of)))


def lineups(plan: Plan, first: int, count: int) -> Ints:
    """Index of the distinct bot by block and place in the lineup."""
    # Drawn from (seed, deal) alone, so that any block can be computed without the ones before it.
    deals = np.arange(first, first + count, dtype=np.uint64)
    if len(plan.bots) == plan.players:
        drawn = np.tile(np.arange(plan.players), (count, 1))
    elif len(plan.bots) > plan.players:
        order = np.argsort(_keys(plan.seed, deals, len(plan.bots), LINEUP_PURPOSE), axis=1, kind="stable")
        drawn = order[:, : plan.players].astype(np.int64)
    else:
        drawn = _choices(_keys(plan.seed, deals, plan.players, LINEUP_PURPOSE), len(plan.bots))
    names = distinct_bots(plan)
    identities: Ints = np.array([names.index(bot) for bot in plan.bots], np.int64)[drawn]
    if plan.one_of:
        # One place is enough: all rotations are played, and the others are alike.
        variants = np.array([names.index(bot) for bot in plan.one_of], np.int64)
        identities[:, 0] = variants[_choices(_keys(plan.seed, deals, 1, ONE_OF_PURPOSE)[:, 0], len(variants))]
    return identities


def rotation_counts(identities: Ints) -> Ints:
    """Number of distinct rotations of each lineup: its smallest period that divides its length."""
    count, players = identities.shape
    periods = np.full(count, players, np.int64)
    for period in (step for step in range(players - 1, 0, -1) if players % step == 0):
        periods[(np.roll(identities, period, axis=1) == identities).all(axis=1)] = period
    return periods


def games_by_block(plan: Plan, first: int, count: int) -> Ints:
    return rotation_counts(lineups(plan, first, count))


def seat_blocks(plan: Plan, first: int, count: int) -> Seating:
    """Lay out the games of these blocks, rotation by rotation."""
    identities = lineups(plan, first, count)
    rotations = rotation_counts(identities)
    block = np.repeat(np.arange(count), rotations)
    rotation = np.arange(len(block)) - np.repeat(np.cumsum(rotations) - rotations, rotations)
    places = (np.arange(plan.players) + rotation[:, None]) % plan.players
    return Seating(first + block, rotation, identities[block[:, None], places], places)


def blocks_per_part(plan: Plan) -> int:
    return max(1, plan.part_size // most_rotations(plan))


def most_rotations(plan: Plan) -> int:
    """Number of games of the largest block this plan can have."""
    if len(plan.bots) == plan.players and not plan.one_of:
        return int(rotation_counts(lineups(plan, 0, 1))[0])
    return plan.players if len(distinct_bots(plan)) > 1 else 1


def size_of(plan: Plan, games: int | None = None) -> RunSize:
    """Size with at least that many games, by default the plan's own."""
    wanted = plan.games if games is None else games
    total = blocks = 0
    while total < wanted:
        # Blocks of drawn lineups differ in size, so they are counted, in pieces that bound the memory.
        missing = wanted - total
        ahead = games_by_block(plan, blocks, min(BLOCKS_AT_A_TIME, missing)).cumsum()
        used = min(int(np.searchsorted(ahead, missing)) + 1, len(ahead))
        total += int(ahead[used - 1])
        blocks += used
    return RunSize(total, blocks, -(-blocks // blocks_per_part(plan)))


def parts_of(plan: Plan, size: RunSize | None = None) -> Iterator[Part]:
    """All parts in order, of a run of this size or of the plan's own."""
    blocks = (size or size_of(plan)).blocks
    step, first_game = blocks_per_part(plan), 0
    for number, first_block in enumerate(range(0, blocks, step)):
        count = min(step, blocks - first_block)
        games = int(games_by_block(plan, first_block, count).sum())
        yield Part(number, first_block, count, first_game, games)
        first_game += games


def _choices(keys: Keys, count: int) -> Ints:
    """Map random keys to whole numbers below `count`."""
    return ((keys >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)).astype(np.int64)


def _keys(seed: int, deals: Keys, count: int, purpose: int) -> Keys:
    """Random key for each deal and index."""

    def mix(keys: Keys) -> Keys:
        # The output function of SplitMix64: every bit of the result depends on every bit of the key.
        keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return keys ^ (keys >> np.uint64(31))

    gamma = np.uint64(0x9E3779B97F4A7C15)
    run_key = mix(np.array([seed], np.uint64) + np.uint64(purpose))
    deal_keys = mix(run_key ^ mix(deals + gamma))
    return mix(deal_keys[:, None] + np.arange(1, count + 1, dtype=np.uint64) * gamma)
