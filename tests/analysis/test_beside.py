"""A second process: who waits for its work does what it has not begun."""

from __future__ import annotations

import os
from concurrent.futures import Future
from typing import Any, cast

from ttr_sim.analysis.beside import ALONE, Beside, second_process


class Busy:
    """A process that begins nothing, or has begun all that it is given."""

    def __init__(self, has_begun: bool) -> None:
        self.has_begun = has_begun

    def submit(self, *_: object) -> Future[str]:
        given: Future[str] = Future()
        if self.has_begun:
            given.set_running_or_notify_cancel()
            given.set_result("there")
        return given


def here(words: str) -> str:
    return words


def test_what_is_not_begun_is_done_by_who_waits() -> None:
    assert Beside(cast(Any, Busy(has_begun=False))).begin(here, "here")() == "here"
    assert Beside(cast(Any, Busy(has_begun=True))).begin(here, "here")() == "there"
    assert ALONE.begin(here, "here")() == "here"


def test_the_work_is_done_in_another_process_where_there_is_a_core_for_it() -> None:
    with second_process(wanted=True) as beside:
        process = beside.begin(os.getpid)()
    assert (process == os.getpid()) == (beside is ALONE)
    with second_process(wanted=False) as beside:
        assert beside is ALONE
