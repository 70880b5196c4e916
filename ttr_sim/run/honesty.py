"""Detect user bots that read hidden state.

Each decision is asked three times: as it is; once more, which shows whether the bot answers steadily at all; and with
all that is hidden dealt again, which must change neither the answer nor what the bot notes in its memory.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
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

SAMPLE_DECISIONS = 60  # at the start of a run
SAMPLE_SECONDS = 2.0
_FIELDS: Any = STATE.fields
_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class Examined(NamedTuple):
    """Number of decisions examined and the first problem."""

    decisions: int
    trouble: str | None


def examine(bots: LoadedBots, bot: int, players: int, deals: int, decisions: int, seconds: float) -> Examined:
    """Let a bot play against itself, asking each decision again; stop at the first trouble or when time is up."""
    asked, deadline = 0, float("inf")
    for deal in range(deals):
        for trouble in _play(_Seat(bots, bot), players, deal):
            asked += 1
            # From the first answer on: it may be compiled first.
            deadline = min(deadline, time.monotonic() + seconds)
            if trouble is not None or asked >= decisions or time.monotonic() > deadline:
                return Examined(asked, trouble)
    return Examined(asked, None)


def compile_questions(edition: Edition, players: int) -> None:
    """Compile the kernels that an examination uses."""
    game = Game(edition, players)
    answer = default_of_mover(game.boards, game.states)
    reason_against(game.boards, game.states, answer)
    resample_hidden(game.boards, game.states, 1)
    advance(game.boards, game.states, answer)


def sample(bots: LoadedBots, players: int) -> Iterator[str]:
    """Yield a sentence for each user bot that fails."""
    for place, guarded in enumerate(bots.table.guarded):
        if guarded:
            trouble = examine(bots, place, players, 1, SAMPLE_DECISIONS, SAMPLE_SECONDS).trouble
            if trouble is not None:
                yield trouble


def _play(seat: _Seat, players: int, deal: int) -> Iterator[str | None]:
    """Yield each decision's problem, or None, over one game."""
    game, random = Game(seat.bots.edition, players, deal=deal), Random(deal)
    game.state["seats"]["stream"] = np.arange(1, len(game.state["seats"]) + 1)
    while not game.is_over:
        answer, trouble = seat.question(game, random.getrandbits(60))
        yield trouble
        advance(game.boards, game.states, answer)


class _Seat:
    """One bot, called with the kernel's memory layout."""

    def __init__(self, bots: LoadedBots, bot: int) -> None:
        self.bots, self.bot = bots, bot
        self.owner = bots.owners[bot]
        self.call = _CALL(int(bots.table.addresses[bot]))

    def question(self, game: Game, key: int) -> tuple[int, str | None]:
        """Playable answer of the bot, and its problem."""
        before = _bytes(game.states).copy(), self._notes()
        first = self._ask(game)
        after = _bytes(game.states).copy(), self._notes()
        self._put_back(game, before)
        again = self._ask(game)
        self._put_back(game, before)
        resample_hidden(game.boards, game.states, key)
        dealt_anew = self._ask(game)
        self._put_back(game, after)
        answer = first[0] if first[0] != DEFAULT else default_of_mover(game.boards, game.states)
        return answer, self._trouble(game, answer, first == again, first == dealt_anew)

    def _trouble(self, game: Game, answer: int, is_steady: bool, is_honest: bool) -> str | None:
        spec, where = self.bots.specs[self.bot], f"turn {game.turn}, to {game.decision}"
        if answer in (RAISED, SPOILED) or reason_against(game.boards, game.states, answer) != FINE:
            return describe_failure(self.bots, self.bot, answer, game.boards, game.states)
        if not is_steady:
            return (
                f"{spec} answers differently when asked the same question again ({where}): it takes random numbers "
                "from elsewhere than draw_below(seat, n), or reads memory that is not its own"
            )
        if not is_honest:
            return f"{spec} looks at hidden cards: dealing them again changed its answer or its memory ({where})"
        return None

    def _ask(self, game: Game) -> tuple[int, bytes]:
        """The bot's answer and all seats' memories; bytes are copied, as records would lose their padding."""
        state, board = _bytes(game.states), _bytes(game.boards)
        shown = board.copy()
        view, copy, seats = (_FIELDS[name][1] for name in ("mover_view", "view_copy", "seats"))
        state[copy : copy + VIEW.itemsize] = state[view : view + VIEW.itemsize]
        at = state.ctypes.data
        answer = self.call(shown.ctypes.data, at + copy, at + seats + game.seat * BOT_MEMORY.itemsize)
        if (shown != board).any() or (state[copy : copy + VIEW.itemsize] != state[view : view + VIEW.itemsize]).any():
            answer = SPOILED
        return answer, game.state["seats"].tobytes()

    def _notes(self) -> Any:
        return self.owner.notes() if isinstance(self.owner, PlainBot) else None

    def _put_back(self, game: Game, before: tuple[np.ndarray, Any]) -> None:
        _bytes(game.states)[:] = before[0]
        if isinstance(self.owner, PlainBot):
            self.owner.take_back(before[1])


def _bytes(records: np.ndarray) -> np.ndarray:
    return records.view(np.uint8).reshape(-1)
