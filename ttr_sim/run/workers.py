"""Who plays, as a command hands it on from its options to whatever plays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ttr_sim.run.backends import Backend, Item, Result, Work


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
