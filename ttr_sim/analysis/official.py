"""Numbers of the official editions as shipped, to compare a board with.

Tables with rows that all editions have (a seat, a measure, a style) are compared row by row. Lists (tickets, routes,
cities) are compared by the span of nine in ten rows of each edition. `scripts/gallery` makes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ttr_sim.edition.model import Edition

FILE = "official_ranges.json"
# Numbers of a whole board that no table has, by player count.
HEADLINES = "headlines"
FIERCEST, LOCKED_OUT_MOST, FIRST_SEAT = "fiercest", "locked_out", "first_seat"

Span = tuple[float, float]


@dataclass(frozen=True)
class Ranges:
    """Spans of the editions by table, player count, row key and column."""

    spans: Mapping[str, Any]
    titles: Sequence[str] = ()
    left_out: int | None = None  # place of the edition that is compared

    @property
    def editions(self) -> list[str]:
        return [title for place, title in enumerate(self.titles) if place != self.left_out]

    def of(self, table: str, players: int, key: str, column: str) -> Span | None:
        """Look up the span over the editions that show the number."""
        found = self.spans.get(table, {}).get(str(players), {}).get(key, {}).get(column, ())
        # Compared with a range of which it is part, a board would always lie within.
        known = [span for place, span in enumerate(found) if span and place != self.left_out]
        return (min(low for low, _ in known), max(high for _, high in known)) if known else None

    def of_headline(self, headline: str, players: int) -> Span | None:
        return self.of(HEADLINES, players, headline, "value")


def official_ranges(edition: Edition) -> Ranges:
    """The ranges without the edition itself."""
    found = stored()
    prints = [other["fingerprint"] for other in found["editions"]]
    itself = prints.index(edition.fingerprint) if edition.fingerprint in prints else None
    return Ranges(found["spans"], [other["title"] for other in found["editions"]], itself)


def official_most(headline: str, players: float) -> float:
    """Highest number of an official board with at most so many players."""
    ranges = Ranges(stored()["spans"])
    while (span := ranges.of_headline(headline, int(players))) is None and players > 1:
        players -= 1
    return span[1] if span else 1.0


@cache
def stored() -> dict[str, Any]:
    source = files("ttr_sim.analysis") / FILE
    if not source.is_file():
        return {"editions": [], "spans": {}}  # while the gallery measures the editions anew
    found: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    return found
