"""How a process ends itself when a user's bot hangs in it: in a library Python hears no alarm."""

from __future__ import annotations

import faulthandler
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ttr_sim.errors import UserError
from ttr_sim.run.control import PATIENCE, Controls
from ttr_sim.run.worker_process import GLANCE, NOWHERE, end, holding_back_ctrl_c, settled_process

Result = TypeVar("Result")

STANDSTILL = PATIENCE + 15.0  # seconds a turn may take: first the alarm of a single choice has its time


def in_a_process(
    task: Callable[[], Result], seconds: float, who: str, prepare: Callable[[], object] | None = None
) -> Result:
    """Carry out the task in a process of its own, which ends when a user's bot hangs, in whatever it hangs; what
    prepares the task, as compiling does, may take as long as it takes."""
    from concurrent.futures import BrokenExecutor

    pool = settled_process()
    try:
        with holding_back_ctrl_c():
            answer = pool.submit(_within, seconds, task, prepare)
        return answer.result()  # type: ignore[no-any-return]
    except BrokenExecutor:
        raise UserError(
            f"{who} did not answer within {seconds:.0f} s, or ended the process it was asked in; an endless loop, a "
            "call into a library that never returns, or reading memory that is not its own may be why"
        ) from None
    finally:
        end(pool)


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
    faulthandler.dump_traceback_later(seconds, exit=True, file=NOWHERE)
