"""A small run of a thinking bot against others, played once for all tests that only read."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.played_runs import play_run
from ttr_sim.cli.output import Progress
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.play import resume as play_on
from ttr_sim.run.record import Record
from ttr_sim.run.workers import ThisMachine

USUAL = {"edition": "usa", "players": 3, "bots": ("random", "racer", "longroute"), "games": 120, "part_size": 30}


class Noted(Progress):
    """Remembers what a run had to say."""

    def __init__(self) -> None:
        super().__init__(quiet=True)
        self.notes = list[str]()

    def note(self, message: str) -> None:
        self.notes.append(message)


def play(folder: Path, **other: Any) -> Record:
    """Play the usual run, or one like it, into a folder."""
    return play_run(folder, **{**USUAL, **other}).record


def resume(path: Path, watch: Progress | None = None, games: int | None = None) -> Record:
    return play_on(path, ThisMachine(1), watch or Progress(quiet=True), games=games).record


def record_of(path: Path) -> Record:
    return RunFolder(path).read()


def digests(path: Path) -> tuple[str | None, str | None]:
    return record_of(path).digest, record_of(path).digest_turns


def parts_of(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.glob("*/*.parquet")}


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
