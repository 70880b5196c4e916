"""Where a key stands in TOML text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.toml_positions import key_places, nearest, replaced

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


def test_nearest_place_around_a_key_that_is_missing() -> None:
    places = key_places(TEXT)
    assert nearest(places, ("one", "two", "gone")) == places["one", "two"]
    assert nearest(places, ("gone",)) == (1, 1)


def test_replaced_value_leaves_all_else() -> None:
    changed = replaced(TEXT, ("long",), '"short"')
    assert tomllib.loads(changed) == {**tomllib.loads(TEXT), "long": "short"}
    assert changed.count("\n") == TEXT.count("\n") - 3


def paths(table: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in table.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from paths(value, (*above, key))


@pytest.mark.parametrize("name", official_names())
def test_every_key_of_the_editions_is_found(name: str) -> None:
    text = (load_edition(name).folder / "edition.toml").read_text(encoding="utf-8")
    assert set(key_places(text)) == set(paths(tomllib.loads(text)))
