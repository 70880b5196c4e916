"""Identity of an edition: an order independent of lines, a fingerprint, differences, and its typed name."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.edition.conftest import Copy, CopyOf
from tests.shuffled import shuffled_copy
from ttr_sim.edition import Edition, as_typed, load_edition, official_names
from ttr_sim.edition.canonical import differences, in_canonical_order, route_keys, ticket_keys
from ttr_sim.edition.problems import FILE_ORDER
from ttr_sim.edition.write import write_folder


@pytest.mark.parametrize("name", official_names())
def test_the_order_of_lines_makes_no_difference_and_rows_lead_back(name: str, tmp_path: Path) -> None:
    edition, shuffled = load_edition(name), shuffled_copy(name, tmp_path, turned=True)
    turned = (replace(it, a=it.b, b=it.a, a_cities=it.b_cities, b_cities=it.a_cities) for it in shuffled.tickets)
    shuffled = replace(shuffled, tickets=tuple(turned))
    assert shuffled.routes != edition.routes
    assert len(set(route_keys(edition))) == len(edition.routes)
    assert len(set(ticket_keys(edition))) == len(edition.tickets)
    canonical = in_canonical_order(shuffled)
    first, second = in_canonical_order(edition).edition, canonical.edition
    assert (first.cities, first.routes, first.tickets) == (second.cities, second.routes, second.tickets)
    assert [shuffled.cities[row] for row in canonical.city_rows] == list(second.cities)
    assert [route_keys(shuffled)[row] for row in canonical.route_rows] == route_keys(second)
    assert [ticket_keys(shuffled)[row] for row in canonical.ticket_rows] == ticket_keys(second)
    for row, ticket in zip(canonical.ticket_rows, second.tickets, strict=True):
        original = shuffled.tickets[row]
        assert ticket.points == original.points
        ends = spots(shuffled, original.a_cities) | spots(shuffled, original.b_cities)
        assert spots(second, ticket.a_cities) | spots(second, ticket.b_cities) == ends


def spots(edition: Edition, cities: tuple[int, ...]) -> set[str]:
    return {edition.cities[city].name for city in cities}


def test_copies_are_numbered_by_what_they_are() -> None:
    """Of two gray routes between the same cities the shorter is the first, whichever line comes first."""
    usa = load_edition("usa")
    keys = route_keys(usa)
    first = next(row for row, key in enumerate(keys) if key[2] == "gray" and (*key[:3], 1) in keys)
    second = keys.index((*keys[first][:3], 1))
    for longer, shorter in ((first, second), (second, first)):
        routes = [
            replace(route, length=5 if row == longer else 4 if row == shorter else route.length)
            for row, route in enumerate(usa.routes)
        ]
        renumbered = route_keys(replace(usa, routes=tuple(routes)))
        assert (renumbered[shorter][3], renumbered[longer][3]) == (0, 1)


NEEDS_PILE = "[row]\nneeds_pile = "
CHANGES = [  # and whether they show; changed cells: test_mutations.py
    ("europe", "edition.toml", "trains = 45", "trains = 44", True),
    ("europe", "edition.toml", "deal = 1", "deal = 0", True),
    ("europe", "edition.toml", "[ferries]", "", True),
    ("europe", "edition.toml", '"tickets", "stations"', '"stations", "tickets"', True),
    ("europe", "edition.toml", 'red = { letter = "r"', 'red = { letter = "z"', True),
    ("europe", "routes.csv", "Amsterdam,Bruxelles,1,black", "Bruxelles,Amsterdam,1,black", True),
    ("amsterdam", "edition.toml", "[row]", f"{NEEDS_PILE}true", True),
    ("amsterdam", "edition.toml", "[row]", f"{NEEDS_PILE}false", False),  # its default
    ("usa", "edition.toml", 'name = "usa"', 'name = "another"', False),
    ("usa", "edition.toml", 'title = "USA"', 'title = "Another"', False),
]


@pytest.mark.parametrize(("edition", "file", "old", "new", "shows"), CHANGES)
def test_every_change_of_the_game_shows(
    copy_of: CopyOf, edition: str, file: str, old: str, new: str, shows: bool
) -> None:
    changed = load_edition(copy_of(edition).edit(file, old, new).folder)
    assert (changed.fingerprint != load_edition(edition).fingerprint) == shows


def test_comments_and_order_of_keys_do_not_show(copy_of: CopyOf) -> None:
    copy = copy_of("usa").edit("edition.toml", "trains = 45", "# so many\n  trains   =   +45")
    copy.edit("edition.toml", "schema = 1\n", "").edit("edition.toml", "hand = 4", "schema = 1\nhand = 4")
    copy.edit("edition.toml", "[longest_path]\npoints = 10\n", "")
    copy.edit("edition.toml", "[colors]", "[longest_path] # moved up\npoints = 10\n\n[colors]")
    assert load_edition(copy.folder).fingerprint == load_edition("usa").fingerprint


@pytest.mark.parametrize(
    ("edition", "block"),
    [("europe", "tunnels"), ("europe", "ferries"), ("germany", "passengers"), ("new_york", "attractions")],
)
def test_without_its_block_a_column_plays_no_part(copy_of: CopyOf, edition: str, block: str) -> None:
    copy = copy_of(edition).edit("edition.toml", ', "passengers"]' if block == "passengers" else "]", "]")
    path = copy.folder / "edition.toml"
    path.write_text(re.sub(rf"(?m)^\[{block}\].*\n([^\[\n].*\n)*", "", path.read_text("utf-8")), "utf-8")
    assert copy.errors() == []
    assert [f"no block [{block}]" in text for text in copy.warnings() if "no block" in text] == [True]
    loaded = load_edition(copy.folder)
    assert block != "tunnels" or not any(route.kind == "tunnel" for route in loaded.routes)
    assert block != "ferries" or not any(route.kind == "ferry" for route in loaded.routes)
    assert not any(city.passengers or city.attraction for city in loaded.cities)


MONTREAL = "Atlanta,Montréal,9,regular\n"
REVERSE = "Montréal,Atlanta,12,regular\n"
DENVER = "Denver,Oklahoma City,4,red,plain,0"
TURNED = "Oklahoma City,Denver,3,red,plain,0"
GLOBETROTTER = ["longest_path is gone", "globetrotter is new: points 15"]
DIFFERENCES = [
    ("usa", "Montréal,9,", "Montréal,11,", ["ticket Atlanta–Montréal (regular): points 11 instead of 9"]),
    ("usa", MONTREAL, "", ["ticket Atlanta–Montréal (regular) is gone"]),
    ("usa", MONTREAL, MONTREAL + REVERSE, ["ticket Montréal–Atlanta (regular, no. 2) is new: points 12"]),
    ("usa", DENVER, TURNED, ["route Denver–Oklahoma City (red): length 3 instead of 4"]),
    ("usa", DENVER, DENVER.replace("red", "blue"), ["route Denver–Oklahoma City (blue): color blue instead of red"]),
    ("usa", "trains = 45", "trains = 40", ["trains: 40 instead of 45"]),
    ("usa", "max_resets = 10", "max_resets = 9", ["row: max_resets 9 instead of 10"]),
    ("usa", "[1, 2, 4, 7,", "[1, 3, 4, 7,", ["route_scores: [1, 3, 4, 7, 10, 15] instead of [1, 2, 4, 7, 10, 15]"]),
    ("usa", '"r", cards = 12', '"r", cards = 11', ["colors.red: cards 11 instead of 12"]),
    ("usa", "[longest_path]\npoints = 10\n", "[globetrotter]\npoints = 15\n", GLOBETROTTER),
    ("usa", 'title = "USA"', 'title = "My map"', []),
    # Features go by the names of edition.toml.
    ("germany", "second = 10 ", "second = 5 ", ["passengers: second 5 instead of 10"]),
    ("first_journey", "count = 4", "count = 3", ["bonus_ticket: count 3 instead of 4"]),
    ("germany", "577.8,1309.3,,1", "577.8,1309.3,,0", ["city Augsburg: passengers 0 instead of 1"]),
]


@pytest.mark.parametrize(("edition", "old", "new", "sentences"), DIFFERENCES)
def test_one_change_one_sentence(copy_of: CopyOf, edition: str, old: str, new: str, sentences: list[str]) -> None:
    copy = copy_of(edition)
    (file,) = (file for file in FILE_ORDER if old in (copy.folder / file).read_text("utf-8"))
    assert differences(load_edition(edition), load_edition(copy.edit(file, old, new).folder)) == sentences


@pytest.mark.parametrize("name", ["usa", "usa_1910"])
def test_an_edition_that_comes_along_goes_by_its_name(name: str, tmp_path: Path) -> None:
    assert as_typed(load_edition(name)) == name
    assert as_typed(in_a_run(name, tmp_path)) == name


def test_a_folder_goes_by_its_path_whatever_name_is_written_in_it(tmp_path: Path) -> None:
    mine = tmp_path / "my maps" / "mine"
    write_folder(load_edition("usa"), mine)
    assert as_typed(load_edition(mine)) == str(mine)


def test_a_board_that_only_a_run_holds_goes_by_its_name_where_that_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder(load_edition("usa"), Path("mine"))
    mine = Copy(Path("mine")).edit("edition.toml", 'name = "usa"', 'name = "mine"')
    mine.edit("edition.toml", "trains = 45", "trains = 40")
    played = in_a_run("mine", tmp_path)
    assert as_typed(played) == "mine"
    mine.edit("edition.toml", "trains = 40", "trains = 41")
    assert as_typed(played) == "FOLDER"


def in_a_run(name: str, home: Path) -> Edition:
    folder = home / "runs" / name
    write_folder(load_edition(name), folder / "edition")
    (folder / "run.json").touch()
    return load_edition(folder / "edition")
