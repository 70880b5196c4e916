"""Users' bots: plain Python called through ctypes with the engine's records, and failures in words.

Compiled bots are called in engine/bot_abi.py.
"""

from __future__ import annotations

import ctypes
import operator
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from ttr_sim.edition.canonical import in_canonical_order
from ttr_sim.engine.actions import GAME_OVER
from ttr_sim.engine.board import BOARD
from ttr_sim.engine.bot_abi import RAISED, SPOILED
from ttr_sim.engine.records import BOT_MEMORY, VIEW
from ttr_sim.engine.stepping import DECISIONS, answer_in_words

if TYPE_CHECKING:
    from ttr_sim.bots.loading import LoadedBots

Choose = Callable[[Any, Any, Any], Any]

CHOICE_SECONDS = 60.0  # seconds after which a choice counts as hanging
MOST = 1 << 62  # a larger answer does not fit the engine's int64, and means nothing anyway
_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class PlainBot:
    """A bot in plain Python, with its last failure in `trouble`. It must outlive the use of `address`."""

    def __init__(self, file: Path, make: Callable[[], Choose]) -> None:
        self.file = file
        self.make = make  # a chooser for one seat of one game
        self.trouble: str | None = None
        self._choosers: dict[int, Choose] = {}
        self._records: dict[int, Any] = {}
        self._callback = _SIGNATURE(self._answer)

    @property
    def address(self) -> int:
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def notes(self) -> dict[int, Choose]:
        """Copy the choosers with all their state."""
        return _copied(self._choosers)

    def take_back(self, notes: dict[int, Choose]) -> None:
        """Restore choosers from a copy."""
        self._choosers = _copied(notes)

    def _answer(self, board_at: int, view_at: int, seat_at: int) -> int:
        """Answer RAISED after any failure.

        No exception may leave this call: ctypes would swallow it and answer 0, which is a legal answer.
        """
        try:
            board, view = self._record(BOARD, board_at), self._record(VIEW, view_at)
            seat = self._record(BOT_MEMORY, seat_at)
            # The engine clears a seat's memory when a game begins.
            if seat.memory[-1] == 0:
                seat.memory[-1] = 1
                self._choosers[seat_at] = self.make()
            with _alarm():
                answer = operator.index(self._choosers[seat_at](board, view, seat))
            if -MOST < answer < MOST:
                return answer
            self.trouble = "answered with a meaningless number"
        except BaseException as error:
            self.trouble = _in_words(error, self.file)
        return RAISED

    def trouble_in(self, board: np.ndarray, state: np.ndarray) -> str | None:
        return self.trouble

    def _record(self, kind: np.dtype[Any], at: int) -> Any:
        record = self._records.get(at)
        if record is None:
            room: Any = (ctypes.c_char * kind.itemsize).from_address(at)
            record = self._records[at] = np.frombuffer(room, np.dtype((np.record, kind)))[0]
        return record


@dataclass(frozen=True, slots=True)
class CompiledBot:
    """A user's compiled bot and its function. It must outlive the use of `address`."""

    file: Path
    function: Choose
    code: Any
    address: int

    def trouble_in(self, board: np.ndarray, state: np.ndarray) -> str | None:
        """Repeat the choice in plain Python, where an exception has a line. None: it raises nothing."""
        # NumPy would only warn of a division by zero.
        seat = int(state[0]["mover_view"]["seat"])
        try:
            with _alarm(), np.errstate(divide="raise", invalid="raise", over="ignore"):
                self.function(_copy(board), _copy(state["mover_view"]), _copy(state["seats"][:, seat]))
        except BaseException as error:
            return _in_words(error, self.file)
        return None


def _copy(records: np.ndarray) -> Any:
    """Copy the first record. Its fields have names as in compiled code."""
    return records[:1].copy().view(np.dtype((np.record, records.dtype)))[0]


def _in_words(error: BaseException, file: Path) -> str:
    if isinstance(error, _TooLong):
        return f"took more than {CHOICE_SECONDS:.0f} s for one choice"
    steps = traceback.extract_tb(error.__traceback__)
    lines = [step.lineno for step in steps if Path(step.filename) == file.resolve()]
    where = f" in line {lines[-1]} of {file.name}" if lines else ""
    return f"raised {type(error).__name__}{where}: {error}"


def _copied(choosers: dict[int, Choose]) -> dict[int, Choose]:
    try:
        return deepcopy(choosers)
    except Exception:  # whatever a user's class holds that cannot be copied
        return dict(choosers)


class _TooLong(BaseException):
    """Not an Exception, so that a bot's own `except Exception` cannot stop it."""


@contextmanager
def _alarm() -> Iterator[None]:
    """Interrupt a choice that hangs."""
    # Signals reach the main thread only; the run watches the other threads.
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, CHOICE_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: FrameType | None) -> None:
    raise _TooLong


def describe_failure(bots: LoadedBots, bot: int, answer: int, board: np.ndarray, state: np.ndarray) -> str:
    """Describe the decision and the failure.

    As in `my_bots.py:Greedy was to take a turn and answered "claim Denver - Omaha ...", which the rules refuse`.
    """
    decision = int(state[0]["mover_view"]["decision"])
    if answer == SPOILED:
        who = f"{bots.specs[bot]}{', or another bot file of this game,' if decision == GAME_OVER else ''}"
        return f"{who} wrote to the board or the view, which belong to the game; keep notes in seat.memory"
    asked = f"{bots.specs[bot]} was to {DECISIONS.get(decision, 'choose')}"
    if answer == RAISED:
        trouble = bots.owners[bot].trouble_in(board, state)
        return f"{asked} and {trouble or 'raised an exception (an index out of range, or a division by zero)'}"
    try:
        words = answer_in_words(in_canonical_order(bots.edition).edition, answer, [])
    except IndexError:
        words = f"the meaningless answer {answer}"
    return f'{asked} and answered "{words}", which the rules refuse'
