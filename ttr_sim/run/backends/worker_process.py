"""How a worker process begins: it leaves Ctrl-C to its parent, has a limit of memory, and ends when its parent does."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from ttr_sim.errors import UserError
from ttr_sim.run.control import PATIENCE, Controls

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor

Result = TypeVar("Result")

MEMORY_LIMIT = 4_000_000_000  # bytes of data; a bot in plain Python that wants more gets a MemoryError
GLANCE = 1.0  # seconds between two looks at the parent, or at the games
STANDSTILL = PATIENCE + 15.0  # seconds a turn may take: first the alarm of a single choice has its time
_NOWHERE = os.open(os.devnull, os.O_WRONLY)  # for as long as the process lives


def settle(parent: int) -> None:
    """Prepare this process to play parts for the parent."""
    _begin()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def dask_setup(worker: object) -> None:
    """Prepare a process that Dask starts, keeps and ends for this command; Dask calls this by its name."""
    _begin()


def _begin() -> None:
    faulthandler.enable(_NOWHERE)  # or joblib would, and what a bot breaks would fill the screen
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


def settled_process() -> ProcessPoolExecutor:
    """Return one process for this one to give work to; it starts with the first of it."""
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(1, initializer=settle, initargs=(os.getpid(),))


def in_a_process(
    task: Callable[[], Result], seconds: float, who: str, prepare: Callable[[], object] | None = None
) -> Result:
    """Carry out the task in a process of its own, which ends when a user's bot hangs, in whatever it hangs; what
    prepares the task, as compiling does, may take as long as it takes."""
    from concurrent.futures import BrokenExecutor

    pool = settled_process()
    try:
        return pool.submit(_within, seconds, task, prepare).result()  # type: ignore[no-any-return]
    except BrokenExecutor:
        raise UserError(
            f"{who} did not answer within {seconds:.0f} s, or ended the process it was asked in; an endless loop, a "
            "call into a library that never returns, or reading memory that is not its own may be why"
        ) from None
    finally:
        pool.shutdown(wait=False, kill_workers=True)


def _within(seconds: float, task: Callable[[], Result], prepare: Callable[[], object] | None) -> Result:
    if prepare is not None:
        prepare()
    _end_in(seconds)
    try:
        return task()
    finally:
        faulthandler.cancel_dump_traceback_later()


@contextmanager
def watched(controls: Controls) -> Iterator[None]:
    """End this process when a bot hangs in a library, where Python hears no alarm: its games then stand still."""
    over = threading.Event()
    watcher = threading.Thread(target=_put_off_the_end, args=(controls, over), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        faulthandler.cancel_dump_traceback_later()


def _put_off_the_end(controls: Controls, over: threading.Event) -> None:
    """Put it off as long as games go on. A library that lets no other thread run cannot keep it from coming."""
    seen, since = controls.heartbeats(), time.monotonic()
    while True:
        now, heartbeats = time.monotonic(), controls.heartbeats()
        if heartbeats != seen or not heartbeats:
            seen, since = heartbeats, now
        _end_in(max(GLANCE, since + STANDSTILL - now))
        if over.wait(GLANCE):
            return


def _end_in(seconds: float) -> None:
    """Let the process end by itself then, whatever it is doing; no Python is needed for that."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=_NOWHERE)
