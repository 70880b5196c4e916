"""Identity of an edition: an order that hangs on no line, and a fingerprint of all that is played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.edition.conftest import CopyOf
from tests.shuffled import shuffled_copy
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.canonical import in_canonical_order, route_keys, ticket_keys
from ttr_sim.edition.model import Edition


@pytest.mark.parametrize("name", official_names())
def test_the_order_of_lines_makes_no_difference(name: str, tmp_path: Path) -> None:
    edition, shuffled = load_edition(name), shuffled_copy(name, tmp_path)
    assert shuffled.routes != edition.routes
    first, second = (in_canonical_order(each).edition for each in (edition, shuffled))
    assert (first.cities, first.routes, first.tickets) == (second.cities, second.routes, second.tickets)


@pytest.mark.parametrize("name", official_names())
def test_rows_lead_back_to_the_files(name: str, tmp_path: Path) -> None:
    edition = shuffled_copy(name, tmp_path)
    canonical = in_canonical_order(edition)
    assert [edition.cities[row] for row in canonical.city_rows] == list(canonical.edition.cities)
    assert [route_keys(edition)[row] for row in canonical.route_rows] == route_keys(canonical.edition)
    assert [ticket_keys(edition)[row] for row in canonical.ticket_rows] == ticket_keys(canonical.edition)
    for row, ticket in zip(canonical.ticket_rows, canonical.edition.tickets, strict=True):
        assert ticket.points == edition.tickets[row].points
        assert spots(canonical.edition, ticket.a_cities) | spots(canonical.edition, ticket.b_cities) == spots(
            edition, edition.tickets[row].a_cities
        ) | spots(edition, edition.tickets[row].b_cities)


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


def test_ends_in_the_other_order_are_the_same_ends() -> None:
    europe = load_edition("europe")
    turned = replace(
        europe,
        routes=tuple(replace(route, a=route.b, b=route.a) for route in europe.routes),
        tickets=tuple(
            replace(each, a=each.b, b=each.a, a_cities=each.b_cities, b_cities=each.a_cities) for each in europe.tickets
        ),
    )
    assert in_canonical_order(turned).edition == in_canonical_order(europe).edition


CHANGES = [
    ("edition.toml", "trains = 45", "trains = 44"),
    ("edition.toml", "deal = 1", "deal = 0"),
    ("edition.toml", "[ferries]", "[parallels_of_old]"),
    ("edition.toml", '"tickets", "stations"', '"stations", "tickets"'),
    ("edition.toml", 'red = { letter = "r"', 'red = { letter = "z"'),
    ("cities.csv", "Amsterdam,307.9", "Amsterdam,307.8"),
    ("routes.csv", "Amsterdam,Bruxelles,1,black", "Amsterdam,Bruxelles,2,black"),
    ("routes.csv", "Amsterdam,Bruxelles,1,black", "Bruxelles,Amsterdam,1,black"),
    ("routes.csv", "Amsterdam,Bruxelles,1,black", "Amsterdam,Bruxelles,1,gray"),
    ("routes.csv", "plain", "tunnel"),
    ("routes.csv", "ferry,2", "ferry,1"),
    ("tickets.csv", "Pamplona,7", "Pamplona,8"),
    ("tickets.csv", "7,regular", "7,long"),
]


@pytest.mark.parametrize(("file", "old", "new"), CHANGES)
def test_every_change_shows(copy_of: CopyOf, file: str, old: str, new: str) -> None:
    copy = copy_of("europe").edit(file, old, new)
    if "parallels" in new:
        copy.edit(file, new, "")
    assert load_edition(copy.folder).fingerprint != load_edition("europe").fingerprint


def test_comments_and_order_of_keys_do_not_show(copy_of: CopyOf) -> None:
    copy = copy_of("usa").edit("edition.toml", "trains = 45", "# so many\n  trains   =   +45")
    copy.edit("edition.toml", "schema = 1\n", "").edit("edition.toml", "hand = 4", "schema = 1\nhand = 4")
    copy.edit("edition.toml", "[longest_path]\npoints = 10\n", "")
    copy.edit("edition.toml", "[colors]", "[longest_path] # moved up\npoints = 10\n\n[colors]")
    assert load_edition(copy.folder).fingerprint == load_edition("usa").fingerprint


def test_a_key_with_its_default_does_not_show(copy_of: CopyOf) -> None:
    copy = copy_of("amsterdam").edit("edition.toml", "[row]", "[row]\nneeds_pile = false")
    assert load_edition(copy.folder).fingerprint == load_edition("amsterdam").fingerprint
    copy.edit("edition.toml", "needs_pile = false", "needs_pile = true")
    assert load_edition(copy.folder).fingerprint != load_edition("amsterdam").fingerprint


@pytest.mark.parametrize("key", ["name", "title"])
def test_texts_do_not_show(copy_of: CopyOf, key: str) -> None:
    copy = copy_of("usa")
    (line,) = [line for line in (copy.folder / "edition.toml").read_text("utf-8").splitlines() if line.startswith(key)]
    copy.edit("edition.toml", line, f'{key} = "another"')
    assert load_edition(copy.folder).fingerprint == load_edition("usa").fingerprint


def test_editions_differ() -> None:
    assert len({load_edition(name).fingerprint for name in official_names()}) == len(official_names())


@pytest.mark.parametrize(
    ("edition", "block", "column"),
    [("europe", "[tunnels]", "tunnel"), ("europe", "[ferries]", "ferry"), ("germany", "[passengers]", "1")],
)
def test_without_its_block_a_column_plays_no_part(copy_of: CopyOf, edition: str, block: str, column: str) -> None:
    copy = copy_of(edition)
    path = copy.folder / "edition.toml"
    head, tail = path.read_text(encoding="utf-8").split(block)
    rest = tail.split("\n[", 1)
    path.write_text(head + ("[" + rest[1] if len(rest) > 1 else ""), encoding="utf-8")
    if edition == "germany":
        copy.edit("edition.toml", ', "passengers"]', "]")
    assert copy.errors() == []
    (warning,) = [text for text in copy.warnings() if "edition.toml has no block" in text]
    assert block in warning
    loaded = load_edition(copy.folder)
    assert all(route.kind != column for route in loaded.routes)
    assert edition != "germany" or all(city.passengers == 0 for city in loaded.cities)
