"""The tables of a comparison: which numbers are compared, in which columns, and what they mean."""

from __future__ import annotations

from dataclasses import dataclass

from ttr_sim.analysis.tables import Unit

CONTRAST = ("a", "b", "difference", "low", "high", "p", "p_adjusted")
HEADLINE_COLUMNS = ("name", "unit", "players", *CONTRAST, "notable")


@dataclass(frozen=True, slots=True)
class Number:
    """One number of each ticket or route: columns of CONTRAST behind the prefix, and whether it is notable."""

    name: str
    unit: Unit
    words: str
    meaning: str
    prefix: str

    @property
    def notable(self) -> str:
        return f"{self.name}_notable"

    @property
    def columns(self) -> list[str]:
        return [*(self.prefix + name for name in CONTRAST), self.notable]


@dataclass(frozen=True, slots=True)
class Listing:
    """`keys` show which ticket or route it is; the first number has no prefix, and `notable` stands for any number."""

    name: str
    title: str
    keys: tuple[str, ...]
    numbers: tuple[Number, ...]

    @property
    def columns(self) -> list[str]:
        return [*self.keys, "notable", *(column for number in self.numbers for column in number.columns)]


def _number(name: str, unit: Unit, words: str, meaning: str) -> Number:
    return Number(name, unit, words, meaning, f"{name}_")


def _first(name: str, words: str, meaning: str) -> Number:
    return Number(name, "share", words, meaning, "")


TICKETS = Listing(
    "tickets",
    "Tickets",
    ("from", "to", "deck", "copy", "points_a", "points_b", "dealt_a", "dealt_b"),
    (
        _first("wins", "wins when dealt", "win share of the seats that were dealt it at setup"),
        _number(
            "score",
            "points",
            "score when dealt",
            "final score of the seats that were dealt it at setup, minus the mean score of all seats",
        ),
        _number("kept", "share", "kept when dealt", "share of those dealt it at setup who kept it"),
        _number("completed", "share", "completed", "share completed of those kept"),
    ),
)
ROUTES = Listing(
    "routes",
    "Routes",
    ("from", "to", "color", "copy", "length_a", "length_b"),
    (
        _first("claimed", "claimed", "share of games in which it was claimed"),
        _number("contention", "share", "fought over", "share of games in which another seat wanted it when claimed"),
    ),
)
