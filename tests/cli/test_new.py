"""`ttr-sim new`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from ttr_sim.edition import edition_names, load_edition

Command = Callable[..., Outcome]


@pytest.mark.parametrize("name", edition_names())
def test_copy_is_the_edition_under_its_own_name(command: Command, tmp_path: Path, name: str) -> None:
    assert command("new", tmp_path / "my-map", "--from", name).code == 0
    copy, original = load_edition(tmp_path / "my-map"), load_edition(name)
    assert (copy.name, copy.title) == ("my-map", "my-map")
    assert (copy.routes, copy.tickets) == (original.routes, original.tickets)
    assert copy.provenance == f"Copied from {original.title}, edited by you"


def test_comments_stay(command: Command, tmp_path: Path) -> None:
    command("new", tmp_path / "my-map", "--from", "usa")
    assert "# the locomotives" in (tmp_path / "my-map" / "edition.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(("folder", "name"), [("Übër map!", "uber-map"), ("***", "my-map"), ("a" * 80, "a" * 60)])
def test_names_of_folders(command: Command, tmp_path: Path, folder: str, name: str) -> None:
    assert command("new", tmp_path / "deep" / folder, "--from", "usa").code == 0
    copy = load_edition(tmp_path / "deep" / folder)
    assert (copy.name, copy.title) == (name, folder)


def test_nothing_is_overwritten(command: Command, tmp_path: Path) -> None:
    for place in (tmp_path / "folder", tmp_path / "file"):
        place.parent.mkdir(exist_ok=True)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "cities.csv").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("folder", "file", "link"):
        outcome = command("new", tmp_path / name, "--from", "usa")
        assert outcome.code == 2
        assert "already exists and is not overwritten" in outcome.err
    assert (tmp_path / "folder" / "cities.csv").read_text() == "mine"
    assert (tmp_path / "file").read_text() == "mine"


def test_an_empty_folder_is_filled(command: Command, tmp_path: Path) -> None:
    assert command("new", tmp_path, "--from", "europe").code == 0
    assert command("check", tmp_path).code == 0


def test_a_place_that_cannot_be_written(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    outcome = command("new", tmp_path / "file" / "map", "--from", "usa")
    assert outcome.code == 2
    assert "cannot be written" in outcome.err


def test_an_edition_with_errors_is_not_copied(command: Command, tmp_path: Path) -> None:
    command("new", tmp_path / "a", "--from", "usa")
    (tmp_path / "a" / "routes.csv").unlink()
    outcome = command("new", tmp_path / "b", "--from", tmp_path / "a")
    assert outcome.code == 2
    assert "routes.csv:1:1: the file is missing" in outcome.err
    assert not (tmp_path / "b").exists()


def test_a_name_means_the_edition_even_beside_a_folder_of_that_name(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("usa", "usa_mega"):
        (tmp_path / name).mkdir()
        assert command("new", f"my-{name}", "--from", name).code == 0
        assert load_edition(f"my-{name}").tickets == load_edition(name).tickets


def test_a_copy_of_an_edition_without_provenance_gets_one(command: Command, tmp_path: Path) -> None:
    command("new", tmp_path / "a", "--empty")
    rules = tmp_path / "a" / "edition.toml"
    lines = rules.read_text(encoding="utf-8").splitlines()
    rules.write_text("\n".join(line for line in lines if "provenance" not in line), encoding="utf-8")
    assert command("new", tmp_path / "b", "--from", tmp_path / "a").code == 0
    assert load_edition(tmp_path / "b").provenance == "Copied from a, edited by you"


def test_empty_is_a_commented_board_of_four_cities(command: Command, tmp_path: Path) -> None:
    assert command("new", tmp_path / "my-map", "--empty").code == 0
    outcome = command("check", tmp_path / "my-map")
    assert outcome.code == 0 and "no errors" in outcome.out
    edition = load_edition(tmp_path / "my-map")
    assert (edition.name, edition.title, len(edition.cities)) == ("my-map", "my-map", 4)
    rules = (tmp_path / "my-map" / "edition.toml").read_text(encoding="utf-8").splitlines()
    numbers = [line for line in rules if re.match(r"\w+ = \d", line)]
    assert [line for line in numbers if "#" not in line] == ["schema = 1", "cards = 6", "size = 5", "points = 5"]


def test_no_game_on_the_empty_board_stalls(command: Command, tmp_path: Path) -> None:
    command("new", tmp_path / "my-map", "--empty")
    words = ("run", tmp_path / "my-map", "--bots", "planner,random", "--games", 100, "-q", "--json")
    for players in load_edition(tmp_path / "my-map").players:
        told = json.loads(command(*words, "--players", players, "--out", tmp_path / f"run-{players}").out)
        assert (told["stalled"], told["capped"]) == (0, 0)


@pytest.mark.parametrize("words", [(), ("--empty", "--from", "usa")])
def test_one_start_is_needed(command: Command, tmp_path: Path, words: tuple[str, ...]) -> None:
    outcome = command("new", tmp_path / "my-map", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert "give either --from EDITION or --empty" in outcome.err
