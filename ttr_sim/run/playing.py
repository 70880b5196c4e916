"""Many parts at once: joblib threads for compiled bots, processes for bots in plain Python."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from ttr_sim.errors import UserError
from ttr_sim.run.controls import CONTROLS
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.interrupted import Interrupted
from ttr_sim.run.parts import Part
from ttr_sim.run.plan import Plan
from ttr_sim.run.watch import Counter
from ttr_sim.run.workers import Played, Stopped, play_part

THREADS, PROCESSES = "threads", "processes"
JOBLIB_BACKENDS = {THREADS: "threading", PROCESSES: "loky"}
GLANCE = 0.2  # seconds between two looks at the heartbeats
GRACE = 3.0  # seconds a game may take to heed Ctrl-C


@dataclass(slots=True)
class Tally:
    """What has been played in this session."""

    games: int = 0
    bytes: int = 0
    first_start: float = float("inf")
    last_end: float = 0.0

    def add(self, part: Played) -> None:
        self.games += part.games
        self.bytes += part.bytes
        self.first_start = min(self.first_start, part.started)
        self.last_end = max(self.last_end, part.ended)

    @property
    def seconds(self) -> float:
        return max(0.0, self.last_end - self.first_start) if self.games else 0.0


def play_parts(
    plan: Plan, folder: Path, parts: Iterable[Part], jobs: int, backend: str, tally: Tally, show: Counter
) -> None:
    """Every part is on disk when this returns; what was played before an exception stays so, and in the tally."""
    reason = None
    with _told_of_signals(backend), _watched(tally, show):
        for outcome in _outcomes(plan, folder, parts, jobs, backend):
            if isinstance(outcome, Played):
                tally.add(outcome)
                show(tally.games)
            else:
                reason = reason or outcome.reason
                CONTROLS.stop()
    if reason is not None:
        raise UserError(reason)
    if CONTROLS.stopping:
        raise Interrupted


def _outcomes(plan: Plan, folder: Path, parts: Iterable[Part], jobs: int, backend: str) -> Iterator[Played | Stopped]:
    """In the order in which they come."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    how = {"backend": JOBLIB_BACKENDS[backend], "return_as": "generator_unordered", "batch_size": 1}
    # A single job must not play in this thread, which is to hear Ctrl-C: two workers, given one task at a time.
    parallel = Parallel(jobs, **how) if jobs > 1 else Parallel(2, pre_dispatch=1, **how)
    tasks = (delayed(play_part)(plan, folder, part) for part in parts if not CONTROLS.stopping)
    try:
        yield from parallel(tasks)
    except TerminatedWorkerError:
        way_on = RunFolder(folder).resume_command
        raise UserError(f"a worker process died (killed, or out of memory); go on with: {way_on}") from None


@contextmanager
def _told_of_signals(backend: str) -> Iterator[None]:
    """Ctrl-C lets threads end their turn; processes are cut off, for a bot in plain Python may never end its own."""
    CONTROLS.start()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    give_up = threading.Timer(GRACE, os._exit, [130])  # parts are whole or absent even so
    give_up.daemon = True

    def interrupt(number: int, frame: FrameType | None) -> None:
        if backend == PROCESSES:
            raise Interrupted
        if not CONTROLS.stopping:
            CONTROLS.stop()
            give_up.start()

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        give_up.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _watched(tally: Tally, show: Counter) -> Iterator[None]:
    """Looks at the heartbeats of this process's workers while they play."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(GLANCE):
            show(tally.games + CONTROLS.games_under_way())

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
