"""Workers that play parts: threads or processes of this machine; a Dask cluster is in `run.cluster`.

Each worker has a control array (laid out in `engine.play`), which its kernel reads and writes once a turn: a stop word,
and a heartbeat of game, turn and seat. Threads share it with this process by themselves, processes by a memory-mapped
file. A watchdog reads the heartbeats to show progress and to find bots that never answer.
"""

from __future__ import annotations

import _thread
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ttr_sim.errors import Interrupted, UserError
from ttr_sim.run.processes import ctrl_c_held_back, kill, worker_process

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor

POLL_SECONDS = 0.2
TURN_TIMEOUT = 60.0  # seconds
# More for bots in processes: the alarm of a single choice, which names its line, comes first.
ALARM_SECONDS = 15.0
THREAD_GRACE = 3.0  # seconds a turn has to end after Ctrl-C
# In place of the seat: before the first turn, and while a part is written.
NOT_PLAYING = -1

Control = NDArray[np.int64]
Item = TypeVar("Item")
Result = TypeVar("Result")
Item_contra = TypeVar("Item_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)


class Counter(Protocol):
    """Callback for finished games and the latest turn."""

    def __call__(self, done: int, turn: int = 0) -> None: ...


class ProgressListener(Protocol):
    """Progress callbacks, called from any thread."""

    def note(self, message: str) -> None:
        """Show a sentence."""

    def wait(self, message: str) -> AbstractContextManager[None]:
        """Show that something goes on whose end is not known."""

    def count(self, total: int, done: int) -> AbstractContextManager[Counter]:
        """Show progress from `done` to `total`."""


class SilentListener:
    """Listener that shows nothing."""

    def note(self, message: str) -> None:
        pass

    @contextmanager
    def wait(self, message: str) -> Iterator[None]:
        self.note(message)
        yield

    @contextmanager
    def count(self, total: int, done: int) -> Iterator[Counter]:
        yield lambda done, turn=0: None


@dataclass(frozen=True, slots=True)
class Work(Generic[Item, Result]):
    """Picklable task over many items.

    The task gets plain values, never an address or a handle of the parent, so it may run in a thread, in another
    process, or on another machine.
    """

    task: Callable[[Item, Control], Result]
    items: int
    # Whether threads can do it at the same time, without danger to this process.
    in_threads: bool
    prepare: Callable[[], object]  # compiles the kernels on another machine
    folder: Path | None  # shared with all workers
    describe: Callable[[Item], str]
    resume_hint: str
    note: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class TaskError:
    """Explanation of a failed item."""

    sentence: str


class WorkerError(UserError):
    """Failure specific to one worker."""


class Heartbeat(NamedTuple):
    """Position of a worker in its current item."""

    item: Any
    game: int
    turn: int
    seat: int
    thoughts: int


class Backend(Protocol[Item_contra, Result_co]):
    """Carries out one piece of work."""

    name: str
    jobs: int
    grace: float
    turn_timeout: float
    stopping: bool

    def results(self, items: Iterable[Item_contra]) -> Iterator[Result_co | TaskError]:
        """Results as they arrive; after a stop no further item begins."""

    def heartbeats(self) -> dict[object, Heartbeat]:
        """Where each worker is."""

    def stop(self) -> None:
        """End every game at its next turn, and begin no further item."""


class Workers(Protocol):
    """Opens a backend for each piece of work of a command."""

    @property
    def jobs(self) -> int: ...

    def backend(self, work: Work[Item, Result]) -> AbstractContextManager[Backend[Item, Result]]: ...


@dataclass(frozen=True, slots=True)
class ThisMachine:
    """Local workers: threads, or processes for bots unsafe in threads."""

    jobs: int

    @contextmanager
    def backend(self, work: Work[Item, Result]) -> Iterator[Backend[Item, Result]]:
        pool = LocalPool(work, min(self.jobs, work.items))
        try:
            yield pool
        finally:
            pool.close()


class LocalPool(Generic[Item, Result]):
    """A local pool with one item per worker, to identify crashes."""

    def __init__(self, work: Work[Item, Result], jobs: int) -> None:
        from ttr_sim.engine.play import N_CONTROL

        self.work, self.jobs, self.stopping = work, max(1, jobs), False
        self.name = "threads" if work.in_threads else "processes"
        self.grace = THREAD_GRACE if work.in_threads else 0.0  # processes can be cut off at once
        self.turn_timeout = TURN_TIMEOUT + (0.0 if work.in_threads else ALARM_SECONDS)
        self.under_way: dict[Future[Result | TaskError], tuple[int, Item]] = {}
        self.controls = np.zeros((self.jobs, N_CONTROL), np.int64)
        self.processes: dict[int, ProcessPoolExecutor] = {}
        self.shared: tempfile.TemporaryDirectory[str] | None = None
        if not work.in_threads:
            self.shared = tempfile.TemporaryDirectory(prefix="ttr-sim-")
            self.file = Path(self.shared.name) / "heartbeats"
            # Not a sparse file: a full disk must show here.
            self.file.write_bytes(self.controls.tobytes())
            self.controls = np.memmap(self.file, np.int64, "r+", shape=self.controls.shape)

    def results(self, items: Iterable[Item]) -> Iterator[Result | TaskError]:
        waiting, idle = iter(items), list(range(self.jobs))
        while True:
            while idle and not self.stopping and (item := next(waiting, None)) is not None:
                worker = idle.pop()
                reset_control(self.controls[worker])
                # A stop that came before the reset is not missed.
                self.controls[worker, 0] = self.stopping
                self.under_way[self._start(worker, item)] = worker, item
            if not self.under_way:
                return
            # With a timeout: the watchdog interrupts this thread without a signal that would end the wait.
            for future in wait(self.under_way, POLL_SECONDS, FIRST_COMPLETED).done:
                worker, item = self.under_way.pop(future)
                idle.append(worker)
                yield self._result(future, worker, item)

    def _start(self, worker: int, item: Item) -> Future[Result | TaskError]:
        if not self.work.in_threads:
            if worker not in self.processes:
                self.processes[worker] = worker_process()
            with ctrl_c_held_back():
                place = self.file, self.controls.shape, worker
                return self.processes[worker].submit(_attempt_in_process, self.work.task, item, place)  # type: ignore[no-any-return]
        future: Future[Result | TaskError] = Future()

        def run() -> None:
            try:
                future.set_result(attempt(self.work.task, item, self.controls[worker]))
            except BaseException as error:
                future.set_exception(error)

        # A daemon: a bot that never answers must not keep the program from ending.
        threading.Thread(target=run, daemon=True).start()
        return future

    def _result(self, future: Future[Result | TaskError], worker: int, item: Item) -> Result | TaskError:
        try:
            return future.result()
        except BrokenExecutor:
            return TaskError(
                f"a worker process died (worker {worker + 1} of {self.jobs}) in {self.work.describe(item)}: a bot "
                f"crashed it, or memory ran out; finished parts are kept; {self.work.resume_hint}"
            )

    def heartbeats(self) -> dict[object, Heartbeat]:
        return {
            worker: heartbeat(item, self.controls[worker])
            # A copy: the watchdog is another thread.
            for worker, item in list(self.under_way.values())
        }

    def stop(self) -> None:
        self.stopping = True
        self.controls[:, 0] = 1  # the stop word

    def close(self) -> None:
        for process in self.processes.values():
            kill(process)
        if self.shared is not None:
            self.shared.cleanup()


def reset_control(control: Control) -> None:
    from ttr_sim.engine.play import AT_SEAT

    control[:] = 0
    # Loading and compiling may take longer than a turn.
    control[AT_SEAT] = NOT_PLAYING


def heartbeat(item: object, control: Control) -> Heartbeat:
    from ttr_sim.engine.play import AT_GAME, AT_SEAT, AT_TURN, THOUGHTS

    return Heartbeat(item, *(int(control[at]) for at in (AT_GAME, AT_TURN, AT_SEAT, THOUGHTS)))


def attempt(task: Callable[[Item, Control], Result], item: Item, control: Control) -> Result | TaskError:
    try:
        return task(item, control)
    except UserError as error:
        return TaskError(str(error))


def _attempt_in_process(
    task: Callable[[Item, Control], Result], item: Item, place: tuple[Path, tuple[int, ...], int]
) -> Result | TaskError:
    file, shape, worker = place
    return attempt(task, item, np.memmap(file, np.int64, "r+", shape=shape)[worker])


class Watchdog:
    """Shows progress and handles Ctrl-C while games are played."""

    def __init__(self, backend: Backend[Any, Any], show: Counter, describe_hang: Callable[[Heartbeat], str]) -> None:
        self.backend, self.show, self.describe_hang = backend, show, describe_hang
        self.seen: dict[object, tuple[Heartbeat, float]] = {}
        self.hang: str | None = None
        self.stop_requested = 0.0
        self.over = threading.Event()

    def watch(self) -> None:
        while not self.over.wait(POLL_SECONDS):
            beats = self.backend.heartbeats()
            turn = max((beat.turn for beat in beats.values()), default=0)
            self.show(sum(beat.game for beat in beats.values()), turn)
            hanging = self._hanging(beats)
            if hanging is not None:
                self.hang = self.describe_hang(hanging)
            late = self.stop_requested and time.monotonic() - self.stop_requested > self.backend.grace
            if self.hang or late:
                _thread.interrupt_main()  # it arrives in `interrupt`
                return

    def _hanging(self, heartbeats: dict[object, Heartbeat]) -> Heartbeat | None:
        """Detect a turn that exceeds the timeout, by a heartbeat that stands still."""
        now = time.monotonic()
        for worker, beat in heartbeats.items():
            last, since = self.seen.get(worker, (None, now))
            self.seen[worker] = beat, since if beat == last else now
            if beat.seat != NOT_PLAYING and now - self.seen[worker][1] > self.backend.turn_timeout:
                return beat
        return None

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Stop gracefully first, then force."""
        if self.hang:
            raise UserError(self.hang)
        if self.stop_requested or not self.backend.grace:
            raise Interrupted
        self.stop_requested = time.monotonic()
        self.backend.stop()


@contextmanager
def watch_over(backend: Backend[Any, Any], show: Counter, describe_hang: Callable[[Heartbeat], str]) -> Iterator[None]:
    """Run a watchdog alongside the games."""
    watchdog = Watchdog(backend, show, describe_hang)
    thread = threading.Thread(target=watchdog.watch, daemon=True)
    handlers: dict[int, Any] = {}
    # Elsewhere the caller handles signals.
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.signal(number, watchdog.interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    thread.start()
    try:
        yield
    finally:
        watchdog.over.set()
        thread.join()
        for number, handler in handlers.items():
            signal.signal(number, handler)
