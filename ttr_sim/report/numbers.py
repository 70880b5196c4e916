"""How a report writes numbers and player counts: by the unit of the column, with a dash where there is no estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.text import MINUS, decimal

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

ALL = 0  # in tables: all player counts together; in the page: all of them one below the other
MISSING = "–"
NUMERIC: frozenset[Unit] = frozenset(("count", "share", "change", "points", "rounds", "number", "rating", "p"))
HEADING_UNITS: dict[Unit, str] = {"share": "%", "change": "% points", "points": "points", "rounds": "rounds"}
DECIMALS: dict[Unit, int] = {"share": 1, "change": 1, "points": 1, "rounds": 1, "number": 2, "rating": 0}
PERCENT: frozenset[Unit] = frozenset(("share", "change"))
SIGNED: frozenset[Unit] = frozenset(("change", "rating"))
SMALLEST_P = 0.001


def is_missing(value: object) -> bool:
    return value is None or str(value) in ("nan", "<NA>")


def written(value: object, unit: Unit) -> str:
    """Return a cell's text; shares in percent without the sign, which the heading has."""
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
    return _scaled(number, unit, "+" if unit in SIGNED else "")


def signed(value: object, unit: Unit) -> str:
    """Return a difference: as `written`, with a plus where it grows."""
    return MISSING if is_missing(value) else _scaled(float(str(value)), unit, "+")


def _scaled(number: float, unit: Unit, plus: str) -> str:
    return decimal(number * 100 if unit in PERCENT else number, DECIMALS[unit], plus)


def with_unit(value: object, unit: Unit) -> str:
    """Return `41.3 %`, `12.0 rounds`."""
    return f"{written(value, unit)} {HEADING_UNITS.get(unit, '')}".strip()


def labeled(words: str, unit: Unit) -> str:
    """Add the unit to the name of a number, unless the name says it."""
    name = HEADING_UNITS.get(unit, "")
    return f"{words}, {name}" if name and name not in words.lower() else words


def interval(low: object, high: object, unit: Unit) -> str:
    """Return both ends, or nothing when there is no interval."""
    if is_missing(low) or is_missing(high):
        return ""
    return f"{written(low, unit)} to {written(high, unit)}"


def signed_interval(low: object, high: object, unit: Unit) -> str:
    """Return both ends of a difference's interval, or nothing."""
    if is_missing(low) or is_missing(high):
        return ""
    return f"{signed(low, unit)} to {signed(high, unit)}"


def exactly(value: object) -> str:
    """Return a given number, not an estimate: without decimals it does not have."""
    return MISSING if is_missing(value) else f"{float(str(value)):,.4g}".replace("-", MINUS)


def counted(number: int, thing: str) -> str:
    """Return `1 game`, `2,000 games`."""
    return f"{written(number, 'count')} {thing}{'' if number == 1 else 's'}"


def whole_percent(share: float) -> str:
    return f"{share * 100:.0f}"


def percent_tick(value: float, signs: bool) -> str:
    """Return the label of a share on an axis: no decimals it does not need."""
    sign = MINUS if value < -1e-9 else "+" if signs and value > 1e-9 else ""
    return f"{sign}{abs(value) * 100:g} %"


def ordinal(seat: int) -> str:
    """Return `1st`, `2nd`: digits, so that sorting as text keeps the turn order."""
    return f"{seat + 1}{('st', 'nd', 'rd')[seat] if seat < 3 else 'th'}"


def played_counts(analysis: Analysis) -> list[int]:
    return sorted({run.players for run in analysis.runs})


def main_count(counts: list[int]) -> int:
    """Return the count shown first: the middle one, rather the larger."""
    return counts[len(counts) // 2]


def choices(counts: list[int]) -> list[int]:
    """Return what a reader of the page can choose from."""
    return counts if len(counts) == 1 else [*counts, ALL]


def players_words(players: int) -> str:
    return "all player counts" if players == ALL else f"{players} players"
