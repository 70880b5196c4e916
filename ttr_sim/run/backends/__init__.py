"""Who plays: threads or processes of this machine, or a Dask cluster. Nothing else in `run` knows which.

A command hands its workers on from its options to whatever plays; they open a backend for each piece of work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from ttr_sim.errors import UserError
from ttr_sim.run.control import Controls, Pulse

LOCAL = "local:"
MOST_PROCESSES = 256  # of a cluster on this machine
Item = TypeVar("Item")
Result = TypeVar("Result")
Item_contra = TypeVar("Item_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Work(Generic[Item, Result]):
    """A pure task for each of many items, which may be carried out in any order and more than once.

    The task gets plain values, never an address or a handle of the parent, so it may run in a thread, in another
    process, or on another machine.
    """

    task: Callable[[Item, Controls], Result]
    items: int
    compiled: bool  # whether threads can do it at the same time
    prepare: Callable[[], object]  # compiles the kernels, which the parent has done for its own machine
    folder: Path | None  # where the task writes to
    describe: Callable[[Item], str]
    how_to_go_on: str  # for a sentence about what ended the work
    note: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Trouble:
    """What came of an item instead of a result."""

    sentence: str


class MishapError(UserError):
    """What befell a worker, and may not befall another: a full disk, or too little memory."""


class Backend(Protocol[Item_contra, Result_co]):
    """Carries out one piece of work."""

    name: str
    jobs: int
    grace: float  # seconds a turn has to end after Ctrl-C

    @property
    def stopping(self) -> bool:
        """Return whether somebody has stopped it."""

    def results(self, items: Iterable[Item_contra]) -> Iterator[Result_co | Trouble]:
        """Yield what comes of the items as it arrives; after a stop, begin no further item."""

    def pulse(self) -> Pulse:
        """Return how far the unfinished items are."""

    def stop(self) -> None:
        """End every game at its next turn, and begin no further item."""


class Workers(Protocol):
    """Those who play, for as many pieces of work as a command has."""

    @property
    def jobs(self) -> int:
        """Return how many items are carried out at the same time."""

    def backend(self, work: Work[Item, Result]) -> AbstractContextManager[Backend[Item, Result]]:
        """Open what carries the work out."""


@dataclass(frozen=True, slots=True)
class ThisMachine:
    """Plays by threads, or by processes what threads cannot do at the same time."""

    jobs: int

    @contextmanager
    def backend(self, work: Work[Item, Result]) -> Iterator[Backend[Item, Result]]:
        from ttr_sim.run.backends.local import Processes, Threads  # Numba loads here, after the options were checked

        kind: type[Threads[Item, Result]] = Threads if work.compiled else Processes
        yield kind(work, self.jobs)


class Cluster:
    """Plays by a Dask cluster, which is connected to when the first games are to be played, and left at the end."""

    def __init__(self, address: str) -> None:
        self.address, self.processes = address, _processes(address)
        if find_spec("distributed") is None:
            raise UserError('--cluster needs Dask; install it with: pip install "ttr-sim[cluster]"')
        self.resources = ExitStack()
        self.client: Any = None
        self.said = ""

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *trouble: object) -> None:
        self.resources.close()

    @property
    def jobs(self) -> int:
        return self.processes or max(1, sum(self._connected().nthreads().values()))

    @contextmanager
    def backend(self, work: Work[Item, Result]) -> Iterator[Backend[Item, Result]]:
        from ttr_sim.run.backends.cluster import Dask

        dask: Dask[Item, Result] = Dask(self._connected(), work, self.address, self._say)
        with dask.opened():
            yield dask

    def _say(self, sentence: str, note: Callable[[str], None]) -> None:
        """Note who plays, unless the work before was played by as many."""
        if sentence != self.said:
            note(sentence)
        self.said = sentence

    def _connected(self) -> Any:
        from ttr_sim.run.backends.connection import connected, local_cluster

        if self.client is None:
            address = self.address
            if self.processes:
                address = self.resources.enter_context(local_cluster(self.processes))
            self.client = self.resources.enter_context(connected(address))
        return self.client


def _processes(address: str) -> int:
    """Return how many processes of this machine the address asks for; 0: it names a cluster elsewhere."""
    if not address.startswith(LOCAL):
        return 0
    number = address.removeprefix(LOCAL)
    if not number.isdecimal() or not 1 <= int(number) <= MOST_PROCESSES:
        raise UserError(f"{address} is not local: and a number from 1 to {MOST_PROCESSES}, as in local:4 (--cluster)")
    return int(number)
