"""A second process for what keeps a core busy, where there is a second core.

It begins as workers of games do: Ctrl-C is its parent's to hear, and it ends when its parent does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor

Result = TypeVar("Result")
Given = ParamSpec("Given")


class Beside:
    """Begins work in the second process and returns what waits for it. Who waits does what is not yet begun, and all of
    it where there is no second process."""

    def __init__(self, process: ProcessPoolExecutor | None) -> None:
        self._process = process

    def begin(self, work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Callable[[], Result]:
        if self._process is None:
            return partial(work, *given, **named)
        begun = self._process.submit(work, *given, **named)
        return lambda: work(*given, **named) if begun.cancel() else begun.result()


ALONE = Beside(None)


@contextmanager
def second_process(wanted: bool) -> Iterator[Beside]:
    """Start it, if it is wanted and there is a core for it; it takes a second to be there."""
    from joblib import cpu_count

    if not wanted or cpu_count() == 1:
        yield ALONE
        return
    from ttr_sim.run.backends.worker_process import settled_process

    process = settled_process()
    try:
        yield Beside(process)
    except BaseException:
        process.shutdown(wait=False, kill_workers=True)  # nobody waits for what it may still be doing
        raise
    process.shutdown()
