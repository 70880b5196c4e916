"""`ttr-sim check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Command
from ttr_sim.edition import official_names


@pytest.fixture
def my_map(command: Command, tmp_path: Path) -> Path:
    assert command("new", tmp_path / "my-map", "--from", "usa").code == 0
    return tmp_path / "my-map"


def spoil(folder: Path) -> None:
    path = folder / "routes.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("Atlanta,Miami", "Atlanta,Miamy"), encoding="utf-8")


@pytest.mark.parametrize("name", official_names())
def test_official_editions_are_fine(command: Command, name: str) -> None:
    outcome = command("check", name)
    assert outcome.code == 0
    assert "no errors" in outcome.out


def test_errors_fail_with_place_and_suggestion(command: Command, my_map: Path) -> None:
    spoil(my_map)
    outcome = command("check", my_map)
    assert outcome.code == 1
    assert 'routes.csv:3:9: [B3] unknown city "Miamy" (did you mean "Miami"?)\n' in outcome.out
    assert "no ticket names Charleston" not in outcome.out, "only of a map that can be read"
    assert outcome.out.endswith("1 error, no warnings: this edition cannot be played\n")
    as_json = command("check", my_map, "--json")
    assert as_json.code == 1
    error = {"file": "routes.csv", "line": 3, "column": 9, "message": 'unknown city "Miamy"', "hint": "Miami"}
    assert json.loads(as_json.out) == {"errors": [error], "warnings": []}


def test_warnings_alone_do_not_fail(command: Command, my_map: Path) -> None:
    outcome = command("check", my_map)
    assert outcome.code == 0
    assert "cities.csv:5:1: warning: [A5] no ticket names Charleston\n" in outcome.out
    assert outcome.out.endswith("no errors, 6 warnings: ready to play\n")


def test_an_empty_folder_lacks_four_files(command: Command, tmp_path: Path) -> None:
    outcome = command("check", tmp_path)
    assert outcome.code == 1
    assert outcome.out.count("the file is missing") == 4
