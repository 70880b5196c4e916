"""How a worker process begins: it leaves Ctrl-C to its parent, has a limit of memory, and ends when its parent does."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

MEMORY_LIMIT = 4_000_000_000  # bytes of data; a bot in plain Python that wants more gets a MemoryError
GLANCE = 1.0  # seconds between two looks at the parent


def settle(parent: int) -> None:
    """Prepare this process to play parts for the parent."""
    _begin()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def dask_setup(worker: object) -> None:
    """Prepare a process that Dask starts, keeps and ends for this command; Dask calls this by its name."""
    _begin()


def _begin() -> None:
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


@contextmanager
def limited_memory() -> Iterator[None]:
    """Limit the memory of this process for a while, in which it runs a user's bot."""
    try:
        import resource
    except ImportError:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_DATA)
    limit_memory()
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _end_with(parent: int) -> None:
    """End at once when the parent was killed: nobody waits for this process any more."""
    while os.getppid() == parent:
        time.sleep(GLANCE)
    os._exit(1)
