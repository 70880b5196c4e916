"""Recover each bot's target routes by re-simulating a logged game.

No log has them after each turn. The same kernel plays the game again, and the routes that planning bots publish are
read after each of their answers.
"""

from __future__ import annotations

import ctypes
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
from ttr_sim.run.read import Run
from ttr_sim.run.verify import are_bots_unchanged

# Rows of routes, by scene (setup, then each turn) and seat.
Wants = list[list[frozenset[int]]]
_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_VIEW_FIELDS: Any = VIEW.fields
_MEMORY_FIELDS: Any = BOT_MEMORY.fields


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
    """Target routes of each seat after setup and each turn, or None when the replayed game differs.

    `log` has the game's rows in the log: `game`, `seats` and `turns`, with the log's columns as attributes.
    """
    loaded = load_game(run.plan, run.folder, run.edition)
    drivers = loaded.bots.table.copy()
    observers = [_Observer(int(driver["address"])) if driver["plans"] else None for driver in drivers]
    for observer, driver in zip(observers, drivers, strict=True):
        if observer is not None:
            driver["address"] = observer.address
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
    published = {}
    for observer in observers:
        for turn, seat, bits in observer.heard if observer else ():
            routes = np.flatnonzero(np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little"))
            published[turn, seat] = frozenset(rows[route] for route in routes.tolist())
    now: list[frozenset[int]] = [frozenset()] * run.plan.players
    scenes = []
    for turn in range(-1, len(log.turns)):
        now = [published.get((turn, seat), wanted) for seat, wanted in enumerate(now)]
        scenes.append(now)
    return scenes


class _Observer:
    """Bot wrapper that records published target routes."""

    def __init__(self, address: int) -> None:
        self.heard: list[tuple[int, int, bytes]] = []  # turn, seat and bits of the routes, by answer
        self._bot = _CALL(address)
        self._callback = _CALL(self._answer)

    @property
    def address(self) -> int:
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def _answer(self, board: int, view: int, memory: int) -> int:
        answer = int(self._bot(board, view, memory))
        kind, offset = _MEMORY_FIELDS["wants"][:2]
        turn, seat = _number_at(view, "turn"), _number_at(view, "seat")
        self.heard.append((turn, seat, ctypes.string_at(memory + offset, kind.itemsize)))
        return answer


def _number_at(view: int, name: str) -> int:
    kind, offset = _VIEW_FIELDS[name][:2]
    return int(np.frombuffer(ctypes.string_at(view + offset, kind.itemsize), kind)[0])
