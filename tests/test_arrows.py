"""Imports go one way: edition, log <- engine <- bots <- run <- analysis <- balance <- report <- cli;
the referee stands aside."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import ttr_sim
from ttr_sim.edition import official_names

PACKAGE = Path(ttr_sim.__file__).parent
BASE = {"errors", "files", "log", "edition"}
ROOMS = ("engine", "bots", "run", "analysis", "balance", "report", "cli")
MAY_IMPORT = {
    **{room: {*BASE, *ROOMS[: place + 1]} for place, room in enumerate(ROOMS)},
    "cli": {*BASE, *ROOMS, "referee"},
    "referee": {*BASE, "referee"},
    "edition": {"errors", "edition"},
    "log": {"errors"},
    "errors": set(),
    "files": set(),
}


def imported_rooms(file: Path) -> Iterator[str]:
    """Rooms named by the imports of a file, those within functions too."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else names
        for name in names:
            package, _, path = name.partition(".")
            if package == PACKAGE.name and path:
                yield path.split(".")[0]


def room_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


FILES = [file for file in PACKAGE.rglob("*.py") if room_of(file) in MAY_IMPORT]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_go_one_way(room: str) -> None:
    wrong = {}
    for file in FILES:
        arrows = set(imported_rooms(file)) - MAY_IMPORT[room_of(file)]
        if room_of(file) == room and arrows:
            wrong[str(file.relative_to(PACKAGE))] = arrows
    assert wrong == {}


def test_every_file_has_a_room() -> None:
    others = {room_of(file) for file in PACKAGE.rglob("*.py")} - set(MAY_IMPORT)
    assert others == {"__init__", "__main__"}


@pytest.mark.parametrize("room", ["engine", "referee", "analysis"])
def test_rules_are_features_and_never_names_of_editions(room: str) -> None:
    texts = {
        node.value
        for file in FILES
        if room_of(file) == room
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
    }
    assert texts.isdisjoint(official_names())


def test_the_guard_can_fail(tmp_path: Path) -> None:
    file = tmp_path / "engine.py"
    file.write_text("def f():\n    from ttr_sim.report import page\n    import ttr_sim.cli.main\n")
    assert set(imported_rooms(file)) == {"report", "cli"}
