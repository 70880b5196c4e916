"""What a run and those around it say to each other while it plays.

Progress goes out through a Watch. Ctrl-C comes in as a stop word: each thread that plays has an array (laid out in
`engine.play`) that the kernel polls once a turn, with the stop word and a heartbeat of game, turn and seat. A watchdog
reads the heartbeats to show progress and to find bots that never answer.
"""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ttr_sim.engine.batch import new_control
from ttr_sim.engine.play import AT_GAME, AT_SEAT, AT_TURN, STOP_WORD, THOUGHTS
from ttr_sim.errors import Interrupted, UserError
from ttr_sim.run.lineups import Part

GLANCE = 0.2  # seconds between two looks at the heartbeats
PATIENCE = 60.0  # seconds a bot may take for one turn


class Counter(Protocol):
    """Receives the number of finished games, from time to time and from any thread, and at what turn the game is that
    has come farthest."""

    def __call__(self, done: int, turn: int = 0) -> None: ...


class Watch(Protocol):
    """Receives what a run reports, without the run knowing who listens."""

    def note(self, message: str) -> None:
        """Show a sentence."""

    def wait(self, message: str) -> AbstractContextManager[None]:
        """Show that something goes on whose end cannot be told."""

    def count(self, total: int, done: int) -> AbstractContextManager[Counter]:
        """Show progress from `done` to `total`."""


class Silence:
    """A Watch for notebooks and tests."""

    def note(self, message: str) -> None:
        pass

    @contextmanager
    def wait(self, message: str) -> Iterator[None]:
        self.note(message)
        yield

    @contextmanager
    def count(self, total: int, done: int) -> Iterator[Counter]:
        yield _ignore


def _ignore(done: int, turn: int = 0) -> None:
    pass


class Heartbeat(NamedTuple):
    """Where a worker is; `game` counts within its part."""

    part: Part
    game: int
    turn: int
    seat: int
    thoughts: int  # grow while a bot that searches thinks


class Pulse(NamedTuple):
    """How far unfinished parts are: the number of games they have finished, where a bot never answers, and the turn of
    the game that has come farthest."""

    games: int
    hanging: Heartbeat | None
    turn: int = 0


@dataclass(slots=True, eq=False)
class Controls:
    """The control arrays of all threads that play one piece of work in this process."""

    stopping: bool = False
    playing: dict[int, tuple[Part, NDArray[np.int64]]] = field(default_factory=dict)

    def stop(self) -> None:
        """End every game at its next turn, and let no further part begin."""
        self.stopping = True
        for _, control in list(self.playing.values()):
            control[STOP_WORD] = 1

    @contextmanager
    def of_this_thread(self, part: Part) -> Iterator[NDArray[np.int64]]:
        thread = threading.get_ident()
        control = new_control()
        self.playing[thread] = part, control
        control[STOP_WORD] = self.stopping  # only now that `stop` can see the array: a stop in between is not missed
        try:
            yield control
        finally:
            del self.playing[thread]

    def heartbeats(self) -> dict[int, Heartbeat]:
        """Return where each thread is."""
        return {
            thread: Heartbeat(part, *(int(control[at]) for at in (AT_GAME, AT_TURN, AT_SEAT, THOUGHTS)))
            for thread, (part, control) in list(self.playing.items())
        }


@dataclass(slots=True)
class Stillness:
    """Finds bots that never answer, by how long the heartbeats of this process stand still."""

    seen: dict[int, tuple[Heartbeat, float]] = field(default_factory=dict)

    def pulse(self, heartbeats: dict[int, Heartbeat]) -> Pulse:
        now, hanging = time.monotonic(), None
        for thread, heartbeat in heartbeats.items():
            last, since = self.seen.get(thread, (None, now))
            self.seen[thread] = heartbeat, since if heartbeat == last else now
            if heartbeat.game < heartbeat.part.games and now - self.seen[thread][1] > PATIENCE:
                hanging = heartbeat
        turn = max((heartbeat.turn for heartbeat in heartbeats.values()), default=0)
        return Pulse(sum(heartbeat.game for heartbeat in heartbeats.values()), hanging, turn)


class Playing(Protocol):
    """What the watchdog knows of a backend."""

    grace: float

    def pulse(self) -> Pulse: ...

    def stop(self) -> None: ...


class Watchdog:
    """Looks at what plays from a thread of its own; `describe_hang` names a bot that never answers."""

    def __init__(self, playing: Playing, show: Counter, describe_hang: Callable[[Heartbeat], str]) -> None:
        self.playing = playing
        self.show = show  # receives the number of games that unfinished parts have finished
        self.describe_hang = describe_hang
        self.trouble: str | None = None
        self.stop_requested = 0.0
        self.over = threading.Event()

    def watch(self) -> None:
        while not self.over.wait(GLANCE):
            pulse = self.playing.pulse()
            self.show(pulse.games, pulse.turn)
            if pulse.hanging is not None:
                self.trouble = self.describe_hang(pulse.hanging)
            if self.trouble or self._is_grace_over():
                _thread.interrupt_main()  # the main thread gets it in `interrupt`
                return

    def _is_grace_over(self) -> bool:
        return bool(self.stop_requested) and time.monotonic() - self.stop_requested > self.playing.grace

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Let all games finish their turn first; the second time, or when one of them does not, leave it behind."""
        if self.trouble:
            raise UserError(self.trouble)
        if self.stop_requested or not self.playing.grace:
            raise Interrupted
        self.stop_requested = time.monotonic()
        self.playing.stop()


@contextmanager
def watch_over(playing: Playing, show: Counter, describe_hang: Callable[[Heartbeat], str]) -> Iterator[None]:
    """Keep a watchdog while games are played."""
    watchdog = Watchdog(playing, show, describe_hang)
    watcher = threading.Thread(target=watchdog.watch, daemon=True)
    with _signals(watchdog):
        watcher.start()
        try:
            yield
        finally:
            watchdog.over.set()
            watcher.join()


@contextmanager
def _signals(watchdog: Watchdog) -> Iterator[None]:
    """Send Ctrl-C to the watchdog; only the main thread may listen to signals, elsewhere the caller handles them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, watchdog.interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
