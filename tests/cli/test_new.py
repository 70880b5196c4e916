"""`ttr-sim new`."""

from __future__ import annotations

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
    assert (copy.provenance, copy.routes, copy.tickets) == (original.provenance, original.routes, original.tickets)


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
