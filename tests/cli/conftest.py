"""Every command of these tests runs in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Command


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def my_map(home: Path, command: Command) -> Path:
    """A copy of Amsterdam to edit."""
    assert command("new", "my-map", "--from", "amsterdam").code == 0
    return Path("my-map")


def replace_in(file: Path, old: str, new: str) -> None:
    """Edit a file, as an editor that saves in place does."""
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def set_points(points: object, board: Path) -> None:
    """Give the first ticket of a board other points."""
    tickets = board / "tickets.csv"
    first = tickets.read_text("utf-8").splitlines()[1]
    *ends, _, deck = first.split(",")
    replace_in(tickets, first, ",".join((*ends, str(points), deck)))
