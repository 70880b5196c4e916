"""Layouts are kept for the next command, and found again where what was kept is no good."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ttr_sim.files import cache_root
from ttr_sim.report.board import kept as keeping
from ttr_sim.report.board.kept import FOLDER, kept


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of layouts in a cache of this test's own."""
    monkeypatch.setenv("TTR_SIM_CACHE", str(tmp_path))
    return cache_root() / FOLDER


def never() -> str:
    raise AssertionError("found a second time")


def test_what_was_found_is_kept(folder: Path) -> None:
    assert kept(("a", 1.5), lambda: "found") == "found"
    assert kept(("a", 1.5), never) == "found"
    assert kept(("a", 1.25), lambda: "another") == "another"


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut": lambda content: content[:-1],
    "flipped": lambda content: bytes([content[0] ^ 1]) + content[1:],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_found_again(damage: str, folder: Path) -> None:
    kept("question", lambda: "first")
    [file] = folder.iterdir()
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    assert kept("question", lambda: "second") == "second"
    assert kept("question", never) == "second"


def test_other_sources_find_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept("question", lambda: "old")
    monkeypatch.setattr(keeping, "_makers", lambda: "another version")
    assert kept("question", lambda: "new") == "new"


def test_what_cannot_be_kept_is_found_all_the_same(folder: Path) -> None:
    folder.touch()  # a file where the folder should be
    assert kept("question", lambda: "found") == "found"
    assert kept("question", lambda: "again") == "again"


def test_the_oldest_of_too_many_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_KEPT", 2)
    for age, question in enumerate(("old", "middle", "new")):
        before = set(folder.iterdir()) if folder.is_dir() else set()
        kept(question, lambda question=question: question)  # type: ignore[misc]
        [file] = set(folder.iterdir()) - before
        os.utime(file, (age, age))
    assert len([*folder.iterdir()]) == 2
    assert (kept("middle", never), kept("new", never)) == ("middle", "new")
    assert kept("old", lambda: "again") == "again"
