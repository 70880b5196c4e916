"""Processes of this machine: their setup, tasks that run in them, and the one that helps to compile."""

from __future__ import annotations

import atexit
import faulthandler
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, TypeVar

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor

    from ttr_sim.run.workers import ProgressListener

PARENT_POLL_SECONDS = 1.0
# Bytes of data in a worker process; a bot in plain Python beyond it gets a MemoryError.
MEMORY_LIMIT = 4_000_000_000
COMPILING = "compiling the engine, once (about twenty seconds)"

Item = TypeVar("Item")
Result = TypeVar("Result")

# Python puts the working directory on the path of each process it starts, so a pickle.py lying there would run.
# Workers, the resource tracker and a local cluster inherit this variable.
os.environ.setdefault("PYTHONSAFEPATH", "1")

_compiler: list[subprocess.Popen[bytes]] = []


@contextmanager
def compiling(watch: ProgressListener) -> Iterator[None]:
    """Show compile progress and start compiling the engine in a second process."""
    # The bots, which this process compiles, and the engine share little: each takes about half of the time.
    from ttr_sim.engine.jit import is_cache_cold

    is_running = any(process.poll() is None for process in _compiler)
    if not is_running and not is_cache_cold():
        yield
        return
    with watch.wait("still compiling" if is_running else COMPILING):
        if not _compiler:
            quiet = subprocess.DEVNULL
            words = [sys.executable, "-P", "-m", "ttr_sim.run.processes"]
            _compiler.append(subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet))
            atexit.register(_compiler[0].kill)
        yield


def compile_engine(edition: Edition) -> None:
    """Compile all kernels by starting and stopping one game, or load them from the cache."""
    import numpy as np

    from ttr_sim.bots import load_bots
    from ttr_sim.engine.board import compile_board
    from ttr_sim.engine.play import STOP_WORD, Games, new_control, play_batch

    for process in _compiler:
        process.wait()
    # The number of players and the log are plain values to the kernels: one game compiles for all.
    players = edition.players[0]
    zeros = np.zeros((1, players), np.int64)
    games = Games(zeros[0, :1], zeros[0, :1], zeros, np.arange(players)[None, :])
    table = load_bots(("random",), edition).table
    control = new_control()
    # On some boards a whole game takes long, and could not be interrupted here.
    control[STOP_WORD] = 1
    play_batch(compile_board(edition), players, 1, games, table, True, control)


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

    dask_setup()
    threading.Thread(target=exit_with_parent, daemon=True).start()


def dask_setup(worker: object = None) -> None:
    """Set up a worker process, as Dask does by this name in a local cluster."""
    # A crash must not fill the user's screen.
    faulthandler.enable(os.open(os.devnull, os.O_WRONLY))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # a bot's prints are not the command's result
    with suppress(ImportError):  # Windows has no such limits
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        limit = MEMORY_LIMIT if hard == resource.RLIM_INFINITY else min(MEMORY_LIMIT, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def worker_process() -> ProcessPoolExecutor:
    """A pool of one process, which starts with its first task."""
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(1, initializer=set_up_worker, initargs=(os.getpid(),))


def kill(process: ProcessPoolExecutor) -> None:
    # loky's own kill trips over tasks that it has not handed out yet.
    for number in list(process._processes or {}):
        with suppress(ProcessLookupError):
            os.kill(number, getattr(signal, "SIGKILL", signal.SIGTERM))
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


if __name__ == "__main__":
    compile_engine(load_edition("usa"))
