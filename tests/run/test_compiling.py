"""The engine is compiled by a second process, when nothing is compiled yet."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from tests.run.conftest import Noted
from ttr_sim.edition import load_edition
from ttr_sim.engine import jit
from ttr_sim.run import compiling


class FakeProcess:
    """Stands in for the second process, and counts."""

    begun: ClassVar[list[list[str]]] = []
    waited = 0

    def __init__(self, words: list[str], **_: Any) -> None:
        self.begun.append(words)

    def kill(self) -> None:
        """Do nothing, as after its end."""

    def poll(self) -> int | None:
        return 0 if FakeProcess.waited else None

    def wait(self) -> None:
        FakeProcess.waited += 1


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    monkeypatch.setattr(compiling.subprocess, "Popen", FakeProcess)
    monkeypatch.setattr(compiling, "_second", [])
    monkeypatch.setattr(FakeProcess, "begun", [])
    monkeypatch.setattr(FakeProcess, "waited", 0)
    return FakeProcess.begun


def test_a_warm_cache_needs_no_second_process(begun: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "is_cache_cold", lambda: False)
    watch = Noted([])
    with compiling.compiling(watch):
        assert watch.notes == begun == []


def test_a_cold_cache_is_filled_by_one_process_that_is_waited_for(
    begun: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "is_cache_cold", lambda: True)
    watch = Noted([])
    for cold in (True, True, False):
        monkeypatch.setattr(jit, "is_cache_cold", lambda cold=cold: cold)
        with compiling.compiling(watch):
            pass
    assert watch.notes == [compiling.COMPILING, compiling.STILL_COMPILING, compiling.STILL_COMPILING]
    assert [words[-1] for words in begun] == ["ttr_sim.run.compiling"]
    assert FakeProcess.waited == 0
    compiling.compile_engine(load_edition("usa"))
    assert FakeProcess.waited == 1
    with compiling.compiling(watch):
        assert len(watch.notes) == 3
