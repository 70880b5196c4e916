"""`ttr-sim editions`, `check`, `new` and `export`."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from tests.conftest import Command
from ttr_sim.edition import edition_names, load_edition, official_names, variants


def test_editions(command: Command) -> None:
    entries = json.loads(command("editions", "--json").out)
    assert [entry["name"] for entry in entries] == [*official_names(), *variants()]
    keys = ["name", "title", "folder", "players", "cities", "routes", "tickets", "trains", "provenance", "fingerprint"]
    for entry in entries:
        base = variants().get(entry["name"])
        assert list(entry) == ([*keys, "variant_of"] if base else keys)
        assert entry.get("variant_of") == base
    usa = entries[0]
    assert (usa["players"], usa["cities"], usa["routes"], usa["tickets"], usa["trains"]) == ([2, 5], 36, 100, 30, 45)
    assert (Path(usa["folder"]) / "edition.toml").is_file()
    assert usa["fingerprint"] == load_edition("usa").fingerprint
    text = " ".join(command("editions").out.split())
    assert all(load_edition(name).provenance in text for name in edition_names())


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


def test_names_of_editions_in_any_case_and_of_own_folders(command: Command, my_map: Path) -> None:
    assert command("check", "First_Journey").out == command("check", "first_journey").out
    for name in ("mymap", "My-Mp"):
        assert 'did you mean "my-map"?' in command("check", name).err
    Path("my-map").rename("USA")
    spoil(Path("USA"))
    assert (command("check", "USA").code, command("check", "usa").code) == (1, 0)


def test_a_copy_names_every_file_that_was_written(command: Command) -> None:
    for words in (("a", "--from", "USA"), ("b", "--empty")):
        outcome = command("new", *words)
        assert outcome.code == 0
        named = {line.split()[0] for line in outcome.out.splitlines() if line.startswith("  ")}
        assert named == {file.name for file in Path(words[0]).iterdir()}
    assert "  bots.toml " in command("new", "c", "--from", "europe").out


@pytest.mark.parametrize("name", edition_names())
def test_copy_is_the_edition_under_its_own_name(command: Command, name: str) -> None:
    assert command("new", Path("my-map"), "--from", name).code == 0
    copy, original = load_edition(Path("my-map")), load_edition(name)
    assert (copy.name, copy.title) == ("my-map", "my-map")
    assert (copy.routes, copy.tickets) == (original.routes, original.tickets)
    assert copy.provenance == f"Copied from {original.title}, edited by you"
    comments = [
        {line.partition("#")[2] for line in (edition.folder / "edition.toml").read_text("utf-8").splitlines()}
        for edition in (original, copy)
    ]
    assert comments[0] <= comments[1]


@pytest.mark.parametrize(("folder", "name"), [("Übër map!", "uber-map"), ("***", "my-map"), ("a" * 80, "a" * 60)])
def test_names_of_folders(command: Command, folder: str, name: str) -> None:
    assert command("new", Path("deep", folder), "--from", "usa").code == 0
    copy = load_edition(Path("deep", folder))
    assert (copy.name, copy.title) == (name, folder)


def test_a_folder_may_be_empty_but_no_link(command: Command) -> None:
    Path("link").symlink_to("nowhere")
    assert "already exists and is not overwritten" in command("new", "link", "--from", "usa").err
    Path("link").unlink()
    assert command("new", ".", "--from", "europe").code == 0
    assert command("check", ".").code == 0


def test_an_edition_with_errors_is_not_copied(command: Command) -> None:
    command("new", "a", "--from", "usa")
    Path("a/routes.csv").unlink()
    outcome = command("new", "b", "--from", "a")
    assert outcome.code == 2
    assert "routes.csv:1:1: the file is missing" in outcome.err
    assert not Path("b").exists()


def test_a_name_means_the_edition_even_beside_a_folder_of_that_name(command: Command) -> None:
    for name in ("usa", "usa_mega"):
        (Path(name)).mkdir()
        assert command("new", f"my-{name}", "--from", name).code == 0
        assert load_edition(f"my-{name}").tickets == load_edition(name).tickets


def test_a_copy_of_an_edition_without_provenance_gets_one(command: Command) -> None:
    command("new", Path("a"), "--empty")
    rules = Path("a/edition.toml")
    lines = rules.read_text(encoding="utf-8").splitlines()
    rules.write_text("\n".join(line for line in lines if "provenance" not in line), encoding="utf-8")
    assert command("new", Path("b"), "--from", Path("a")).code == 0
    assert load_edition("b").provenance == "Copied from a, edited by you"


def test_empty_is_a_commented_board_of_four_cities_on_which_no_game_stalls(command: Command) -> None:
    assert command("new", "my-map", "--empty").code == 0
    outcome = command("check", "my-map")
    assert outcome.code == 0 and "no errors" in outcome.out
    edition = load_edition("my-map")
    assert (edition.name, edition.title, len(edition.cities)) == ("my-map", "my-map", 4)
    rules = Path("my-map/edition.toml").read_text(encoding="utf-8").splitlines()
    numbers = [line for line in rules if re.match(r"\w+ = \d", line)]
    assert [line for line in numbers if "#" not in line] == ["schema = 1", "cards = 6", "size = 5", "points = 5"]
    words = ("run", "my-map", "--bots", "planner,random", "--games", 100, "-q", "--json")
    for players in edition.players:
        told = json.loads(command(*words, "--players", players, "--out", f"run-{players}").out)
        assert (told["stalled"], told["capped"]) == (0, 0)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_files_of_the_editor(command: Command) -> None:
    outcome = command("export", "europe", "--to", "editor")
    assert outcome.code == 0
    assert outcome.out == "europe-editor holds stops.csv, routes.csv and tickets.csv of Europe.\n"
    routes, tickets = rows(Path("europe-editor/routes.csv")), rows(Path("europe-editor/tickets.csv"))
    boats = [row for row in routes if row["Type"] == "Boat"]
    assert (sum(row["Wagon style"] == "Tunnel" for row in routes), len(boats)) == (18, 13)
    assert all(row["Colour"] == "Grey" and int(row["Locomotives"]) > 0 for row in boats)
    assert {row["Deck"] for row in tickets} == {"regular"}
    assert sum(row["Long deck"] == "yes" for row in tickets) == 6
    stop = {"Name": "Amsterdam", "Type": "Regular", "X": "307.9", "Y": "187.5"}
    assert stop in rows(Path("europe-editor/stops.csv"))


def test_only_colors_of_the_editor(command: Command) -> None:
    known = {"Grey", "Red", "Blue", "Green", "Yellow", "Black", "White", "Orange", "Purple"}
    for name in official_names():
        command("export", name, "--to", "editor", "--out", name)
        assert {row["Colour"] for row in rows(Path(name, "routes.csv"))} <= known


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
def test_what_the_editor_cannot_hold_is_said(command: Command, name: str, sentences: list[str]) -> None:
    outcome = command("export", name, "--to", "editor", "--out", Path("out"))
    assert all(sentence in outcome.err for sentence in sentences)
    assert len(outcome.err.splitlines()) == len({*sentences, "to read them back"}) - (name == "usa")


def test_colors_and_decks_that_the_editor_does_not_know(command: Command) -> None:
    command("new", Path("mine"), "--from", "usa")
    path = Path("mine/edition.toml")
    text = path.read_text(encoding="utf-8").replace("red = {", "teal = {")
    path.write_text(text + "[decks.a]\ndeal = 0\ndraw = 1\n[decks.b]\ndeal = 0\ndraw = 1\n", encoding="utf-8")
    routes = Path("mine/routes.csv")
    routes.write_text(routes.read_text(encoding="utf-8").replace(",red,", ",teal,"), encoding="utf-8")
    outcome = command("export", Path("mine"), "--to", "editor", "--out", Path("out"))
    assert "makes routes gray that have a color it does not know: teal." in outcome.err
    assert "alternatives of which one is played: a, b, regular." in outcome.err
