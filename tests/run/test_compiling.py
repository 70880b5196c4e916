"""The engine is compiled by a second process, when nothing is compiled yet."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from ttr_sim.edition import load_edition
from ttr_sim.engine import compiled
from ttr_sim.run import compiling


class FakeProcess:
    """Stands in for the second process, and counts."""

    begun: ClassVar[list[list[str]]] = []
    waited = 0

    def __init__(self, words: list[str], **_: Any) -> None:
        self.begun.append(words)

    def kill(self) -> None:
        """Do nothing, as after its end."""

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
    monkeypatch.setattr(compiled, "is_cache_cold", lambda: False)
    notes: list[str] = []
    compiling.begin_compiling(notes.append)
    assert notes == begun == []


def test_a_cold_cache_is_filled_by_one_process_that_is_waited_for(
    begun: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "is_cache_cold", lambda: True)
    notes: list[str] = []
    for _ in range(2):
        compiling.begin_compiling(notes.append)
    assert notes == [compiling.COMPILING] * 2
    assert [words[-1] for words in begun] == ["ttr_sim.run.compiling"]
    assert FakeProcess.waited == 0
    compiling.compile_engine(load_edition("usa"))
    assert FakeProcess.waited == 1
