"""Run folders made of plain random numbers with planted effects, in the log's columns.

No rule of the game is followed: a score is chance plus planted effects, so that a test knows the truth. Turns go round
the table. Tickets are dealt, and routes claimed, in random order without repetition.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tests.sealed_rows import write_rows
from ttr_sim.edition import find_folder, load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.log import ACTION_NAMES, TABLES
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import RunSize, most_rotations
from ttr_sim.run.plan import FULL, Plan
from ttr_sim.run.record import Record
from ttr_sim.run.tables import schema_of

Columns = dict[str, Any]
Ints = NDArray[np.int64]
NOISE, DEAL_NOISE = 20.0, 10.0  # standard deviations; the games of a block share that of the deal
CLAIM_CHANCE, KEEP_CHANCE, COMPLETE_CHANCE = 0.3, 0.7, 0.7
ROUNDS = (30, 45)


@dataclass(frozen=True)
class World:
    """What is true: points added to a score, and how often a planning rival wants a route."""

    bots: Mapping[str, float] = field(default_factory=lambda: {"planner": 0.0, "racer": 0.0})
    seats: tuple[float, ...] = ()
    tickets: Mapping[int, float] = field(default_factory=dict)
    rival_chance: float = 0.2
    planning: frozenset[str] = frozenset({"planner"})


def write_run(
    folder: Path,
    world: World,
    blocks: int,
    players: int = 2,
    edition: str = "usa",
    seed: int = 1,
    log: str = FULL,
    blocks_per_part: int = 1_000,
    *,
    one_of: Sequence[str] = (),
) -> Path:
    """A whole run folder; lineups are the world's bots in turn, all rotations of each are played.

    With `one_of`, the plan says that one place plays one of these among planners.
    """
    board, parts = load_edition(edition), -(-blocks // blocks_per_part)
    shutil.copytree(find_folder(edition), folder / "edition")
    size = RunSize(blocks * players, blocks, parts)
    plan = write_record(folder, tuple(world.bots), players, seed, log, size, blocks_per_part, one_of)
    for part in range(parts):
        first = part * blocks_per_part
        tables = made_up_part(
            np.random.default_rng([seed, part]), world, board, players, first, min(blocks_per_part, blocks - first)
        )
        for table in plan.tables:
            write_table(folder, plan, part, table, tables[table])
    return folder


def write_record(
    folder: Path,
    bots: Sequence[str],
    players: int,
    seed: int,
    log: str,
    size: RunSize,
    blocks_per_part: int = 1_000,
    one_of: Sequence[str] = (),
) -> Plan:
    fingerprint = load_edition(folder / "edition").fingerprint
    plan = Plan(folder.name, fingerprint, players, tuple(bots), size.games, seed, log, 2_000, "a" * 64, "b" * 64)
    plan = replace(plan, part_size=blocks_per_part * most_rotations(plan))
    if one_of:
        plan = replace(plan, bots=("planner",) * players, one_of=tuple(one_of))
    RunFolder(folder).write(Record(plan, size, (), "ttr-sim run", {}))
    return plan


def write_table(folder: Path, plan: Plan, part: int, table: str, columns: Columns) -> None:
    """Columns that are not given are null, or empty texts, or 0."""
    rows, schema, arrays = len(columns["game"]), schema_of(table), []
    for column, entry in zip(TABLES[table], schema, strict=True):
        empty = None if column.nullable else {"text": "", "bool": False}.get(column.type, 0)
        values = columns.get(column.name, [empty] * rows)
        if pa.types.is_dictionary(entry.type) and not isinstance(values, pa.Array):
            values = pa.array(values, pa.string()).dictionary_encode()
        arrays.append(values.cast(entry.type) if isinstance(values, pa.Array) else pa.array(values, entry.type))
    file = RunFolder(folder).file(table, part)
    file.parent.mkdir(parents=True, exist_ok=True)
    games = set(columns["game"])
    first = {"first_block": "0", "first_game": str(min(games, default=0))}
    metadata = {"plan": plan.hash, "table": table, "part": str(part), "games": str(len(games)), **first}
    write_rows(pa.Table.from_arrays(arrays, schema=schema), file, metadata)


def made_up_part(
    chance: np.random.Generator, world: World, board: Edition, players: int, first_block: int, blocks: int
) -> dict[str, Columns]:
    games, bots = blocks * players, len(world.bots)
    game = first_block * players + np.arange(games)
    block = first_block + np.repeat(np.arange(blocks), players)
    # Each block's lineup drawn (all bots when they just fit), rotated game by game.
    lineup = np.tile(np.arange(bots), (blocks, 1)) if bots == players else chance.integers(0, bots, (blocks, players))
    bot = np.stack([np.roll(lineup, -turn, axis=1) for turn in range(players)], axis=1).reshape(-1, players)
    dealt, tickets = _tickets(chance, board, game, players)
    worth = np.zeros(128)
    worth[list(world.tickets)] = list(world.tickets.values())
    exact = 100 + np.array(list(world.bots.values()))[bot] + worth[dealt].sum(axis=2)
    exact += np.array(world.seats or (0.0,) * players)
    exact += np.repeat(chance.normal(0, DEAL_NOISE, (blocks, players)), players, axis=0)
    score = np.rint(exact + chance.normal(0, NOISE, exact.shape)).astype(np.int64)
    rounds = chance.integers(*ROUNDS, size=games, endpoint=True)
    winner = score == score.max(axis=1, keepdims=True)
    names = np.array(list(world.bots))
    plans = np.isin(names, list(world.planning))[bot]
    turns, routes = _turns(chance, world, board, game, plans, rounds)
    best = np.sort(score, axis=1)
    of_games = {
        "game": game,
        "deal": block,
        "block": block,
        "players": np.full(games, players),
        "turns": rounds * players,
        "end": _words(np.zeros(games, int), ["trains"]),
        "winners": (winner << np.arange(players)).sum(axis=1),
        "resets": chance.poisson(1.0, games),
        "lead_changes": chance.poisson(5.0, games),
        "lead_turn": pa.array(rounds * players // 2, mask=winner.sum(axis=1) > 1),
        "margin": best[:, -1] - best[:, -2],
    }
    of_seats = {
        "game": np.repeat(game, players),
        "seat": np.tile(np.arange(players), games),
        "bot": _words(bot.ravel(), list(names)),
        "plans": plans.ravel(),
        "score": score.ravel(),
        "rank": 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2).ravel(),
        "win_share": (winner / winner.sum(axis=1, keepdims=True)).ravel(),
        "route_points": score.ravel() // 2,
        "ticket_points": score.ravel() - score.ravel() // 2,
        "tickets_completed": np.full(games * players, 3),
        "routes": routes.ravel(),
        "turns": np.repeat(rounds, players),
    }
    return {"games": of_games, "seats": of_seats, "turns": turns, "tickets": tickets}


def _tickets(chance: np.random.Generator, board: Edition, game: Ints, players: int) -> tuple[Ints, Columns]:
    """Tickets dealt at setup by game, seat and place, and one more drawn by each seat in turn 10."""
    dealt, offers = [], []
    for number, deck in enumerate(board.decks):
        cards = np.array([i for i, ticket in enumerate(board.tickets) if ticket.deck == number])
        each = deck.deal or (4 if number == 0 and board.ticket_rules.mix else 0)
        order = cards[np.argsort(chance.random((len(game), len(cards))), axis=1)]
        dealt.append(order[:, : each * players].reshape(len(game), players, each))
        if number == 0:
            offers.append(order[:, each * players : (each + 1) * players].reshape(len(game), players, 1))
    setup = np.concatenate(dealt, axis=2)
    tickets = np.concatenate([setup, *offers], axis=2)
    each, rows = tickets.shape[2], tickets.size
    late = np.tile(np.arange(each) >= setup.shape[2], rows // each)
    kept = chance.random(rows) < KEEP_CHANCE
    completed = chance.random(rows) < COMPLETE_CHANCE
    return setup, {
        "game": np.repeat(game, players * each),
        "order": np.tile(np.arange(players * each), len(game)),
        "seat": np.tile(np.repeat(np.arange(players), each), len(game)),
        "ticket": tickets.ravel(),
        "turn": np.where(late, 10, -1),
        "kept": kept,
        "completed": pa.array(completed, mask=~kept),
        "completed_turn": pa.array(np.full(rows, 50), mask=~(kept & completed)),
    }


def _turns(
    chance: np.random.Generator, world: World, board: Edition, game: Ints, plans: NDArray[np.bool_], rounds: Ints
) -> tuple[Columns, Ints]:
    """Turns with claims at random places of routes drawn without repetition; and the claims by game and seat."""
    games, players = plans.shape
    lengths = rounds * players
    row_game = np.repeat(np.arange(games), lengths)
    turn = np.arange(len(row_game)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    seat = turn % players
    claim = chance.random(len(turn)) < CLAIM_CHANCE
    before: Ints = np.cumsum(claim) - claim
    place: Ints = before - before[np.searchsorted(row_game, np.arange(games))][row_game]
    claim &= place < len(board.routes)
    order = np.argsort(chance.random((games, len(board.routes))), axis=1)
    route = order[row_game, np.minimum(place, len(board.routes) - 1)]
    wants = (chance.random((len(turn), players)) < world.rival_chance) & plans[row_game]
    wants[np.arange(len(turn)), seat] = plans[row_game, seat]
    claims = np.zeros((games, players), np.int64)
    np.add.at(claims, (row_game[claim], seat[claim]), 1)
    drawn = {"card1": "r", "card1_from": "deck", "card2": "b", "card2_from": "deck"}
    claimed = {
        "route": route,
        "cards": np.full(len(turn), 3),
        "claimed": np.ones(len(turn), bool),
        "wanted_by": (wants << np.arange(players)).sum(axis=1),
    }
    return {
        "game": game[row_game],
        "turn": turn,
        "seat": seat,
        "action": _words(np.where(claim, 1, 0), list(ACTION_NAMES)),
        **{name: _words(0 * turn, [word], ~claim) for name, word in drawn.items()},
        **{name: pa.array(values, mask=~claim) for name, values in claimed.items()},
        "score": np.minimum(place, 200),
        "trains": np.full(len(turn), 20),
    }, claims


def _words(codes: Ints, words: list[str], there: NDArray[np.bool_] | None = None) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8(), mask=None if there is None else ~there), words)
