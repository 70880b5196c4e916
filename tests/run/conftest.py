"""A small run of a thinking bot against others, played once for all tests that only read."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.played_runs import play_run
from ttr_sim.run.record import Record
from ttr_sim.run.workers import SilentListener

USUAL = {"edition": "usa", "players": 3, "bots": ("random", "racer", "longroute"), "games": 120, "part_size": 30}


@dataclass
class Noted(SilentListener):
    """Remembers what a run had to say."""

    notes: list[str]

    def note(self, message: str) -> None:
        self.notes.append(message)


def play(folder: Path, **other: Any) -> Record:
    """Play the usual run, or one like it, into a folder."""
    return play_run(folder, **{**USUAL, **other}).record


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "played"
    play(folder)
    return folder


@pytest.fixture
def copy_of_played(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "copy"))


@pytest.fixture(scope="session")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three parts on a small board, to damage copies of."""
    run = tmp_path_factory.mktemp("clean") / "run"
    play_run(run, "amsterdam", 2, ("planner", "racer"), 20, part_size=8)
    return run


@pytest.fixture
def run(clean: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(clean, tmp_path / "run"))
