"""A small run of a thinking bot against others, played once for all tests that only read."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ttr_sim.run.carry_out import carry_out
from ttr_sim.run.draft import Wish, draft
from ttr_sim.run.folder import Record
from ttr_sim.run.start import taken
from ttr_sim.run.watch import Silence

WISH = Wish("usa", 3, ("random", "racer", "longroute"), games=120, seed=1, part_size=30)


@dataclass
class Noted(Silence):
    """Remembers what a run had to say."""

    notes: list[str]

    def note(self, message: str) -> None:
        self.notes.append(message)


def play(
    folder: Path, jobs: int = 1, backend: str | None = None, watch: Silence | None = None, **other: object
) -> Record:
    """Play the wish above, or one like it, into a folder."""
    wish = replace(WISH, **other)  # type: ignore[arg-type]
    with taken(draft(wish, Silence().note), folder, "ttr-sim run") as (run, record):
        return carry_out(run, record, jobs, watch or Silence(), backend)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "played"
    play(folder)
    return folder


@pytest.fixture
def copy_of_played(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "copy"))
