"""A second process: who waits for its work does what it has not begun."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from functools import partial
from typing import Any, cast

import pytest

from ttr_sim.analysis.beside import ALONE, Beside, Line, second_process


class Slow:
    """A process that carries out what it was given when it is told to; `trouble` is why it takes nothing."""

    def __init__(self) -> None:
        self.given: list[tuple[Callable[[], object], Future[object]]] = []
        self.trouble: Exception | None = None

    def submit(self, task: Callable[[], object]) -> Future[object]:
        if self.trouble:
            raise self.trouble
        self.given.append((task, Future()))
        return self.given[-1][1]

    def end(self) -> None:
        """Break in the middle of a task, as a process does that is killed."""
        self.trouble = BrokenExecutor()
        self.given.pop(0)[1].set_exception(BrokenExecutor())

    def finish(self) -> None:
        task, promised = self.given.pop(0)
        try:
            promised.set_result(f"beside: {task()}")
        except ZeroDivisionError as error:
            promised.set_exception(error)


@pytest.fixture
def process() -> Slow:
    return Slow()


@pytest.fixture
def beside(process: Slow) -> Beside:
    return Beside(Line(cast(Any, process)))


def test_what_is_not_begun_is_done_by_who_waits(process: Slow, beside: Beside) -> None:
    first, second, third = (beside.begin(str, number) for number in (1, 2, 3))
    assert len(process.given) == 1  # it gets one task at a time, for what it has cannot be taken back
    assert third() == "3"
    process.finish()
    process.finish()
    assert (first(), second()) == ("beside: 1", "beside: 2")
    assert not process.given
    assert ALONE.begin(str, 1)() == "1"


def test_what_fails_beside_fails_for_who_waits(process: Slow, beside: Beside) -> None:
    failing, following = beside.begin(divmod, 1, 0), beside.begin(str, 2)
    process.finish()
    process.finish()
    with pytest.raises(ZeroDivisionError):
        failing()
    assert following() == "beside: 2"


def test_what_was_lost_with_the_process_is_done_by_who_waits(process: Slow, beside: Beside) -> None:
    waits = [beside.begin(str, number) for number in (1, 2, 3)]
    process.end()
    assert [wait() for wait in waits] == ["1", "2", "3"]
    assert beside.begin(str, 4)() == "4"


@pytest.mark.parametrize("trouble", [OSError("no more processes"), RuntimeError("can't start new thread")])
def test_where_no_process_can_start_all_is_done_by_who_waits(process: Slow, beside: Beside, trouble: Exception) -> None:
    begun = beside.begin(str, 1)
    process.trouble = trouble
    following = beside.begin(str, 2)
    process.finish()
    assert (begun(), following(), beside.begin(str, 3)()) == ("beside: 1", "2", "3")


def test_what_was_begun_ahead_is_not_begun_again_and_waits_for_what_is_asked_for(process: Slow, beside: Beside) -> None:
    first = beside.begin(abs, -1)
    beside.begin_ahead(str, "ahead")
    second = beside.begin(abs, -2)
    asked, again = beside.begin(str, "asked"), beside.begin(str, "again")
    for _ in range(4):
        process.finish()
    assert [wait() for wait in (first, second, again, asked)] == [f"beside: {it}" for it in (1, 2, "again", "ahead")]
    ALONE.begin_ahead(str, "ahead")
    assert ALONE.begin(str, "asked")() == "asked"


def test_nothing_begins_after_the_end(process: Slow) -> None:
    line = Line(cast(Any, process))
    for word in ("first", "second"):
        line.append(partial(str, word))
    line.clear()
    process.finish()
    assert not process.given


def test_the_work_is_done_in_another_process_where_there_is_a_core_for_it() -> None:
    with second_process(wanted=True) as beside:
        process = beside.begin(os.getpid)()
    assert (process == os.getpid()) == (beside is ALONE)
    with second_process(wanted=False) as beside:
        assert beside is ALONE
