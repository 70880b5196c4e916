"""Recover each bot's target routes by re-simulating a logged game.

No log has it. So the game is played again by the same kernel, and whenever a planning bot has answered, the routes that
it publishes are read. The game is followed only as long as it is the logged one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from ttr_sim.bots.api import parse_spec
from ttr_sim.edition.canonical import in_canonical_order
from ttr_sim.engine.batch import BotTable, Games, play_batch
from ttr_sim.engine.jit import SOURCE_HASH
from ttr_sim.engine.records import BOT_MEMORY, VIEW
from ttr_sim.log import index_of
from ttr_sim.run.lineups import distinct_bots, seat_blocks
from ttr_sim.run.play import load_game
from ttr_sim.run.read import Run
from ttr_sim.run.trust import are_bots_unchanged

# Rows of routes, by scene (setup, then each turn) and seat.
Wants = list[list[frozenset[int]]]
Heard = tuple[int, int, bytes]  # turn, seat, published wants
_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_VIEW_FIELDS: Any = VIEW.fields
_SEAT_FIELDS: Any = BOT_MEMORY.fields
_WANTS, _WANTS_AT = _SEAT_FIELDS["wants"][:2]


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
    """Target routes of each seat after setup and each turn; None when the game, played again, differs.

    `log` has the game's rows in the log: `game`, `seats` and `turns`, with the log's columns as attributes.
    """
    loaded = load_game(run.plan, run.folder, run.edition)
    observers = [
        _Observer(int(address)) if plans else None
        for address, plans in zip(loaded.bots.table.addresses, loaded.bots.table.plans, strict=True)
    ]
    played = play_batch(
        loaded.board,
        run.plan.players,
        run.plan.seed,
        _one_game(run, log),
        _observed(loaded.bots.table, observers),
    )
    heard = [answer for observer in observers if observer for answer in observer.heard]
    return _by_scene(run, log, heard) if _is_logged_game(log, played.tables["turns"].numbers) else None


class _Observer:
    """Bot wrapper that records published target routes."""

    def __init__(self, address: int) -> None:
        self.heard: list[Heard] = []  # in the order of the answers
        self._bot = _CALL(address)
        self._callback = _CALL(self._answer)

    @property
    def address(self) -> int:
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def _answer(self, board: int, view: int, seat: int) -> int:
        answer = int(self._bot(board, view, seat))
        wants = ctypes.string_at(seat + _WANTS_AT, _WANTS.itemsize)
        self.heard.append((_number_at(view, "turn"), _number_at(view, "seat"), wants))
        return answer


def _number_at(view: int, name: str) -> int:
    kind, offset = _VIEW_FIELDS[name][:2]
    return int(np.frombuffer(ctypes.string_at(view + offset, kind.itemsize), kind)[0])


def _observed(table: BotTable, observers: Sequence[_Observer | None]) -> BotTable:
    addresses = [
        observer.address if observer else int(own) for observer, own in zip(observers, table.addresses, strict=True)
    ]
    return table._replace(addresses=np.array(addresses, np.int64))


def _one_game(run: Run, log: Any) -> Games:
    """Find the game's rotation by its bots."""
    seating = seat_blocks(run.plan, log.game.block, 1)
    names = np.array(distinct_bots(run.plan), object)[seating.bots]
    row = int(np.flatnonzero((names == [seat.bot for seat in log.seats]).all(axis=1))[0])
    return Games(
        *(column[row : row + 1] for column in (seating.deals, seating.rotations, seating.bots, seating.places))
    )


def _is_logged_game(log: Any, turns: Sequence[Any]) -> bool:
    """Compare who moved in each turn, and the score and trains after it."""
    return all(
        turns[index_of("turns", name)].tolist() == [getattr(turn, name) for turn in log.turns]
        for name in ("seat", "score", "trains")
    )


def _by_scene(run: Run, log: Any, heard: Sequence[Heard]) -> Wants:
    """Last published routes of each seat at the end of each turn, setup first."""
    rows = in_canonical_order(run.edition).route_rows
    published = {(turn, seat): _routes(words, rows) for turn, seat, words in heard}
    now: list[frozenset[int]] = [frozenset()] * run.plan.players
    scenes = []
    for turn in range(-1, len(log.turns)):
        now = [published.get((turn, seat), wanted) for seat, wanted in enumerate(now)]
        scenes.append(now)
    return scenes


def _routes(words: bytes, rows: Sequence[int]) -> frozenset[int]:
    bits = np.unpackbits(np.frombuffer(words, np.uint8), bitorder="little")
    return frozenset(rows[place] for place in np.flatnonzero(bits).tolist())
