"""A second process for what keeps a core busy, where there is a second core.

It begins as workers of games do: Ctrl-C is its parent's to hear, and it ends when its parent does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from ttr_sim.run.worker_process import end, holding_back_ctrl_c, settled_process

if TYPE_CHECKING:
    from concurrent.futures import Executor

Result = TypeVar("Result")
Given = ParamSpec("Given")
Task = Callable[[], Any]
Waiting = tuple[Task, "Future[Any]"]


class Line:
    """Tasks that wait for a process, which gets one at a time: a task that it was given cannot be taken back."""

    def __init__(self, process: Executor) -> None:
        self._process = process
        self._urgent: deque[Waiting] = deque()
        self._others: deque[Waiting] = deque()
        self._lock, self._is_busy = Lock(), False

    def append(self, task: Task, urgent: bool = True) -> Future[Any]:
        """Return what can be canceled as long as the task waits; those that are not urgent wait for all others."""
        promised: Future[Any] = Future()
        with self._lock:
            (self._urgent if urgent else self._others).append((task, promised))
        self._go_on()
        return promised

    def clear(self) -> None:
        """Let nothing more begin."""
        with self._lock:
            self._urgent.clear()
            self._others.clear()

    def _go_on(self) -> None:
        if following := self._next():
            task, promised = following
            try:
                with holding_back_ctrl_c():  # the first task starts the process
                    given = self._process.submit(task)
            except (RuntimeError, OSError) as error:  # it broke, was ended or cannot start: who waits does it
                promised.set_exception(BrokenExecutor(str(error)))
            else:
                given.add_done_callback(partial(self._finish, promised))

    def _next(self) -> Waiting | None:
        with self._lock:
            while (line := self._urgent or self._others) and not self._is_busy:
                task, promised = line.popleft()
                self._is_busy = promised.set_running_or_notify_cancel()
                if self._is_busy:
                    return task, promised
        return None

    def _finish(self, promised: Future[Any], done: Future[Any]) -> None:
        if error := done.exception():
            promised.set_exception(error)
        else:
            promised.set_result(done.result())
        with self._lock:
            self._is_busy = False
        self._go_on()


class Beside:
    """Begins work in the second process and returns what waits for it. Who waits does what is not yet begun, what was
    lost with the process, and all of it where there is no second process."""

    def __init__(self, line: Line | None) -> None:
        self._line = line
        self._ahead: dict[Callable[..., Any], Task] = {}

    def begin_ahead(self, work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> None:
        """Begin work before it is asked for, as soon as nothing that was asked for waits; who begins it later must mean
        the same by what it is given."""
        if self._line:
            self._ahead[work] = self._wait_for(partial(work, *given, **named), urgent=False)

    def begin(self, work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Callable[[], Result]:
        if work in self._ahead:
            return self._ahead.pop(work)
        return self._wait_for(partial(work, *given, **named), urgent=True)

    def _wait_for(self, task: Callable[[], Result], urgent: bool) -> Callable[[], Result]:
        if self._line is None:
            return task
        promised = self._line.append(task, urgent)

        def wait() -> Result:
            if promised.cancel():
                return task()
            try:
                return promised.result()  # type: ignore[no-any-return]
            except BrokenExecutor:  # killed, or out of memory
                return task()

        return wait


ALONE = Beside(None)


@contextmanager
def second_process(wanted: bool) -> Iterator[Beside]:
    """Start it, if it is wanted and there is a core for it; it takes a second to be there."""
    from joblib import cpu_count

    if not wanted or cpu_count() == 1:
        yield ALONE
        return
    process = settled_process()
    line = Line(process)
    try:
        yield Beside(line)
    except BaseException:
        line.clear()
        end(process)  # nobody waits for what it may still be doing
        raise
    line.clear()
    process.shutdown()
