"""An exported board that is read back is the same board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import Outcome
from ttr_sim.edition import load_edition, official_names

Command = Callable[..., Outcome]


@pytest.mark.parametrize("name", official_names())
def test_with_the_edition_for_all_else_everything_comes_back(command: Command, tmp_path: Path, name: str) -> None:
    assert command("export", name, "--to", "editor", "--out", tmp_path / "out").code == 0
    outcome = command("new", tmp_path / "back", "--from", name, "--from", tmp_path / "out")
    assert (outcome.code, "To fix" in outcome.err) == (0, False)
    assert load_edition(tmp_path / "back").fingerprint == load_edition(name).fingerprint


def test_the_files_alone_bring_back_all_of_the_usa(command: Command, tmp_path: Path) -> None:
    command("export", "usa", "--to", "editor", "--out", tmp_path / "out")
    assert command("new", tmp_path / "back", "--from", tmp_path / "out").code == 0
    assert load_edition(tmp_path / "back").fingerprint == load_edition("usa").fingerprint


def test_the_files_alone_bring_back_the_map_of_europe(command: Command, tmp_path: Path) -> None:
    command("export", "europe", "--to", "editor", "--out", tmp_path / "out")
    outcome = command("new", tmp_path / "back", "--from", tmp_path / "out")
    assert "edition.toml is that of usa with tunnels, ferries, a long deck added" in outcome.err
    back, europe = load_edition(tmp_path / "back"), load_edition("europe")
    assert (back.cities, back.routes, back.tickets) == (europe.cities, europe.routes, europe.tickets)
    assert (back.tunnels, back.ferries, back.decks) == (europe.tunnels, europe.ferries, europe.decks)
    assert back.route_scores == europe.route_scores


@pytest.mark.parametrize("name", ["germany", "amsterdam", "first_journey"])
def test_the_files_alone_lack_what_the_editor_cannot_hold(command: Command, tmp_path: Path, name: str) -> None:
    command("export", name, "--to", "editor", "--out", tmp_path / "out")
    assert command("new", tmp_path / "back", "--from", tmp_path / "out").code == 0
    back, edition = load_edition(tmp_path / "back"), load_edition(name)
    plain = [replace(city, country=None, region=None, passengers=0) for city in edition.cities]
    assert list(back.cities) == plain
    assert len(back.routes) == len(edition.routes)
    for there, here in zip(edition.tickets, back.tickets, strict=True):
        assert here.a_cities[0] in there.a_cities and here.b_cities[0] in there.b_cities


def test_tickets_alone_mean_the_countries_of_the_edition(command: Command, tmp_path: Path) -> None:
    command("export", "germany", "--to", "editor", "--out", tmp_path / "out")
    command("new", tmp_path / "back", "--from", "germany", "--from", tmp_path / "out" / "tickets.csv")
    assert load_edition(tmp_path / "back").tickets == load_edition("germany").tickets


def test_a_second_trip_writes_the_same_files(command: Command, tmp_path: Path) -> None:
    command("export", "germany", "--to", "editor", "--out", tmp_path / "one")
    command("new", tmp_path / "back", "--from", "germany", "--from", tmp_path / "one")
    command("export", tmp_path / "back", "--to", "editor", "--out", tmp_path / "two")
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()
