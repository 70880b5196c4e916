"""Threads or processes of this machine that play parts, and the watchdog over them.

Each worker has a control array (laid out in `engine.play`), which its kernel reads and writes once a turn: a stop word,
and a heartbeat of game, turn and seat. Threads share it with this process, worker processes by a memory-mapped file.
"""

from __future__ import annotations

import _thread
import faulthandler
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ttr_sim.errors import Interrupted, UserError

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor

POLL_SECONDS = 0.2
PARENT_POLL_SECONDS = 1.0
TURN_TIMEOUT = 60.0  # seconds
# More for bots in processes: the alarm of a single choice, which names its line, comes first.
ALARM_SECONDS = 15.0
THREAD_GRACE = 3.0  # seconds a turn has to end after Ctrl-C
# In place of the seat: before the first turn, and while a part is written.
NOT_PLAYING = -1
# Bytes of data in a worker process; a bot in plain Python beyond it gets a MemoryError.
MEMORY_LIMIT = 4_000_000_000
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)

# Python puts the working directory on the path of each process it starts, so a pickle.py lying there would run.
# Workers, the resource tracker and a local cluster inherit this variable.
os.environ.setdefault("PYTHONSAFEPATH", "1")

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
    sentence: str


class WorkerError(UserError):
    """Failure specific to one worker."""


class Heartbeat(NamedTuple):
    item: Any
    game: int
    turn: int
    seat: int
    thoughts: int


class Backend(Protocol[Item_contra, Result_co]):
    name: str
    jobs: int
    grace: float
    turn_timeout: float
    stopping: bool

    def results(self, items: Iterable[Item_contra]) -> Iterator[Result_co | TaskError]:
        """Results as they arrive. After a stop no further item begins."""

    def heartbeats(self) -> dict[object, Heartbeat]:
        """Positions by worker."""

    def stop(self) -> None:
        """End every game at its next turn, and begin no further item."""


class Workers(Protocol):
    """Opens a backend for each piece of work of a command."""

    @property
    def jobs(self) -> int: ...

    def backend(self, work: Work[Item, Result]) -> AbstractContextManager[Backend[Item, Result]]: ...


@dataclass(frozen=True, slots=True)
class ThisMachine:
    jobs: int

    @contextmanager
    def backend(self, work: Work[Item, Result]) -> Iterator[Backend[Item, Result]]:
        pool = LocalPool(work, min(self.jobs, work.items))
        try:
            yield pool
        finally:
            for process in pool.processes.values():
                kill(process)
            if pool.shared is not None:
                pool.shared.cleanup()


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
        start = self._start_in_thread if self.work.in_threads else self._start_in_process
        while True:
            while idle and not self.stopping and (item := next(waiting, None)) is not None:
                worker = idle.pop()
                reset_control(self.controls[worker])
                # A stop that came before the reset is not missed.
                self.controls[worker, 0] = self.stopping
                self.under_way[start(worker, item)] = worker, item
            if not self.under_way:
                return
            # With a timeout: the watchdog interrupts this thread without a signal that would end the wait.
            for future in wait(self.under_way, POLL_SECONDS, FIRST_COMPLETED).done:
                worker, item = self.under_way.pop(future)
                idle.append(worker)
                try:
                    yield future.result()
                except BrokenExecutor:
                    yield TaskError(
                        f"a worker process died (worker {worker + 1} of {self.jobs}) in {self.work.describe(item)}: a "
                        f"bot crashed it, or memory ran out; finished parts are kept; {self.work.resume_hint}"
                    )

    def _start_in_thread(self, worker: int, item: Item) -> Future[Result | TaskError]:
        future: Future[Result | TaskError] = Future()

        def run() -> None:
            try:
                future.set_result(attempt(self.work.task, item, self.controls[worker]))
            except BaseException as error:
                future.set_exception(error)

        # A daemon: a bot that never answers must not keep the program from ending.
        threading.Thread(target=run, daemon=True).start()
        return future

    def _start_in_process(self, worker: int, item: Item) -> Future[Result | TaskError]:
        if worker not in self.processes:
            self.processes[worker] = worker_process()
        with ctrl_c_held_back():
            place = self.file, self.controls.shape, worker
            return self.processes[worker].submit(attempt_in_process, self.work.task, item, place)  # type: ignore[no-any-return]

    def heartbeats(self) -> dict[object, Heartbeat]:
        return {
            worker: heartbeat(item, self.controls[worker])
            # A copy: the watchdog is another thread.
            for worker, item in list(self.under_way.values())
        }

    def stop(self) -> None:
        self.stopping = True
        self.controls[:, 0] = 1  # the stop word


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


def attempt_in_process(
    task: Callable[[Item, Control], Result], item: Item, place: tuple[Path, tuple[int, ...], int]
) -> Result | TaskError:
    file, shape, worker = place
    return attempt(task, item, np.memmap(file, np.int64, "r+", shape=shape)[worker])


class Watchdog:
    """Shows progress, handles Ctrl-C and finds bots that hang, while games are played."""

    def __init__(self, backend: Backend[Any, Any], show: Counter, describe_hang: Callable[[Heartbeat], str]) -> None:
        self.backend, self.show, self.describe_hang = backend, show, describe_hang
        self.seen: dict[object, tuple[Heartbeat, float]] = {}
        self.hang: str | None = None
        self.stop_requested = 0.0
        self.over = threading.Event()

    @contextmanager
    def watching(self) -> Iterator[None]:
        thread = threading.Thread(target=self._watch, daemon=True)
        handlers: dict[int, Any] = {}
        # Elsewhere the caller handles signals.
        if threading.current_thread() is threading.main_thread():
            handlers = {number: signal.signal(number, self._interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
        thread.start()
        try:
            yield
        finally:
            self.over.set()
            thread.join()
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def _watch(self) -> None:
        while not self.over.wait(POLL_SECONDS):
            beats = self.backend.heartbeats()
            turn = max((beat.turn for beat in beats.values()), default=0)
            self.show(sum(beat.game for beat in beats.values()), turn)
            now = time.monotonic()
            for worker, beat in beats.items():
                # A bot hangs when the heartbeat of its turn stands still.
                last, since = self.seen.get(worker, (None, now))
                self.seen[worker] = beat, since if beat == last else now
                if beat.seat != NOT_PLAYING and now - self.seen[worker][1] > self.backend.turn_timeout:
                    self.hang = self.describe_hang(beat)
            late = self.stop_requested and now - self.stop_requested > self.backend.grace
            if self.hang or late:
                _thread.interrupt_main()  # it arrives in `_interrupt`
                return

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Stop gracefully first, then force."""
        if self.hang:
            raise UserError(self.hang)
        if self.stop_requested or not self.backend.grace:
            raise Interrupted
        self.stop_requested = time.monotonic()
        self.backend.stop()


@contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Start child processes with Ctrl-C blocked."""
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    # It starts with the first process, and until Python 3.12 unblocks signals.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def set_up_worker(parent: int) -> None:
    """Worker setup: ignore SIGINT, cap memory, exit with the parent."""

    def exit_with_parent() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_POLL_SECONDS)
        os._exit(1)

    dask_setup(None)
    threading.Thread(target=exit_with_parent, daemon=True).start()


def dask_setup(worker: object) -> None:
    """Set up a worker process, as Dask does by this name in a local cluster."""
    # A crash must not fill the user's screen.
    faulthandler.enable(os.open(os.devnull, os.O_WRONLY))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # a bot's prints are not the command's result
    limit_memory()


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = MEMORY_LIMIT if hard == resource.RLIM_INFINITY else min(MEMORY_LIMIT, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def worker_process() -> ProcessPoolExecutor:
    """A pool of one process, which starts with its first task."""
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(1, initializer=set_up_worker, initargs=(os.getpid(),))


def kill(process: ProcessPoolExecutor) -> None:
    """Kill the worker process immediately."""
    # loky's own kill trips over tasks that it has not handed out yet.
    for number in list(process._processes or {}):
        with suppress(ProcessLookupError):
            os.kill(number, KILL)
    process.shutdown(wait=False)


def in_a_process(
    task: Callable[[], Result], seconds: float, bots: str, prepare: Callable[[], object] | None = None
) -> Result:
    """Run a task that may hang or crash in a subprocess."""
    process = worker_process()
    try:
        with ctrl_c_held_back():
            ready = process.submit(prepare or os.getpid)
        ready.result()
        return process.submit(task).result(seconds)  # type: ignore[no-any-return]
    except (BrokenExecutor, TimeoutError):
        raise UserError(
            f"{bots} did not answer within {seconds:.0f} s, or ended the process it was asked in; an endless loop, a "
            "call into a library that never returns, or reading memory that is not its own may be why"
        ) from None
    finally:
        kill(process)


def over_processes(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[Result]:
    """Map over items in processes, keeping their order."""
    if jobs == 1 or len(items) == 1:
        yield from map(work, items)
        return
    from joblib import Parallel, delayed

    setup: dict[str, Any] = {"initializer": set_up_worker, "initargs": (os.getpid(),)}
    with ctrl_c_held_back():
        pool = Parallel(min(jobs, len(items)), backend="loky", return_as="generator", **setup)
        results = pool(delayed(work)(item) for item in items)
    yield from results
