"""edition.toml: places of keys, `--set` over them, and the same written down again."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.rules import key_places, overrides_of
from ttr_sim.edition.write import toml_text, write_folder
from ttr_sim.errors import UserError

TEXT = '''\
title = "a # b = c [d]" # e = 1
long = """
fake = 1
[fake]
"""
raw = \'\'\'
other = "2\'\'\'
scores = [ # comment ]
  1,
  2,
]
a.b = 1
"quo.ted" = 2

[one.two]
  x = { y = 1, z = { w = [1, "}"], v = 2 } }
[[three]]
last = 1\
'''


def test_places() -> None:
    places = key_places(TEXT)
    assert places["title",] == (1, 1)
    assert places["long",] == (2, 1)
    assert ("fake",) not in places and ("other",) not in places
    assert places["scores",] == (8, 1)
    assert places["a", "b"] == places["a",] == (12, 1)
    assert places["quo.ted",] == (13, 1)
    assert places["one", "two", "x"] == (16, 3)
    assert places["one", "two", "x", "y"] == (16, 9)
    assert places["one", "two", "x", "z", "v"] == (16, 36)
    assert places["three", "last"] == (18, 1)


def paths(table: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in table.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from paths(value, (*above, key))


@pytest.mark.parametrize("name", official_names())
def test_every_key_of_the_editions_is_found(name: str) -> None:
    text = (load_edition(name).folder / "edition.toml").read_text(encoding="utf-8")
    assert set(key_places(text)) == set(paths(tomllib.loads(text)))


scalars = st.one_of(st.integers(-(2**63), 2**63 - 1), st.booleans(), st.text())
values = st.recursive(
    scalars, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3))
)


@given(st.dictionaries(st.text(), values, max_size=5))
def test_any_rules_are_written_so_that_they_read_the_same(rules: dict[str, object]) -> None:
    assert tomllib.loads(toml_text(rules)) == rules


GOOD = [
    ("usa", {"stations.count": "2", "stations.unused_points": "4"}),
    ("usa", {"route_scores": "[1, 2, 4, 7, 10, 30]", "title": '"USA, \\"long\\" \\u00e4\\t"'}),
    ("usa", {"route_scores": "[1, 2, 4,\n 7, 10, 30]"}),
    ("europe", {"colors.red.cards": "10", "tunnels.reveal": "4"}),
    ("germany", {"globetrotter": "{points = 20}"}),
    ("amsterdam", {"merchandise.points.2": "[9, 3]"}),
    ("london", {"districts.points.5": "9"}),
    ("amsterdam", {"tie_breaks": "[]", "tickets.failed_subtract": "false"}),
    ("first_journey", {"end.race_tickets": "5", "instant_tickets.discard": "false"}),
]


@pytest.mark.parametrize(("name", "overrides"), GOOD)
def test_overridden_folder_is_the_same_edition(name: str, overrides: dict[str, str], tmp_path: Path) -> None:
    overridden = load_edition(name, overrides)
    assert overridden.fingerprint != load_edition(name).fingerprint
    write_folder(overridden, tmp_path / "copy", [f"{key}={value}" for key, value in overrides.items()])
    assert load_edition(tmp_path / "copy").fingerprint == overridden.fingerprint


BAD = [
    ({"trans": "40"}, r'--set trans: unknown key "trans" \(did you mean "trains"\?\)'),
    ({"stations.cuont": "2"}, r'--set stations.cuont: unknown key "stations.cuont" \(did you mean "count"\?\)'),
    ({"trains": "many"}, r'--set trains: "many" is not a TOML value \(text needs its own quotes\)'),
    ({"trains": ""}, r"--set trains: .* is not a TOML value"),
    ({"trains": "4\nhand = 3"}, r"--set trains: .* is not a TOML value"),
    ({"trains": "-4"}, r"--set trains: trains must be a whole number from 1 to 120, not -4"),
    ({"trains.left": "4"}, r'--set trains.left: "trains" is a value, not a block'),
    ({"row.reset_at": "9"}, r"--set row.reset_at: row.reset_at = 9 is more than row.size = 5"),
    ({"decks.regular.deal": "8"}, r"--set decks.regular.deal: setup with 5 players deals 40"),
    ({"stations.count": "2"}, r'--set stations.count: the key "stations.unused_points" is missing'),
    ({"..": "2"}, r'--set \.\.: unknown key ""'),
    ({"route_scores": "[1, 2]"}, r"routes.csv:\d+:\d+: \[C\d+\] route_scores has no points for length"),
]


@pytest.mark.parametrize(("overrides", "message"), BAD)
def test_wrong_override(overrides: dict[str, str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_edition("usa", overrides)


@pytest.mark.parametrize("name", official_names())
def test_a_copy_without_settings_keeps_every_byte(name: str, tmp_path: Path) -> None:
    edition = load_edition(name)
    write_folder(edition, tmp_path / "copy")
    for file in ("edition.toml", "cities.csv", "routes.csv", "tickets.csv"):
        assert (tmp_path / "copy" / file).read_bytes() == (edition.folder / file).read_bytes()


@pytest.mark.parametrize("setting", ["trains", "=4", "trains=", ""])
def test_a_setting_is_a_key_and_a_value(setting: str) -> None:
    with pytest.raises(UserError, match="give a key and a value"):
        overrides_of([setting])
