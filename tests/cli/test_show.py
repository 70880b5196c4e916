"""`ttr-sim show`, `editions` and `bots`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Command
from ttr_sim.bots import STYLE_NAMES
from ttr_sim.edition import load_edition, official_names


@pytest.mark.parametrize("name", official_names())
def test_show_as_text(command: Command, name: str) -> None:
    outcome = command("show", name)
    edition = load_edition(name)
    assert outcome.code == 0
    assert edition.provenance in " ".join(outcome.out.split())
    headings = ("Routes by color and length", "Tickets by deck", "cities that most shortest paths")
    assert all(text in outcome.out for text in headings)
    assert outcome.out.startswith(f"{edition.title} · {len(edition.routes)} routes · ")
    assert edition.fingerprint not in outcome.out


def test_show_without_an_edition_lists_them(command: Command) -> None:
    for words in ((), ("--json",)):
        assert command("show", *words).out == command("editions", *words).out


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


def test_show_as_json(command: Command) -> None:
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


@pytest.mark.parametrize("name", ["board.svg", "board.png"])
def test_drawing(command: Command, tmp_path: Path, name: str) -> None:
    outcome = command("show", "amsterdam", "--out", tmp_path / name)
    assert outcome.code == 0
    assert outcome.err == f"Drew the board to {tmp_path / name}.\n"
    assert (tmp_path / name).stat().st_size > 1000


def test_bots(command: Command) -> None:
    outcome = command("bots")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert [line.split()[0] for line in lines[: len(STYLE_NAMES)]] == list(STYLE_NAMES)
    assert lines[len(STYLE_NAMES) + 1 :] == ["The parameters of one: ttr-sim bots planner"]
    bots = json.loads(command("bots", "--json").out)
    assert [bot["bot"] for bot in bots] == list(STYLE_NAMES)
    for bot in bots:
        assert set(bot) == {"bot", "idea", "searches", "parameters"}
        for parameter in bot["parameters"]:
            assert set(parameter) == {"name", "default", "low", "high", "idea"}


def test_bots_of_one_style(command: Command) -> None:
    outcome = command("bots", "Racer")
    (racer,) = json.loads(command("bots", "racer", "--json").out)
    assert outcome.out.splitlines()[0] == racer["bot"] == "racer"
    assert all(f"    {parameter['name']} " in outcome.out for parameter in racer["parameters"])
    assert racer == next(bot for bot in json.loads(command("bots", "--json").out) if bot["bot"] == "racer")


def test_what_no_official_board_has_is_marked(command: Command) -> None:
    command("new", "tiny", "--empty")
    compared = command("show", "tiny").out.split("\n\n")[1].splitlines()
    assert compared[0].startswith("Before anyone plays")
    rows = compared[3:]
    marked = [line for line in rows if line.startswith("!")]
    assert marked and f"{len(rows) - len(marked)} of {len(rows)} measures as on official boards, !" in compared[1]
