"""Detect user bots that read hidden state.

Each decision is asked three times: as it is, once more, and with everything hidden dealt again.
"""

from __future__ import annotations

import ctypes
import time
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ttr_sim.bots import LoadedBots
from ttr_sim.bots.plain_bots import PlainBot, describe_failure
from ttr_sim.edition.model import Edition
from ttr_sim.engine.actions import DEFAULT, FINE
from ttr_sim.engine.bot_abi import RAISED, SPOILED
from ttr_sim.engine.records import BOT_MEMORY, STATE, VIEW
from ttr_sim.engine.stepping import Game, advance, default_of_mover, reason_against, resample_hidden

STATE_FIELDS: Any = STATE.fields
CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class Examined(NamedTuple):
    decisions: int
    trouble: str | None


def examine(bots: LoadedBots, bot: int, players: int, deals: int, decisions: int, seconds: float) -> Examined:
    """Examine a bot in play against itself until the first trouble or the deadline."""
    asked, deadline = 0, float("inf")
    for deal in range(deals):
        game, random = Game(bots.edition, players, deal=deal), Random(deal)
        game.state["seats"]["stream"] = np.arange(1, len(game.state["seats"]) + 1)
        seat = ExaminedSeat(bots, bot, game)
        while not game.is_over:
            answer, trouble = seat.question(random.getrandbits(60))
            asked += 1
            # From the first answer on: it may be compiled first.
            deadline = min(deadline, time.monotonic() + seconds)
            if trouble is not None or asked >= decisions or time.monotonic() > deadline:
                return Examined(asked, trouble)
            advance(game.boards, game.states, answer)
    return Examined(asked, None)


def compile_questions(edition: Edition, players: int) -> None:
    """Compile the kernels that an examination uses."""
    game = Game(edition, players)
    answer = default_of_mover(game.boards, game.states)
    reason_against(game.boards, game.states, answer)
    resample_hidden(game.boards, game.states, 1)
    advance(game.boards, game.states, answer)


class ExaminedSeat:
    """One bot in all seats of a game, called with the kernel's memory layout."""

    def __init__(self, bots: LoadedBots, bot: int, game: Game) -> None:
        self.bots, self.bot, self.game = bots, bot, game
        self.plain_bot = bots.owners[bot] if isinstance(bots.owners[bot], PlainBot) else None
        self.call = CALL(int(bots.table["address"][bot]))
        # As bytes, since copies of records lose their padding.
        self.state, self.board = (records.view(np.uint8).reshape(-1) for records in (game.states, game.boards))

    def question(self, key: int) -> tuple[int, str | None]:
        """Playable answer of the bot, and its problem."""
        game, before = self.game, self.snapshot()
        first = self.ask()
        after = self.snapshot()
        self.restore(before)
        is_steady = self.ask() == first
        self.restore(before)
        resample_hidden(game.boards, game.states, key)
        is_honest = self.ask() == first
        self.restore(after)
        answer = first[0] if first[0] != DEFAULT else default_of_mover(game.boards, game.states)
        spec, where = self.bots.specs[self.bot], f"turn {game.turn}, to {game.decision}"
        problem = None
        if answer in (RAISED, SPOILED) or reason_against(game.boards, game.states, answer) != FINE:
            problem = describe_failure(self.bots, self.bot, answer, game.boards, game.states)
        elif not is_steady:
            problem = (
                f"{spec} answers differently when asked the same question again ({where}): it takes random numbers "
                "from elsewhere than draw_below(seat, n), or reads memory that is not its own"
            )
        elif not is_honest:
            problem = f"{spec} looks at hidden cards: dealing them again changed its answer or its memory ({where})"
        return answer, problem

    def ask(self) -> tuple[int, bytes]:
        state, shown = self.state, self.board.copy()
        view, copy, seats = (STATE_FIELDS[name][1] for name in ("mover_view", "view_copy", "seats"))
        original = state[view : view + VIEW.itemsize]
        given = state[copy : copy + VIEW.itemsize]
        given[:] = original
        at = state.ctypes.data
        answer = self.call(shown.ctypes.data, at + copy, at + seats + self.game.seat * BOT_MEMORY.itemsize)
        if (shown != self.board).any() or (given != original).any():
            answer = SPOILED
        return answer, self.game.state["seats"].tobytes()

    def snapshot(self) -> tuple[np.ndarray, Any]:
        return self.state.copy(), self.plain_bot.notes() if self.plain_bot else None

    def restore(self, snapshot: tuple[np.ndarray, Any]) -> None:
        self.state[:] = snapshot[0]
        if self.plain_bot:
            self.plain_bot.take_back(snapshot[1])
