"""What runs inside a worker of a Dask cluster: it shows itself, carries out items, says how far it is, can stop."""

from __future__ import annotations

import hashlib
import pickle
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ttr_sim.engine.jit import CACHE_FOLDER, PACKAGE
from ttr_sim.errors import UserError
from ttr_sim.run.backends import Item, MishapError, Result, Trouble
from ttr_sim.run.control import Controls, Stillness
from ttr_sim.run.folder import versions

BEAT = 1.0  # seconds between two messages about an item


@dataclass(frozen=True, slots=True)
class Sight:
    """What a worker shows of itself."""

    machine: str  # by which compiled kernels are shared
    made_of: dict[str, str]
    token: str | None  # as it stands in the shared folder


class UnknownWorkerError(Exception):
    """This process has not been looked at: it took the place, and the address, of one that was."""


_seen: set[str] = set()  # tokens of the clients that have looked at this process
_playing: dict[str, set[Controls]] = {}  # by token
_stopped: set[str] = set()


def look(token: str, mark: Path | None) -> Sight:
    """Show this process to a client; `mark` is the client's file in the shared folder."""
    _seen.add(token)
    return Sight(f"{socket.gethostname()} {CACHE_FOLDER}", made_of(), _text_of(mark))


def _text_of(mark: Path | None) -> str | None:
    try:
        return None if mark is None else mark.read_text()
    except OSError:
        return None


@cache
def made_of() -> dict[str, str]:
    """Return what has to be the same everywhere, for the same plan to give the same rows."""
    sources = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        sources.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return {**versions(), "the source code of ttr-sim": sources.hexdigest()[:12]}


def carry_out(token: str, key: str, task: Callable[[Item, Controls], Result], item: Item) -> None:
    """Send what comes of the item as a message: a result that a worker keeps would be lost with it."""
    if token not in _seen:
        raise UnknownWorkerError
    with _controlled(token) as controls, _heard(token, key, controls):
        outcome = _attempt(task, item, controls)
    _send(token, {"key": key, "outcome": pickle.dumps(outcome)})


def _attempt(task: Callable[[Item, Controls], Result], item: Item, controls: Controls) -> Result | Trouble:
    try:
        return task(item, controls)
    except MishapError:
        raise
    except UserError as error:
        return Trouble(str(error))


@contextmanager
def _controlled(token: str) -> Iterator[Controls]:
    controls = Controls()
    playing = _playing.setdefault(token, set())
    playing.add(controls)
    controls.stopping = token in _stopped  # only now that `stop` can see it: a stop in between is not missed
    try:
        yield controls
    finally:
        playing.discard(controls)


def stop(token: str) -> None:
    """End every game of the client at its next turn; runs in the worker's event loop."""
    _stopped.add(token)
    for controls in list(_playing.get(token, ())):
        controls.stop()


@contextmanager
def _heard(token: str, key: str, controls: Controls) -> Iterator[None]:
    """Report how far the item is while it is carried out."""
    over = threading.Event()
    thread = threading.Thread(target=_report, args=(token, key, controls, over, _worker()), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()


def _report(token: str, key: str, controls: Controls, over: threading.Event, worker: Any) -> None:
    """Durations are this machine's: clocks of machines are never compared."""
    stillness = Stillness()
    while not over.wait(BEAT):
        pulse = stillness.pulse(controls.heartbeats())
        hanging = None if pulse.hanging is None else list(map(int, pulse.hanging[1:]))
        worker.log_event(token, {"key": key, "games": pulse.games, "turn": pulse.turn, "hanging": hanging})


def _send(token: str, message: dict[str, Any]) -> None:
    _worker().log_event(token, message)


def _worker() -> Any:
    from distributed import get_worker

    return get_worker()
