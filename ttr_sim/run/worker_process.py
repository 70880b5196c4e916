"""How a worker process begins: it leaves Ctrl-C to its parent, has a limit of memory, and ends when its parent does.

Little is loaded here, so that a process begins at once.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")

MEMORY_LIMIT = 4_000_000_000  # bytes of data; a bot in plain Python that wants more gets a MemoryError
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has the other one, and ends a process by it
GLANCE = 1.0  # seconds between two looks at the parent, or at the games
NOWHERE = os.open(os.devnull, os.O_WRONLY)  # for as long as the process lives


@contextmanager
def holding_back_ctrl_c() -> Iterator[None]:
    """Let processes start that do not hear Ctrl-C, until they can leave it to this one; it hears it a moment later."""
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    resource_tracker.ensure_running()  # it starts with the first process, and until Python 3.12 lets signals in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def settle(parent: int) -> None:
    """Prepare this process to play parts for the parent."""
    _begin()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    atexit.register(os._exit, 0)  # Python takes a quarter of a second to forget what it loaded, and the parent waits


def dask_setup(worker: object) -> None:
    """Prepare a process that Dask starts, keeps and ends for this command; Dask calls this by its name."""
    _begin()


def _begin() -> None:
    faulthandler.enable(NOWHERE)  # or joblib would, and what a bot breaks would fill the screen
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all, and a worker would print a traceback
    sys.stdout = sys.stderr  # what a bot prints is not the command's result
    limit_memory()


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = MEMORY_LIMIT if hard == resource.RLIM_INFINITY else min(MEMORY_LIMIT, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _end_with(parent: int) -> None:
    """End at once when the parent was killed: nobody waits for this process any more."""
    while os.getppid() == parent:
        time.sleep(GLANCE)
    os._exit(1)


def over_processes(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[Result]:
    """Yield the results in the order of the items; a single job, or a single item, needs no process of its own."""
    if jobs == 1 or len(items) == 1:
        yield from map(work, items)
        return
    from joblib import Parallel, delayed

    how = {"backend": "loky", "return_as": "generator", "initializer": settle, "initargs": (os.getpid(),)}
    with holding_back_ctrl_c():
        results = Parallel(min(jobs, len(items)), **how)(delayed(work)(item) for item in items)
    yield from results


def end(process: ProcessPoolExecutor) -> None:
    """End a process at once, whatever it is doing. The pool, told to kill it, would stumble in a thread of its own over
    what it has not yet handed out."""
    for number in list(process._processes or {}):
        with suppress(ProcessLookupError):
            os.kill(number, KILL)
    process.shutdown()


def settled_process() -> ProcessPoolExecutor:
    """Return one process for this one to give work to; it starts with the first of it."""
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(1, initializer=settle, initargs=(os.getpid(),))
