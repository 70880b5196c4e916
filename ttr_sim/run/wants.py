"""Recover each bot's target routes by re-simulating a logged game."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any

import numpy as np

from ttr_sim.bots.api import parse_spec
from ttr_sim.edition.canonical import in_canonical_order
from ttr_sim.engine.jit import SOURCE_HASH
from ttr_sim.engine.play import Games, play_batch
from ttr_sim.engine.records import BOT_MEMORY, VIEW
from ttr_sim.log import index_of
from ttr_sim.run.lineups import distinct_bots, seat_blocks
from ttr_sim.run.play import load_game
from ttr_sim.run.read import Run, are_bots_unchanged

# Rows of routes, by scene (setup, then each turn) and seat.
Wants = list[list[frozenset[int]]]
BOT_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def why_no_wants(run: Run) -> str | None:
    """Explain why the run cannot be replayed, or None."""
    if run.plan.kernel != SOURCE_HASH:
        return "another version of the engine played this game"
    if any(parse_spec(bot).file is not None for bot in distinct_bots(run.plan)):
        return "bots from files took part, and they are not run to show a game"
    if not are_bots_unchanged(run):
        return "the bots or their tuning are no longer those of the run"
    return None


def wants_of_game(run: Run, log: Any) -> Wants | None:
    """Target routes of each seat after setup and each turn, or None when the replayed game differs."""
    # `log` has the rows `game`, `seats` and `turns`, with the log's columns as attributes.
    loaded = load_game(run.plan, run.folder, run.edition)
    drivers, published, callbacks = loaded.bots.table.copy(), dict[tuple[int, int], bytes](), []
    for driver in drivers:
        if driver["plans"]:
            bot = BOT_FUNCTION(int(driver["address"]))
            # Kept in a list: the kernel calls them by address.
            callbacks.append(BOT_FUNCTION(partial(answer_and_publish, bot, published)))
            driver["address"] = ctypes.cast(callbacks[-1], ctypes.c_void_p).value
    # The game's rotation is the one that seats these bots.
    seating = seat_blocks(run.plan, log.game.block, 1)
    names = np.array(distinct_bots(run.plan), object)[seating.bots]
    row = int(np.flatnonzero((names == [seat.bot for seat in log.seats]).all(axis=1))[0])
    columns = (seating.deals, seating.rotations, seating.bots, seating.places)
    game = Games(*(column[row : row + 1] for column in columns))
    played = play_batch(loaded.board, run.plan.players, run.plan.seed, game, drivers).tables["turns"].numbers
    for column in ("seat", "score", "trains"):
        if played[index_of("turns", column)].tolist() != [getattr(turn, column) for turn in log.turns]:
            return None
    rows = in_canonical_order(run.edition).route_rows
    now: list[frozenset[int]] = [frozenset()] * run.plan.players
    scenes = []
    for turn in range(-1, len(log.turns)):
        now = [*now]
        for seat in range(run.plan.players):
            if (turn, seat) in published:
                bits = np.frombuffer(published[turn, seat], np.uint8)
                routes = np.flatnonzero(np.unpackbits(bits, bitorder="little"))
                now[seat] = frozenset(rows[route] for route in routes.tolist())
        scenes.append(now)
    return scenes


def answer_and_publish(bot: Any, published: dict[tuple[int, int], bytes], board: int, view: int, memory: int) -> int:
    """Ask the bot, and note its target routes by turn and seat."""
    answer = int(bot(board, view, memory))
    shown = np.frombuffer(ctypes.string_at(view, VIEW.itemsize), VIEW)[0]
    own = np.frombuffer(ctypes.string_at(memory, BOT_MEMORY.itemsize), BOT_MEMORY)[0]
    published[int(shown["turn"]), int(shown["seat"])] = own["wants"].tobytes()
    return answer
