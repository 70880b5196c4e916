"""`ttr-sim editions`, `show`, `check`, `new`, `export` and `bots`."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tests.cli.conftest import replace_in
from tests.conftest import Command
from ttr_sim.bots import STYLE_NAMES
from ttr_sim.edition import edition_names, load_edition, official_names, variants


def test_editions(command: Command) -> None:
    entries = command("editions", "--json").json
    assert [entry["name"] for entry in entries] == [*official_names(), *variants()]
    for entry in entries:
        assert entry.get("variant_of") == variants().get(entry["name"])
    usa = entries[0]
    assert (usa["players"], usa["cities"], usa["routes"], usa["tickets"], usa["trains"]) == ([2, 5], 36, 100, 30, 45)
    assert (Path(usa["folder"]) / "edition.toml").is_file()
    assert usa["fingerprint"] == load_edition("usa").fingerprint
    for words in ((), ("--json",)):
        assert command("show", *words).out == command("editions", *words).out
    text = " ".join(command("editions").out.split())
    assert all(load_edition(name).provenance in text for name in edition_names())


@pytest.fixture
def my_map(command: Command, home: Path) -> Path:
    assert command("new", "my-map", "--from", "usa").code == 0
    return Path("my-map")


SPOILED = ("routes.csv", "Atlanta,Miami", "Atlanta,Miamy")


def test_errors_fail_with_place_and_suggestion(command: Command, my_map: Path) -> None:
    replace_in(my_map / SPOILED[0], *SPOILED[1:])
    outcome = command("check", my_map)
    assert outcome.code == 1
    assert 'routes.csv:3:9: [B3] unknown city "Miamy" (did you mean "Miami"?)\n' in outcome.out
    assert "no ticket names Charleston" not in outcome.out, "only of a map that can be read"
    assert outcome.out.endswith("1 error, no warnings: this edition cannot be played\n")
    as_json = command("check", my_map, "--json")
    error = {"file": "routes.csv", "line": 3, "column": 9, "message": 'unknown city "Miamy"', "hint": "Miami"}
    assert (as_json.code, as_json.json) == (1, {"errors": [error], "warnings": []})


def test_warnings_alone_do_not_fail_and_missing_files_do(command: Command, my_map: Path, tmp_path: Path) -> None:
    missing = command("check", tmp_path)
    assert (missing.code, missing.out.count("the file is missing")) == (1, 4)
    outcome = command("check", my_map)
    assert outcome.code == 0
    assert "cities.csv:5:1: warning: [A5] no ticket names Charleston\n" in outcome.out
    assert outcome.out.endswith("no errors, 6 warnings: ready to play\n")


def test_names_of_editions_in_any_case_and_of_own_folders(command: Command, my_map: Path) -> None:
    assert command("check", "First_Journey").out == command("check", "first_journey").out
    for name in ("mymap", "My-Mp"):
        assert 'did you mean "my-map"?' in command("check", name).err
    my_map.rename("USA")
    replace_in(Path("USA", SPOILED[0]), *SPOILED[1:])
    assert (command("check", "USA").code, command("check", "usa").code) == (1, 0)


def test_a_copy_names_every_file_that_was_written(command: Command) -> None:
    for words in (("a", "--from", "USA"), ("b", "--empty"), ("c", "--from", "europe")):
        named = {line.split()[0] for line in command("new", *words).out.splitlines() if line.startswith("  ")}
        assert named == {file.name for file in Path(words[0]).iterdir()}
    assert "bots.toml" in named


@pytest.mark.parametrize("name", edition_names())
def test_copy_is_the_edition_under_its_own_name(command: Command, name: str) -> None:
    Path(name).mkdir()  # a name means the edition, even beside a folder of that name
    assert command("new", Path("my-map"), "--from", name).code == 0
    copy, original = load_edition(Path("my-map")), load_edition(name)
    assert (copy.name, copy.title) == ("my-map", "my-map")
    assert (copy.routes, copy.tickets) == (original.routes, original.tickets)
    assert copy.provenance == f"Copied from {original.title}, edited by you"
    rules = [(edition.folder / "edition.toml").read_text("utf-8").splitlines() for edition in (original, copy)]
    comments = [{line.partition("#")[2] for line in lines} for lines in rules]
    assert comments[0] <= comments[1]


def test_names_of_folders(command: Command) -> None:
    for folder, name in (("Übër map!", "uber-map"), ("***", "my-map"), ("a" * 80, "a" * 60)):
        assert command("new", Path("deep", folder), "--from", "usa").code == 0
        copy = load_edition(Path("deep", folder))
        assert (copy.name, copy.title) == (name, folder)


def test_a_folder_may_be_empty_but_no_link(command: Command) -> None:
    Path("link").symlink_to("nowhere")
    assert "already exists and is not overwritten" in command("new", "link", "--from", "usa").err
    Path("link").unlink()
    assert command("new", ".", "--from", "europe").code == 0
    assert command("check", ".").code == 0


def test_an_edition_with_errors_is_not_copied(command: Command, my_map: Path) -> None:
    (my_map / "routes.csv").unlink()
    outcome = command("new", "b", "--from", my_map)
    assert (outcome.code, Path("b").exists()) == (2, False)
    assert "routes.csv:1:1: the file is missing" in outcome.err


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
        told = command(*words, "--players", players, "--out", f"run-{players}").json
        assert (told["stalled"], told["capped"]) == (0, 0)


@pytest.mark.parametrize("name", official_names())
def test_official_editions_are_fine_and_shown_as_text(command: Command, name: str) -> None:
    checked, outcome = command("check", name), command("show", name)
    edition = load_edition(name)
    assert (checked.code, outcome.code) == (0, 0)
    assert "no errors" in checked.out
    assert edition.provenance in " ".join(outcome.out.split())
    headings = ("Routes by color and length", "Tickets by deck", "cities that most shortest paths")
    assert all(text in outcome.out for text in headings)
    assert outcome.out.startswith(f"{edition.title} · {len(edition.routes)} routes · ")
    assert edition.fingerprint not in outcome.out


def test_what_stands_out_on_a_board(command: Command) -> None:
    section = command("show", "usa").out.split("Tickets not worth the length of their shortest path\n")[1]
    assert {" ".join(line.split()) for line in section.split("\n\n")[0].splitlines()[1:]} == {
        "Chicago Los Angeles regular 16 15",
        "Los Angeles Miami regular 20 19",
        "Los Angeles New York regular 21 20",
        "New York Seattle regular 22 20",
        "Oklahoma City Sault St. Marie regular 9 8",
    }
    assert "Cities that hold the board together: London, Madrid\n" in command("show", "europe").out


def test_points_at_the_end(command: Command) -> None:
    districts = "districts 1 = 1, 2 = 2, 3 = 3, 4 = 4, 5 = 5"
    lines = {"london": districts, "india": "longest path 10; mandala [5, 10, 20, 30, 40]", "new_york": "attractions 1"}
    for name, points in lines.items():
        assert f"\nPoints at the end: {points}\n" in command("show", name).out


def test_show_as_json(command: Command) -> None:
    shown = command("show", "germany", "--json").json
    size = shown["size"]
    assert (size["cities"], size["spots"], size["countries"], size["groups"]) == (35, 14, 5, 85)
    assert (size["doubles"], size["triples"], size["spaces"], size["passengers"]) == (21, 2, 313, 60)
    assert {row["deck"]: (row["tickets"], row["points"]) for row in shown["decks"]} == {
        "short": (55, 415),
        "long": (34, 526),
    }
    kiel = next(row for row in shown["tickets"] if (row["from"], row["to"]) == ("Kiel", "Stuttgart"))
    assert (kiel["points"], kiel["trains"]) == (17, 16)
    for name, feature, count in (("new_york", "attractions", 9), ("london", "districts", 5)):
        assert command("show", name, "--json").json["size"][feature] == count
        assert f"\n{count:>5} {feature}\n" in command("show", name).out
    assert len(shown["routes"]) == 110 and len(shown["cities"]) == 49


def test_drawing(command: Command, tmp_path: Path) -> None:
    for name in ("board.svg", "board.png"):
        outcome = command("show", "amsterdam", "--out", tmp_path / name)
        assert (outcome.code, outcome.err) == (0, f"Drew the board to {tmp_path / name}.\n")
        assert (tmp_path / name).stat().st_size > 1000


def test_bots(command: Command) -> None:
    outcome = command("bots")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert [line.split()[0] for line in lines[: len(STYLE_NAMES)]] == list(STYLE_NAMES)
    assert lines[len(STYLE_NAMES) + 1 :] == ["The parameters of one: ttr-sim bots planner"]
    bots = command("bots", "--json").json
    assert [bot["bot"] for bot in bots] == list(STYLE_NAMES)
    outcome = command("bots", "Racer")
    (racer,) = command("bots", "racer", "--json").json
    assert outcome.out.splitlines()[0] == racer["bot"] == "racer"
    assert all(f"    {parameter['name']} " in outcome.out for parameter in racer["parameters"])
    assert racer in bots


def test_what_no_official_board_has_is_marked(command: Command) -> None:
    command("new", "tiny", "--empty")
    compared = command("show", "tiny").out.split("\n\n")[1].splitlines()
    assert compared[0].startswith("Before anyone plays")
    rows = compared[3:]
    marked = [line for line in rows if line.startswith("!")]
    assert marked and f"{len(rows) - len(marked)} of {len(rows)} measures as on official boards, !" in compared[1]


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
        ("new_york", ["no place for attractions: 9 are left out", "scale"]),
    ],
)
def test_what_the_editor_cannot_hold_is_said(command: Command, name: str, sentences: list[str]) -> None:
    outcome = command("export", name, "--to", "editor", "--out", Path("out"))
    assert all(sentence in outcome.err for sentence in sentences)
    assert len(outcome.err.splitlines()) == len({*sentences, "to read them back"}) - (name == "usa")


def test_colors_and_decks_that_the_editor_does_not_know(command: Command, my_map: Path) -> None:
    replace_in(my_map / "edition.toml", "red = {", "teal = {")
    replace_in(my_map / "routes.csv", ",red,", ",teal,")
    with (my_map / "edition.toml").open("a", encoding="utf-8") as rules:
        rules.write("[decks.a]\ndeal = 0\ndraw = 1\n[decks.b]\ndeal = 0\ndraw = 1\n")
    outcome = command("export", my_map, "--to", "editor", "--out", "out")
    assert "makes routes gray that have a color it does not know: teal." in outcome.err
    assert "alternatives of which one is played: a, b, regular." in outcome.err
