"""What carries work out: threads or processes of this machine, or a Dask cluster. Nothing else in `run` knows which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from ttr_sim.errors import UserError
from ttr_sim.run.control import Controls, Pulse

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
