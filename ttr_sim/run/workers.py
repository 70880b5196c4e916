"""Pools of workers that play a run's parts, and the threads and processes of this machine.

A worker's control array (see `engine.play`) holds a stop word and a heartbeat, which kernels read and write each turn.
"""

from __future__ import annotations

import signal
import tempfile
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ttr_sim.errors import Interrupted, UserError
from ttr_sim.run.processes import Item, Result, ctrl_c_held_back, kill, worker_process

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor

POLL_SECONDS = 0.2
TURN_TIMEOUT = 60.0  # seconds
# More for bots in processes: the alarm of a single choice, which names its line, comes first.
ALARM_SECONDS = 15.0
RESULT_TIMEOUT = 5.0
# In place of the seat: before the first turn, since compiling may take longer than a turn, and while a part is written.
NOT_PLAYING = -1
NEW_HEARTBEAT = (0, 0, NOT_PLAYING, 0)

Control = NDArray[np.int64]
Counter = Callable[[int, int], object]  # of finished games and the latest turn


class ProgressListener(Protocol):
    """Progress callbacks, called from any thread."""

    def note(self, message: str) -> None:
        """Show a sentence."""

    def wait(self, message: str) -> AbstractContextManager[None]:
        """Show that something goes on, without an end in sight."""

    def count(self, total: int, done: int) -> AbstractContextManager[Counter]:
        """Show progress from `done` to `total`."""


class WorkerError(UserError):
    """Failure specific to one worker."""


class Heartbeat(NamedTuple):
    """An item, and the numbers of its control array after the stop word."""

    item: Any
    game: int
    turn: int
    seat: int
    thoughts: int


@dataclass(frozen=True, slots=True)
class Work(Generic[Item, Result]):
    """A picklable task over many items, and sentences about them.

    The task gets plain values, never an address or a handle of the parent, so it may run in a thread, in another
    process, or on another machine.
    """

    task: Callable[[Item, Control], Result]
    items: int
    # Whether threads can do it at the same time, without danger to this process.
    in_threads: bool
    folder: Path | None  # shared with all workers
    describe: Callable[[Item], str]
    describe_hang: Callable[[Heartbeat], str]
    resume_hint: str
    note: Callable[[str], None]


class Workers(Protocol):
    """Opens a pool for each piece of work of a command."""

    @property
    def jobs(self) -> int: ...

    def pool(self, work: Work[Item, Result]) -> Pool[Item, Result]: ...


class Pool(Generic[Item, Result]):
    """Slots that take one item each, with progress, Ctrl-C and a watchdog over hanging bots.

    A subclass starts items in its slots. While the pool is open, Ctrl-C stops games at their next turn, and a second
    one, or the end of the grace period, cuts them off.
    """

    name: str
    jobs = 1
    grace = 0.0  # seconds a turn has to end after Ctrl-C

    def __init__(self, work: Work[Item, Result]) -> None:
        self.work, self.stopping, self.turn_timeout = work, False, TURN_TIMEOUT
        self.interrupted_at = self.next_look = 0.0
        self.idle: list[Any] = []  # slots
        self.pending: list[tuple[Item, int]] = []  # with the number of failures
        self.under_way: dict[Any, tuple[Any, Item, int]] = {}  # by future: slot, item and failures
        self.handlers: dict[int, Any] = {}

    @abstractmethod
    def start(self, slot: Any, item: Item) -> Any:
        """Start the item in the slot and give its future."""

    @abstractmethod
    def problem_of(self, slot: Any, item: Item, failures: int, error: Exception) -> str | None:
        """Sentence that ends the run, or None if the item is played again."""

    @abstractmethod
    def heartbeats(self) -> dict[object, Heartbeat]:
        """Positions by worker."""

    @abstractmethod
    def close(self) -> None:
        """End all games at once."""

    def refresh(self) -> None:
        """Look for workers that came or went."""

    def stop(self) -> None:
        """End every game at its next turn, and begin no further item."""
        self.stopping = True

    def __enter__(self) -> Self:
        # In another thread the caller handles signals.
        if threading.current_thread() is threading.main_thread():
            self.handlers = {at: signal.signal(at, self.interrupt) for at in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self.handlers.items():
            signal.signal(number, handler)
        self.close()

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.interrupted_at or not self.grace:
            raise Interrupted
        self.interrupted_at = time.monotonic()
        self.stop()

    def results(self, items: Iterable[Item], show: Counter = lambda done, turn: None) -> Iterator[Result]:
        """Yield results as they arrive, then raise the first problem, or Interrupted after a stop."""
        upcoming = ((item, 0) for item in items)
        finished: SimpleQueue[Any] = SimpleQueue()
        seen: dict[object, tuple[Heartbeat, float]] = {}
        problem = None
        self.pending = [*islice(upcoming, 1)]
        while self.under_way or (self.pending and not self.stopping):
            self.refresh()
            while self.idle and self.pending and not self.stopping:
                (item, failures), slot = self.pending.pop(), self.idle.pop()
                future = self.start(slot, item)
                self.under_way[future] = slot, item, failures
                future.add_done_callback(finished.put)
                if not self.pending:
                    self.pending.extend(islice(upcoming, 1))
            try:
                future = finished.get(timeout=POLL_SECONDS)
            except Empty:
                future = None
            # A lost worker's item is no longer under way.
            if future in self.under_way:
                slot, item, failures = self.under_way.pop(future)
                self.idle.append(slot)
                try:
                    result = future.result(RESULT_TIMEOUT)
                except Exception as error:
                    sentence = self.problem_of(slot, item, failures, error)
                    if sentence is not None:
                        problem = problem or sentence
                        self.stop()
                else:
                    yield result
            self.watch(seen, show)
        if problem is not None:
            raise UserError(problem)
        if self.stopping:
            raise Interrupted

    def watch(self, seen: dict[object, tuple[Heartbeat, float]], show: Counter) -> None:
        """Show progress, and end the run when a turn or the stop takes too long."""
        now = time.monotonic()
        # A cluster may finish hundreds of parts a second.
        if now < self.next_look:
            return
        self.next_look, beats = now + POLL_SECONDS, self.heartbeats()
        show(sum(beat.game for beat in beats.values()), max((beat.turn for beat in beats.values()), default=0))
        for worker, beat in beats.items():
            # A bot hangs when the heartbeat of its turn stands still.
            last, since = seen.get(worker, (None, now))
            seen[worker] = beat, since if beat == last else now
            if beat.seat != NOT_PLAYING and now - seen[worker][1] > self.turn_timeout:
                raise UserError(self.work.describe_hang(beat))
        if self.interrupted_at and now - self.interrupted_at > self.grace:
            raise Interrupted


@dataclass(frozen=True, slots=True)
class ThisMachine:
    jobs: int

    def pool(self, work: Work[Item, Result]) -> Pool[Item, Result]:
        return LocalPool(work, min(self.jobs, work.items))


class LocalPool(Pool[Item, Result]):
    """Threads, or processes of one worker each, to identify crashes."""

    def __init__(self, work: Work[Item, Result], jobs: int) -> None:
        # Numba loads here, after the request was checked.
        from ttr_sim.engine.play import N_CONTROL

        super().__init__(work)
        self.jobs = max(1, jobs)
        self.idle = [*range(self.jobs)]
        # Worker processes share them by a memory-mapped file.
        self.controls = np.zeros((self.jobs, N_CONTROL), np.int64)
        self.processes: dict[int, ProcessPoolExecutor] = {}
        self.shared: tempfile.TemporaryDirectory[str] | None = None
        if work.in_threads:
            self.name, self.grace = "threads", 3.0
        else:
            self.name, self.turn_timeout = "processes", TURN_TIMEOUT + ALARM_SECONDS
            self.shared = tempfile.TemporaryDirectory(prefix="ttr-sim-")
            self.file = Path(self.shared.name) / "heartbeats"
            # Not a sparse file: a full disk must show here.
            self.file.write_bytes(self.controls.tobytes())
            self.controls = np.memmap(self.file, np.int64, "r+", shape=self.controls.shape)

    def start(self, slot: int, item: Item) -> Future[Result]:
        # A stop that came before the reset is not missed.
        self.controls[slot] = (self.stopping, *NEW_HEARTBEAT)
        future: Future[Result] = Future()
        if self.work.in_threads:

            def run() -> None:
                try:
                    future.set_result(self.work.task(item, self.controls[slot]))
                except BaseException as error:
                    future.set_exception(error)

            # A daemon: a bot that never answers must not keep the program from ending.
            threading.Thread(target=run, daemon=True).start()
            return future
        if slot not in self.processes:
            self.processes[slot] = worker_process()
        try:
            with ctrl_c_held_back():
                place = self.file, self.controls.shape, slot
                future = self.processes[slot].submit(do_in_process, self.work.task, item, place)
        except BrokenExecutor as error:  # it died between two items
            future.set_exception(error)
        return future

    def problem_of(self, slot: int, item: Item, failures: int, error: Exception) -> str:
        if isinstance(error, BrokenExecutor):
            return (
                f"a worker process died (worker {slot + 1} of {self.jobs}) in {self.work.describe(item)}: a "
                f"bot crashed it, or memory ran out; finished parts are kept; {self.work.resume_hint}"
            )
        if isinstance(error, UserError):
            return str(error)
        raise error

    def heartbeats(self) -> dict[object, Heartbeat]:
        return {slot: Heartbeat(item, *self.controls[slot, 1:].tolist()) for slot, item, _ in self.under_way.values()}

    def stop(self) -> None:
        self.stopping = True
        self.controls[:, 0] = 1  # the stop word

    def close(self) -> None:
        for process in self.processes.values():
            kill(process)
        if self.shared is not None:
            self.shared.cleanup()


def do_in_process(
    task: Callable[[Item, Control], Result], item: Item, place: tuple[Path, tuple[int, ...], int]
) -> Result:
    file, shape, slot = place
    return task(item, np.memmap(file, np.int64, "r+", shape=shape)[slot])
