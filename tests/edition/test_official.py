"""The editions against their boards and rulebooks: counts, sums and hashes of every table."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from ttr_sim.edition import Edition, check_folder, edition_names, load_edition, official_names, variants
from ttr_sim.edition.load import OFFICIAL_ORDER, data_folder, find_folder

# Of rules and map as they were compared with the sources; a change of one character shows. Runs store them, too.
FINGERPRINTS = {
    "usa": "b532b505765782e4",
    "europe": "d429ec85368df327",
    "germany": "b5bbf444ec1a8ff0",
    "amsterdam": "a4f841162dc9fb30",
    "first_journey": "74e52e78aafde1b0",
    "new_york": "90242714de682167",
    "london": "3e83da46f0ce83a5",
    "india": "773696a324f66642",
    # Big Cities are the mega tickets of seven cities; mega is USA reprinted, 1910 and Mystery Train.
    "usa_1910": "f72f37bb6c911895",
    "usa_big_cities": "73c2e05b23ba43b0",
    "usa_mega": "e9f1d74a5b943d3d",
}
# Cities, routes, groups, spaces, train cards, and each deck's tickets and points.
COUNTS = {
    "usa": (36, 100, 78, 309, 110, {"regular": (30, 349)}),
    "europe": (47, 101, 90, 300, 110, {"regular": (40, 321), "long": (6, 123)}),
    "germany": (49, 110, 85, 313, 110, {"short": (55, 415), "long": (34, 526)}),
    "amsterdam": (17, 45, 32, 89, 44, {"contract": (24, 120)}),
    "first_journey": (22, 70, 45, 126, 72, {"ticket": (32, 32)}),
    "new_york": (15, 41, 30, 84, 44, {"regular": (18, 92)}),
    "london": (17, 44, 35, 95, 44, {"regular": (20, 108)}),
    "india": (39, 108, 80, 238, 110, {"regular": (58, 473)}),
}

VARIANTS = ("usa_1910", "usa_big_cities", "usa_mega")
OWN = {"name", "title", "provenance", "fingerprint", "folder", "files", "decks", "ticket_rules", "tickets"}
OWN_BONUSES = {"tie_breaks", "longest_path", "globetrotter"}


def test_editions_are_those_compared_with_the_sources() -> None:
    assert {name: load_edition(name).fingerprint for name in edition_names()} == FINGERPRINTS
    assert official_names() == OFFICIAL_ORDER
    assert variants() == dict.fromkeys(VARIANTS, "usa")
    assert all(find_folder(name) == data_folder() / name for name in VARIANTS)


@pytest.mark.parametrize("name", COUNTS)
def test_official_editions_have_no_error_and_the_printed_counts_and_sums(name: str) -> None:
    edition = load_edition(name)
    report = check_folder(edition.folder)
    assert report.errors == []
    allowed = ("no ticket names", "is a dead end")
    assert all(any(words in warning.message for words in allowed) for warning in report.warnings)
    assert edition.name == name
    assert len(edition.provenance) > 80
    decks = {}
    for number, deck in enumerate(edition.decks):
        points = [ticket.points for ticket in edition.tickets if ticket.deck == number]
        decks[deck.name] = (len(points), sum(points))
    groups, spaces = len({route.group for route in edition.routes}), sum(route.length for route in edition.routes)
    cards = sum(color.cards for color in edition.colors) + edition.wilds
    assert (len(edition.cities), len(edition.routes), groups, spaces, cards, decks) == COUNTS[name]


@pytest.mark.parametrize("name", VARIANTS)
def test_board_and_other_rules_are_those_of_usa(name: str) -> None:
    usa, variant = load_edition("usa"), load_edition(name)
    for file in ("cities.csv", "routes.csv"):
        assert variant.files[file] == usa.files[file]
    assert check_folder(variant.folder).errors == []
    assert variant.name == name
    assert "The booklet itself was not at hand" in variant.provenance
    same = {field.name for field in fields(Edition)} - OWN - OWN_BONUSES
    assert {key for key in same if getattr(usa, key) != getattr(variant, key)} == set()
    rules, others = usa.ticket_rules, variant.ticket_rules
    assert (rules.mix, rules.returned_at_start, rules.keep) == (others.mix, others.returned_at_start, others.keep)
    assert rules.failed_subtract == others.failed_subtract


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
