"""The variants of USA: its board and rules, other tickets and bonuses; not counted among the official editions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from tests.edition.test_official import row_hash
from ttr_sim.edition import Edition, check_folder, load_edition, official_names, variants
from ttr_sim.edition.load import data_folder, find_folder
from ttr_sim.edition.statics.network import fewest_trains

VARIANTS = ("usa_1910", "usa_big_cities", "usa_mega")
OWN = {"name", "title", "provenance", "fingerprint", "folder", "files", "decks", "ticket_rules", "tickets"}
OWN_BONUSES = {"tie_breaks", "longest_path", "globetrotter"}
TICKET_HASHES = {
    "usa_1910": "c3edfe189debaa6c",
    "usa_big_cities": "561110b38e7b19ad",
    "usa_mega": "57a7206586c54e39",
}
BIG_CITIES = {"Chicago", "Dallas", "Houston", "Los Angeles", "Miami", "New York", "Seattle"}
REVALUED = {
    ("Los Angeles", "Miami"): (20, 19),
    ("Los Angeles", "New York"): (21, 20),
    ("New York", "Seattle"): (22, 20),
    ("Oklahoma City", "Sault St. Marie"): (9, 8),
}
MYSTERY_TRAIN = {
    ("Boston", "Washington"): 4,
    ("Chicago", "Montréal"): 7,
    ("Omaha", "Winnipeg"): 6,
    ("Portland", "Vancouver"): 2,
}


def points(name: str) -> dict[tuple[str, str], int]:
    return {(ticket.a, ticket.b): ticket.points for ticket in load_edition(name).tickets}


def test_variants_are_not_official() -> None:
    assert variants() == dict.fromkeys(VARIANTS, "usa")
    assert not set(VARIANTS) & set(official_names())
    assert all(find_folder(name) == data_folder() / name for name in VARIANTS)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_board_is_that_of_usa(name: str) -> None:
    for file in ("cities.csv", "routes.csv"):
        assert (data_folder() / name / file).read_bytes() == (data_folder() / "usa" / file).read_bytes()


@pytest.mark.parametrize("name", VARIANTS)
def test_all_other_rules_are_those_of_usa(name: str) -> None:
    usa, variant = load_edition("usa"), load_edition(name)
    same = {field.name for field in fields(Edition)} - OWN - OWN_BONUSES
    assert {key for key in same if getattr(usa, key) != getattr(variant, key)} == set()
    rules, others = usa.ticket_rules, variant.ticket_rules
    assert (rules.mix, rules.returned_at_start, rules.keep) == (others.mix, others.returned_at_start, others.keep)
    assert rules.failed_subtract == others.failed_subtract


@pytest.mark.parametrize("name", VARIANTS)
def test_loads_without_errors_and_says_what_is_uncertain(name: str) -> None:
    assert check_folder(data_folder() / name).errors == ()
    edition = load_edition(name)
    assert edition.name == name
    assert "The booklet itself was not at hand" in edition.provenance


@pytest.mark.parametrize("name", VARIANTS)
def test_tickets_are_those_compared_with_the_sources(name: str) -> None:
    assert row_hash(name, "tickets") == TICKET_HASHES[name]


@pytest.mark.parametrize(
    ("name", "tickets", "total", "deal", "draw", "keep", "longest", "globetrotter"),
    [
        ("usa_1910", 35, 391, 3, 3, 2, None, 15),
        ("usa_big_cities", 35, 389, 4, 4, 2, None, None),
        ("usa_mega", 69, 754, 5, 4, 3, 10, 15),
    ],
)
def test_tickets_offers_and_bonuses(
    name: str, tickets: int, total: int, deal: int, draw: int, keep: int, longest: int | None, globetrotter: int | None
) -> None:
    edition = load_edition(name)
    assert (len(edition.tickets), sum(ticket.points for ticket in edition.tickets)) == (tickets, total)
    assert [(deck.deal, deck.draw) for deck in edition.decks] == [(deal, draw)]
    assert edition.ticket_rules.keep_at_start == keep
    assert (edition.longest_path and edition.longest_path.points) == longest
    assert (edition.globetrotter and edition.globetrotter.points) == globetrotter
    assert ("longest_path" in edition.tie_breaks) == (longest is not None)


def test_mega_is_usa_with_four_new_values_and_1910_and_mystery_train() -> None:
    reprinted = {**points("usa"), **{ends: new for ends, (_, new) in REVALUED.items()}}
    assert {ends: points("usa")[ends] for ends in REVALUED} == {ends: old for ends, (old, _) in REVALUED.items()}
    assert points("usa_mega") == {**reprinted, **points("usa_1910"), **MYSTERY_TRAIN}
    assert len(reprinted) + len(points("usa_1910")) + len(MYSTERY_TRAIN) == len(points("usa_mega"))


def test_big_cities_are_the_mega_tickets_of_seven_cities() -> None:
    wanted = {ends: value for ends, value in points("usa_mega").items() if BIG_CITIES & set(ends)}
    assert points("usa_big_cities") == wanted


def test_all_but_two_tickets_are_worth_their_shortest_path() -> None:
    assert dict(_above_shortest_path(load_edition("usa_mega"))) == {
        ("Chicago", "Los Angeles"): 1,
        ("Las Vegas", "Miami"): 1,
    }


def _above_shortest_path(edition: Edition) -> Iterator[tuple[tuple[str, str], int]]:
    for ticket in edition.tickets:
        more = ticket.points - fewest_trains(edition, ticket)
        if more:
            yield (ticket.a, ticket.b), int(more)


def test_a_damaged_folder_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "edition.toml").write_text("schema = ")
    (tmp_path / "mega").mkdir()
    (tmp_path / "mega" / "edition.toml").write_text('variant_of = "broken"')
    monkeypatch.setattr("ttr_sim.edition.load.data_folder", lambda: tmp_path)
    variants.cache_clear()
    try:
        assert (official_names(), variants()) == (("broken",), {"mega": "broken"})
    finally:
        variants.cache_clear()
