"""How numbers are written: by the unit of their column, with a dash for what cannot be said."""

from __future__ import annotations

from ttr_sim.analysis.tables import Unit

MISSING = "–"
MINUS = "−"
NUMERIC: frozenset[Unit] = frozenset(("count", "share", "change", "points", "rounds", "number", "rating", "p"))
HEADING_UNITS: dict[Unit, str] = {"share": "%", "change": "% points", "points": "points", "rounds": "rounds"}
DECIMALS: dict[Unit, int] = {"share": 1, "change": 1, "points": 1, "rounds": 1, "number": 2, "rating": 0}
PERCENT: frozenset[Unit] = frozenset(("share", "change"))
SIGNED: frozenset[Unit] = frozenset(("change", "rating"))
SMALLEST_P = 0.001


def is_missing(value: object) -> bool:
    return value is None or str(value) in ("nan", "<NA>")


def written(value: object, unit: Unit) -> str:
    """A cell's text; shares in percent without the sign, which the heading has."""
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
    return _decimal(number, unit)


def exactly(value: object) -> str:
    """A given number, not an estimate: without decimals it does not have."""
    return MISSING if is_missing(value) else f"{float(str(value)):,.4g}".replace("-", MINUS)


def _decimal(number: float, unit: Unit) -> str:
    shown = number * 100 if unit in PERCENT else number
    text = f"{abs(shown):,.{DECIMALS[unit]}f}"
    if not any(digit in "123456789" for digit in text):
        return text
    return f"{MINUS if shown < 0 else '+' if unit in SIGNED else ''}{text}"


def interval(low: object, high: object, unit: Unit) -> str:
    """Both ends, or nothing when there is no interval."""
    if is_missing(low) or is_missing(high):
        return ""
    return f"{written(low, unit)} to {written(high, unit)}"
