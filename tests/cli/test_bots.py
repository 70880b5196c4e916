"""`ttr-sim bots`: the list for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from ttr_sim.bots import STYLE_NAMES


def test_every_bot_is_listed_with_its_idea(command: Callable[..., Outcome]) -> None:
    outcome = command("bots")
    assert outcome.code == 0
    assert all(f"\n{name}\n" in f"\n{outcome.out}" for name in STYLE_NAMES)


def test_json_names_parameters_with_their_limits(command: Callable[..., Outcome]) -> None:
    bots = json.loads(command("bots", "--json").out)
    assert [bot["bot"] for bot in bots] == list(STYLE_NAMES)
    for bot in bots:
        assert set(bot) == {"bot", "idea", "searches", "parameters"}
        for parameter in bot["parameters"]:
            assert set(parameter) == {"name", "default", "low", "high", "idea"}


@pytest.mark.parametrize("written", ["notes.md", "notes.md:Greedy", "planner", "notes"])
def test_a_file_to_check_ends_in_py(
    command: Callable[..., Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.md").write_text("hello")
    outcome = command("bots", "--check", written)
    assert outcome.code == 2
    assert outcome.err == f'Error: "{written}" is not a file of bots, whose name ends in .py, as in my_bots.py\n'
