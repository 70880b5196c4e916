"""The board before anyone plays, as a page tells it: each measure beside the official boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ttr_sim.edition.statics import ComparedMeasure, Statics, measured, shown
from ttr_sim.report.strips import Strip, StripScale, strip


@dataclass(frozen=True)
class Line:
    """A measure of the board with what it means; `standing` says where it lies in the range when it is outside."""

    name: str
    meaning: str
    value: str
    usual: str
    standing: str
    strip: Strip | None


def lines(board: Statics) -> list[Line]:
    """Return a line for each measure, and for the kinds of things that have names, which ones they are."""
    return [_line(row) for row in measured(board)]


def _line(row: ComparedMeasure) -> Line:
    value = shown(row.value, row.measure.unit)
    usual = f"{shown(row.low)} to {shown(row.high)}"
    return Line(row.measure.name, row.measure.definition, value, usual, _standing(row), _strip(row, usual))


def _standing(row: ComparedMeasure) -> str:
    if row.value is None or row.low is None or row.high is None:
        return ""
    return "below" if row.value < row.low else "above" if row.value > row.high else ""


def _strip(row: ComparedMeasure, usual: str) -> Strip | None:
    if row.value is None or row.low is None or row.high is None:
        return None
    words = f"{_standing(row) or 'within'} the range of the official boards, {usual}"
    return strip([row.value] * 3, (row.low, row.high), StripScale.over((row.value, row.low, row.high)), words, usual)


def named(board: Statics) -> Iterator[tuple[str, str]]:
    """Yield what the measures only count, by name: what holds the board together, and tickets that are alike."""
    name, shape, tickets = board.net.name, board.shape, board.edition.tickets
    bridges = [board.net.connections[number] for number in shape.bridges]
    pairs = [(tickets[pair.first], tickets[pair.second], pair.overlap) for pair in board.near_duplicates]
    found = (
        ("Bridges", [f"{name(bridge.a)}–{name(bridge.b)}" for bridge in bridges]),
        ("Cut cities", [name(city) for city in shape.cut_cities]),
        ("Dead ends", [name(city) for city in shape.dead_ends]),
        ("Regions", [", ".join(map(name, region)) for region in shape.regions]),
        ("Near-duplicates", [f"{a.a}–{a.b} and {b.a}–{b.b} ({100 * part:.0f} %)" for a, b, part in pairs]),
        ("Places without tickets", [place for place, times in board.tickets_by_place.items() if not times]),
    )
    return ((kind, "; ".join(things) or "none") for kind, things in found)
