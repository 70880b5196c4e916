"""`ttr-sim show`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from ttr_sim.edition import load_edition, official_names

Command = Callable[..., Outcome]


@pytest.mark.parametrize("name", official_names())
def test_text(command: Command, name: str) -> None:
    outcome = command("show", name)
    edition = load_edition(name)
    assert outcome.code == 0
    assert edition.provenance in " ".join(outcome.out.split())
    assert edition.fingerprint in outcome.out
    for heading in ("Routes by color and length", "Tickets by deck", "cities that most shortest paths"):
        assert heading in outcome.out


def test_tickets_off_their_shortest_path(command: Command) -> None:
    text = command("show", "usa").out
    section = text.split("Tickets not worth the length of their shortest path\n")[1].split("\n\n")[0]
    found = {" ".join(line.split()) for line in section.splitlines()[1:]}
    assert found == {
        "Chicago Los Angeles regular 16 15",
        "Los Angeles Miami regular 20 19",
        "Los Angeles New York regular 21 20",
        "New York Seattle regular 22 20",
        "Oklahoma City Sault St. Marie regular 9 8",
    }


def test_json(command: Command) -> None:
    shown = json.loads(command("show", "germany", "--json").out)
    size = shown["size"]
    assert (size["cities"], size["spots"], size["countries"], size["groups"]) == (35, 14, 5, 85)
    assert (size["doubles"], size["triples"], size["spaces"], size["passengers"]) == (21, 2, 313, 60)
    assert {row["deck"]: (row["tickets"], row["points"]) for row in shown["decks"]} == {
        "short": (55, 415),
        "long": (34, 526),
    }
    kiel = next(row for row in shown["tickets"] if (row["from"], row["to"]) == ("Kiel", "Stuttgart"))
    assert (kiel["points"], kiel["trains"]) == (17, 16)
    assert len(shown["routes"]) == 110 and len(shown["cities"]) == 49


def test_cities_that_hold_the_board_together(command: Command) -> None:
    assert "Cities that hold the board together: London, Madrid\n" in command("show", "europe").out


@pytest.mark.parametrize("name", ["board.svg", "board.png"])
def test_drawing(command: Command, tmp_path: Path, name: str) -> None:
    outcome = command("show", "amsterdam", "--out", tmp_path / name)
    assert outcome.code == 0
    assert outcome.err == f"Drew the board to {tmp_path / name}.\n"
    assert (tmp_path / name).stat().st_size > 1000


@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        ("board.pdf", "the file name must end in .png or .svg"),
        ("nowhere/board.svg", "there is no folder"),
        ("folder.svg", "this is a folder, not a file"),
    ],
)
def test_a_drawing_that_cannot_be_made(command: Command, tmp_path: Path, out: str, sentence: str) -> None:
    (tmp_path / "folder.svg").mkdir()
    outcome = command("show", "usa", "--out", tmp_path / out)
    assert (outcome.code, outcome.out) == (2, "")
    assert sentence in outcome.err
