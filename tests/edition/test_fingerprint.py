"""The fingerprint changes with everything an edition says, and with nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.edition.conftest import Copy
from ttr_sim.edition import load_edition, official_names

CopyOf = Callable[[str], Copy]

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


def test_renaming_a_city_shows(copy_of: CopyOf) -> None:
    copy = copy_of("usa")
    for file in ("cities.csv", "routes.csv", "tickets.csv"):
        path = copy.folder / file
        path.write_text(path.read_text(encoding="utf-8").replace("Denver", "Boulder"), encoding="utf-8")
    assert copy.errors() == []
    assert load_edition(copy.folder).fingerprint != load_edition("usa").fingerprint


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
