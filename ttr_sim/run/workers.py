"""Who plays, as a command hands it on from its options to whatever plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from ttr_sim.errors import UserError

if TYPE_CHECKING:
    from ttr_sim.run.backends import Backend, Item, Result, Work

LOCAL = "local:"
MOST_PROCESSES = 256  # of a cluster on this machine


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
