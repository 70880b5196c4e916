"""The five editions against what the boards and rulebooks say: counts, sums and hashes of every table."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter

import pytest

from ttr_sim.edition import Edition, check_folder, load_edition, official_names

COLUMNS = {
    "cities": ("name", "x", "y", "country", "region", "passengers"),
    "routes": ("from", "to", "length", "color", "kind", "locomotives", "merchandise"),
    "tickets": ("from", "to", "points", "deck"),
}
# Of the rows as they were compared with the sources; a change of one character shows.
ROW_HASHES = {
    ("usa", "cities"): "12efad7862fdc8be",
    ("usa", "routes"): "1c91ea4fc811fb7a",
    ("usa", "tickets"): "f01087c929db1e7a",
    ("europe", "cities"): "9ffae0690439131a",
    ("europe", "routes"): "4866daebdd83e0f1",
    ("europe", "tickets"): "1027bd7d5d579311",
    ("germany", "cities"): "d9d34963ce412cd0",
    ("germany", "routes"): "59461bf7974fbec7",
    ("germany", "tickets"): "ce3e7e29e7385af1",
    ("amsterdam", "cities"): "b0f9466ca5823c2f",
    ("amsterdam", "routes"): "7f72a85c46bf62d9",
    ("amsterdam", "tickets"): "80a4df00203f1c2e",
    ("first_journey", "cities"): "362485a6698d60a0",
    ("first_journey", "routes"): "f5571ccb4e6520e6",
    ("first_journey", "tickets"): "7a17e12cc10935bd",
}


def row_hash(edition: str, table: str) -> str:
    path = load_edition(edition).folder / f"{table}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = ["|".join(row.get(column, "") for column in COLUMNS[table]) for row in csv.DictReader(file)]
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("edition", "table"), ROW_HASHES)
def test_rows_are_those_compared_with_the_sources(edition: str, table: str) -> None:
    assert row_hash(edition, table) == ROW_HASHES[edition, table]


def groups(edition: Edition) -> int:
    return len({route.group for route in edition.routes})


def kinds(edition: Edition) -> Counter[str]:
    return Counter(route.kind for route in edition.routes)


def decks(edition: Edition) -> dict[str, tuple[int, int]]:
    """Tickets and their points by deck."""
    found = {}
    for number, deck in enumerate(edition.decks):
        points = [ticket.points for ticket in edition.tickets if ticket.deck == number]
        found[deck.name] = (len(points), sum(points))
    return found


def test_official_names() -> None:
    assert official_names() == ("usa", "europe", "germany", "amsterdam", "first_journey")


@pytest.mark.parametrize("name", official_names())
def test_official_editions_have_no_error(name: str) -> None:
    report = check_folder(load_edition(name).folder)
    assert report.errors == ()
    allowed = ("no ticket names", "is a dead end")
    assert all(any(words in warning.message for words in allowed) for warning in report.warnings)


@pytest.mark.parametrize("name", official_names())
def test_every_name_carries_a_provenance(name: str) -> None:
    edition = load_edition(name)
    assert edition.name == name
    assert len(edition.provenance) > 80


def test_usa() -> None:
    usa = load_edition("usa")
    assert (len(usa.cities), len(usa.routes), groups(usa), kinds(usa)) == (36, 100, 78, {"plain": 100})
    assert decks(usa) == {"regular": (30, 349)}
    assert sum(route.length for route in usa.routes) == 309
    assert usa.route_scores == (1, 2, 4, 7, 10, 15)
    assert sum(color.cards for color in usa.colors) + usa.wilds == 110


def test_europe() -> None:
    europe = load_edition("europe")
    assert (len(europe.cities), len(europe.routes), groups(europe)) == (47, 101, 90)
    assert kinds(europe) == {"plain": 70, "tunnel": 18, "ferry": 13}
    assert sum(route.locomotives for route in europe.routes) == 17
    assert decks(europe) == {"regular": (40, 321), "long": (6, 123)}
    assert europe.stations is not None and (europe.stations.count, europe.stations.unused_points) == (3, 4)


def test_germany() -> None:
    germany = load_edition("germany")
    assert (len(germany.routes), groups(germany)) == (110, 85)
    assert decks(germany) == {"short": (55, 415), "long": (34, 526)}
    assert sum(city.passengers for city in germany.cities) == 60
    assert Counter(city.country for city in germany.cities if city.country) == {
        "Dänemark": 2,
        "Frankreich": 3,
        "Niederlande": 3,
        "Schweiz": 3,
        "Österreich": 3,
    }
    assert germany.passengers is not None
    names = [germany.colors[color].name for color in germany.passengers.colors]
    assert names == ["white", "black", "red", "blue", "green", "yellow"]
    austria = next(ticket for ticket in germany.tickets if "Österreich" in (ticket.a, ticket.b))
    assert 3 in (len(austria.a_cities), len(austria.b_cities))


def test_amsterdam() -> None:
    amsterdam = load_edition("amsterdam")
    assert (len(amsterdam.cities), len(amsterdam.routes), groups(amsterdam)) == (17, 45, 32)
    assert decks(amsterdam) == {"contract": (24, 120)}
    assert sum(route.merchandise for route in amsterdam.routes) == 16
    assert amsterdam.merchandise is not None
    assert amsterdam.merchandise.points == {2: (8, 4), 3: (8, 5, 2), 4: (8, 6, 4, 2)}
    assert sum(color.cards for color in amsterdam.colors) + amsterdam.wilds == 44


def test_first_journey() -> None:
    first = load_edition("first_journey")
    assert (len(first.cities), len(first.routes), groups(first)) == (22, 70, 45)
    assert decks(first) == {"ticket": (32, 32)}
    assert first.is_race and first.row is None and first.route_scores is None
    regions = {region: {city.name for city in first.cities if city.region == region} for region in ("east", "west")}
    assert regions == {"east": {"Moscow", "Rostov", "Ankara"}, "west": {"Dublin", "Brest", "Madrid"}}
    assert sum(color.cards for color in first.colors) + first.wilds == 72
