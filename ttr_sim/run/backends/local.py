"""Threads and processes of this machine, by joblib."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic

from ttr_sim.errors import UserError
from ttr_sim.run.backends import Item, Result, Trouble, Work
from ttr_sim.run.backends.hanging import watched
from ttr_sim.run.control import Controls, Pulse, Stillness
from ttr_sim.run.worker_process import holding_back_ctrl_c, settle


class Threads(Generic[Item, Result]):
    name = "threads"
    grace = 3.0

    def __init__(self, work: Work[Item, Result], jobs: int) -> None:
        self.work, self.jobs = work, min(jobs, work.items)
        self.controls, self.stillness = Controls(), Stillness()

    @property
    def stopping(self) -> bool:
        return self.controls.stopping

    def results(self, items: Iterable[Item]) -> Iterator[Result | Trouble]:
        task, controls = self.work.task, self.controls
        yield from _in_parallel(
            lambda item: _attempt(task, item, controls), self._wanted(items), self.jobs, "threading"
        )

    def _wanted(self, items: Iterable[Item]) -> Iterator[Item]:
        return (item for item in items if not self.stopping)

    def pulse(self) -> Pulse:
        return self.stillness.pulse(self.controls.heartbeats())

    def stop(self) -> None:
        self.controls.stop()


class Processes(Threads[Item, Result]):
    """Their games cannot be seen from here, and they are cut off at once."""

    name = "processes"
    grace = 0.0

    def results(self, items: Iterable[Item]) -> Iterator[Result | Trouble]:
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        task, how = self.work.task, {"initializer": settle, "initargs": (os.getpid(),)}
        try:
            with holding_back_ctrl_c():
                results = _in_parallel(_Alone(task), self._wanted(items), self.jobs, "loky", **how)
            yield from results
        except TerminatedWorkerError:
            raise UserError(
                "a worker process died (killed, out of memory, or ended because a bot hung in a library); "
                f"{self.work.how_to_go_on}"
            ) from None


@dataclass(frozen=True, slots=True)
class _Alone(Generic[Item, Result]):
    """The task in a process of its own, which nobody stops."""

    task: Callable[[Item, Controls], Result]

    def __call__(self, item: Item) -> Result | Trouble:
        controls = Controls()
        with watched(controls):
            return _attempt(self.task, item, controls)


def _attempt(task: Callable[[Item, Controls], Result], item: Item, controls: Controls) -> Result | Trouble:
    """Return errors as values: an exception would make joblib cut off other workers."""
    try:
        return task(item, controls)
    except UserError as error:
        return Trouble(str(error))


def _in_parallel(function: Callable[[Item], Any], items: Iterable[Item], jobs: int, backend: str, **how: Any) -> Any:
    """Return the results as they arrive."""
    from joblib import Parallel, delayed

    how |= {"backend": backend, "return_as": "generator_unordered", "batch_size": 1}
    # A single job must not play in this thread, which has to hear Ctrl-C: two workers, given one task at a time.
    parallel = Parallel(jobs, **how) if jobs > 1 else Parallel(2, pre_dispatch=1, **how)
    return parallel(delayed(function)(item) for item in items)
