from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ttr_sim.edition import Edition, find_folder, load
from ttr_sim.edition.statics import official_values

GAMES = ("--games", 6, "--bots", "random,racer", "--jobs", 1)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were read, one entry for each time."""
    official_values()  # a report compares with all official boards, read once a process
    read, found = load._read, []

    def noted(path: Path, *others: object) -> Edition | None:
        found.append(path)
        return read(path, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(load, "_read", noted)
    return found


def test_a_study_reads_its_edition_once(
    command: Callable[..., object], loads: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command("study", "amsterdam", "--players", "2,3,4", *GAMES)
    assert loads.count(find_folder("amsterdam")) == 1
    command("study", "amsterdam", "--players", "2,3,4", *GAMES)
    assert loads.count(find_folder("amsterdam")) == 2


def test_so_does_a_run_that_is_resumed(command: Callable[..., object], loads: list[Path], tmp_path: Path) -> None:
    command("run", "usa", "--players", 2, *GAMES, "--set", "trains=20", "--out", tmp_path / "run")
    assert loads == [find_folder("usa")]
    for file in tmp_path.glob("run/*/part-00000.parquet"):
        file.unlink()
    command("run", "--resume", tmp_path / "run", "--jobs", 1)
    assert loads == [find_folder("usa"), tmp_path / "run" / "edition"]
