"""Numbers and player counts in words, by unit, with a dash for a missing estimate. words.toml has other words."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.text import MINUS, decimal

ALL = 0  # in tables: all player counts together; in the page: all of them one below the other
MISSING = "–"
WORDS = tomllib.loads((files("ttr_sim.report") / "words.toml").read_text(encoding="utf-8"))
NUMERIC: frozenset[Unit] = frozenset(("count", "share", "change", "points", "rounds", "number", "rating", "p"))
HEADING_UNITS: dict[Unit, str] = {"share": "%", "change": "% points", "points": "points", "rounds": "rounds"}
DECIMALS: dict[Unit, int] = {"share": 1, "change": 1, "points": 1, "rounds": 1, "number": 2, "rating": 0}
SMALLEST_P = 0.001


def is_missing(value: object) -> bool:
    return value is None or str(value) in ("nan", "<NA>")


def written(value: object, unit: Unit, plus: str = "") -> str:
    """Write a cell, with shares in percent without the sign of the heading."""
    if is_missing(value):
        return MISSING
    if unit == "text":
        return str(value)
    if unit == "flag":
        return "yes" if value else "no"
    number = float(str(value))
    if unit in ("id", "count"):
        return f"{int(number):,}".replace("-", MINUS)
    if unit == "p":
        return f"<{SMALLEST_P}" if number < SMALLEST_P else f"{number:.3f}"
    scaled = number * 100 if unit in ("share", "change") else number
    return decimal(scaled, DECIMALS[unit], plus or ("+" if unit in ("change", "rating") else ""))


def labeled(words: str, unit: Unit) -> str:
    name = HEADING_UNITS.get(unit, "")
    return f"{words}, {name}" if name and name not in words.lower() else words


def interval(low: object, high: object, unit: Unit, plus: str = "") -> str:
    """Write both ends, empty when there is no interval."""
    return "" if is_missing(low) or is_missing(high) else f"{written(low, unit, plus)} to {written(high, unit, plus)}"


def exactly(value: object) -> str:
    """Write a given number, not an estimate: without decimals it does not have."""
    return MISSING if is_missing(value) else f"{float(str(value)):,.4g}".replace("-", MINUS)


def counted(number: int, thing: str) -> str:
    return f"{written(number, 'count')} {thing}{'' if number == 1 else 's'}"


def whole_percent(share: float) -> str:
    return f"{share * 100:.0f}"


def ordinal(seat: int) -> str:
    """Write `1st`, `2nd`: digits, so that sorting as text keeps the turn order."""
    return f"{seat + 1}{('st', 'nd', 'rd')[seat] if seat < 3 else 'th'}"


def main_count(counts: list[int]) -> int:
    """The count shown first: the middle one, rather the larger."""
    return counts[len(counts) // 2]


def players_words(players: int) -> str:
    return "all player counts" if players == ALL else f"{players} players"
