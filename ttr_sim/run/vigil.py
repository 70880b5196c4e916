"""Watch over a run while its workers play: Ctrl-C, progress, and bots that never answer."""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from ttr_sim.errors import UserError
from ttr_sim.run.controls import CONTROLS, Heartbeat
from ttr_sim.run.interrupted import Interrupted

GLANCE = 0.2  # seconds between two looks at the heartbeats
PATIENCE = 60.0  # seconds a bot may take over one turn

Hang = Callable[[Heartbeat], str]


class Vigil:
    """Looks at the heartbeats of this process from a thread of its own; `blame` puts a hanging bot in words."""

    def __init__(self, show: Callable[[int], None], blame: Hang, grace: float) -> None:
        self.show = show  # told the games that unfinished parts have behind them
        self.blame = blame
        self.grace = grace
        self.trouble: str | None = None
        self.stop_asked = 0.0
        self.over = threading.Event()
        self.seen: dict[int, tuple[Heartbeat, float]] = {}

    def watch(self) -> None:
        while not self.over.wait(GLANCE):
            heartbeats = CONTROLS.heartbeats()
            self.show(sum(heartbeat.game for heartbeat in heartbeats.values()))
            self._look_for_hanging(heartbeats)
            if self.trouble or (self.stop_asked and time.monotonic() - self.stop_asked > self.grace):
                _thread.interrupt_main()  # the main thread hears of it in `interrupt`
                return

    def _look_for_hanging(self, heartbeats: dict[int, Heartbeat]) -> None:
        now = time.monotonic()
        for thread, heartbeat in heartbeats.items():
            last, since = self.seen.get(thread, (None, now))
            self.seen[thread] = heartbeat, since if heartbeat == last else now
            if heartbeat.game < heartbeat.part.games and now - self.seen[thread][1] > PATIENCE:
                self.trouble = self.blame(heartbeat)

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """At first all games end their turn; asked again, or when one does not, leave it behind."""
        if self.trouble:
            raise UserError(self.trouble)
        if self.stop_asked or not self.grace:
            raise Interrupted
        self.stop_asked = time.monotonic()
        CONTROLS.stop()


@contextmanager
def keep_vigil(show: Callable[[int], None], blame: Hang, grace: float) -> Iterator[None]:
    """`grace`: seconds that a turn may take to heed Ctrl-C."""
    CONTROLS.start()
    vigil = Vigil(show, blame, grace)
    watcher = threading.Thread(target=vigil.watch, daemon=True)
    with _signals(vigil):
        watcher.start()
        try:
            yield
        finally:
            vigil.over.set()
            watcher.join()


@contextmanager
def _signals(vigil: Vigil) -> Iterator[None]:
    """Only the main thread may listen to signals; elsewhere the caller sees to them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, vigil.interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
