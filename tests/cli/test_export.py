"""`ttr-sim export`, and what `ttr-sim new` refuses to start from."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from ttr_sim.edition import official_names

Command = Callable[..., Outcome]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_files_of_the_editor(command: Command, tmp_path: Path) -> None:
    outcome = command("export", "europe", "--to", "editor", "--out", tmp_path / "out")
    assert outcome.code == 0
    assert outcome.out == f"{tmp_path / 'out'} holds stops.csv, routes.csv and tickets.csv of Europe.\n"
    tunnels = [row for row in rows(tmp_path / "out" / "routes.csv") if row["Wagon style"] == "Tunnel"]
    boats = [row for row in rows(tmp_path / "out" / "routes.csv") if row["Type"] == "Boat"]
    assert (len(tunnels), len(boats)) == (18, 13)
    assert all(row["Colour"] == "Grey" and int(row["Locomotives"]) > 0 for row in boats)
    tickets = rows(tmp_path / "out" / "tickets.csv")
    assert {row["Deck"] for row in tickets} == {"regular"}
    assert sum(row["Long deck"] == "yes" for row in tickets) == 6
    assert {"Name": "Amsterdam", "Type": "Regular", "X": "307.9", "Y": "187.5"} in rows(tmp_path / "out" / "stops.csv")


def test_only_colors_of_the_editor(command: Command, tmp_path: Path) -> None:
    known = {"Grey", "Red", "Blue", "Green", "Yellow", "Black", "White", "Orange", "Purple"}
    for name in official_names():
        command("export", name, "--to", "editor", "--out", tmp_path / name)
        assert {row["Colour"] for row in rows(tmp_path / name / "routes.csv")} <= known


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        ("usa", ["to read them back, add --from usa"]),
        (
            "germany",
            ["the spots of Dänemark, Frankreich", "no place for passengers of cities: 60 are left out", "scale"],
        ),
        ("amsterdam", ["no place for merchandise symbols of routes: 16 are left out"]),
        ("first_journey", ["no place for regions of cities: 6 are left out"]),
    ],
)
def test_what_the_editor_cannot_hold_is_said(command: Command, tmp_path: Path, name: str, sentences: list[str]) -> None:
    outcome = command("export", name, "--to", "editor", "--out", tmp_path / "out")
    assert all(sentence in outcome.err for sentence in sentences)
    assert len(outcome.err.splitlines()) == len({*sentences, "to read them back"}) - (name == "usa")


def test_colors_and_decks_that_the_editor_does_not_know(command: Command, tmp_path: Path) -> None:
    command("new", tmp_path / "mine", "--from", "usa")
    path = tmp_path / "mine" / "edition.toml"
    text = path.read_text(encoding="utf-8").replace("red = {", "teal = {")
    path.write_text(text + "[decks.a]\ndeal = 0\ndraw = 1\n[decks.b]\ndeal = 0\ndraw = 1\n", encoding="utf-8")
    routes = tmp_path / "mine" / "routes.csv"
    routes.write_text(routes.read_text(encoding="utf-8").replace(",red,", ",teal,"), encoding="utf-8")
    outcome = command("export", tmp_path / "mine", "--to", "editor", "--out", tmp_path / "out")
    assert "makes routes gray that have a color it does not know: teal." in outcome.err
    assert "alternatives of which one is played: a, b, regular." in outcome.err


def test_nothing_is_overwritten(command: Command, tmp_path: Path) -> None:
    command("new", tmp_path / "mine", "--from", "usa")
    outcome = command("export", "usa", "--to", "editor", "--out", tmp_path / "mine")
    assert outcome.code == 2
    assert f"{tmp_path / 'mine' / 'routes.csv'} already exists and is not overwritten" in outcome.err
    assert not (tmp_path / "mine" / "stops.csv").exists()


def test_a_file_in_place_of_the_folder(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    outcome = command("export", "usa", "--to", "editor", "--out", tmp_path / "file")
    assert outcome.code == 2
    assert f"{tmp_path / 'file'} already exists and is not overwritten" in outcome.err
    assert (tmp_path / "file").read_text() == "mine"


def test_a_place_that_cannot_be_written(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    outcome = command("export", "usa", "--to", "editor", "--out", tmp_path / "file" / "out")
    assert outcome.code == 2
    assert "cannot be written" in outcome.err


def test_without_out_the_folder_is_named_after_the_edition(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command("export", "amsterdam", "--to", "editor").code == 0
    assert (tmp_path / "amsterdam-editor" / "stops.csv").is_file()


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("missing.csv", "there is no such file"),
        ("notes.txt", "not an edition, nor a .csv or .xlsx file, nor a folder of them"),
        ("europ", 'there is no edition or folder "europ" (did you mean "europe"?)'),
    ],
)
def test_sources_that_cannot_be_read(command: Command, tmp_path: Path, source: str, sentence: str) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    written = str(tmp_path / source) if "." in source else source
    outcome = command("new", tmp_path / "map", "--from", written)
    assert outcome.code == 2
    assert sentence in outcome.err


def test_two_editions_cannot_both_bring_the_rules(command: Command, tmp_path: Path) -> None:
    outcome = command("new", tmp_path / "map", "--from", "usa", "--from", "europe")
    assert outcome.code == 2
    assert "--from europe: usa is already an edition, and only one can bring the rules" in outcome.err
