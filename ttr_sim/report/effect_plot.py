"""Drawings of all tickets: effect over length, and a strip of dots."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ttr_sim.analysis.targets import MISSED, OPEN, Target
from ttr_sim.analysis.text import decimal, ends
from ttr_sim.analysis.tickets import Line
from ttr_sim.report.numbers import players_words

STRIP, STRIP_LIMIT, DOT = 460, 121.0, 10.5  # width of the strip, distance of its limits, size of its dots
HIGHEST = 3  # dots above each other
LEFT, RIGHT, TOP, BOTTOM, WIDTH = 44, 486, 30, 380, 500  # of the plot
LETTER, LINE = 7.4, 16.0  # width and height of a name's letters
MOST_NAMES = 8
Row = Mapping[Any, Any]


def dot_strip(values: Sequence[tuple[Target, float]], margin: float, count: int) -> Markup:
    """Draw all tickets as dots from too stingy to too generous."""
    middle, scale = STRIP / 2, STRIP_LIMIT / margin
    low, high = middle - STRIP_LIMIT, middle + STRIP_LIMIT
    heights: dict[int, int] = {}
    dots, within = [], 0
    known = [(target, value) for target, value in values if not math.isnan(value)]
    for target, value in sorted(known, key=lambda each: each[1]):
        within += abs(value) <= margin
        column = round(min(max(value * scale, -middle + 8), middle - 8) / DOT)
        level = min(heights.get(column, 0), HIGHEST)
        heights[column] = level + 1
        dots.append(_dot(_look_of(target), middle + column * DOT, 32 - level * DOT, 4.0))
    words = f"{len(dots)} tickets as dots, {players_words(count)}: {within} lie within {margin * 100:g} of fair"
    return Markup(
        '<svg class="dotstrip" viewBox="0 -4 {} 50" role="img" aria-label="{}"><path class="base" d="M0 38H{}"/>'
        '<path class="okz" d="M{:.1f} 38H{:.1f}"/><path class="lim" d="M{:.1f} 6v38M{:.1f} 6v38"/>'
        '<path class="mid" d="M230 34v8"/>{}</svg>'
    ).format(STRIP, words, STRIP, low, high, low, high, Markup("").join(dots))


def draw_effects(
    rows: Sequence[Row],
    lines: Mapping[str, Line],
    margin: float,
    than: str,
    by_count: Mapping[int, Sequence[tuple[Target, Row]]],
) -> Markup | None:
    """Draw effect over trains, with each deck's expected line and its limits.

    `rows` are those of all player counts together, and set the scales.
    """
    rows = [row for row in rows if not math.isnan(row["trains"]) and not math.isnan(row["win_effect"])]
    if len(rows) < 2:
        return None
    least, longest = min(row["trains"] for row in rows) - 1.0, max(row["trains"] for row in rows) + 1.0
    # Single player counts reach farther than all together.
    most = max(0.1, *(1.4 * abs(float(row["win_effect"])) for row in rows))

    def place(trains: float, effect: float) -> tuple[float, float]:
        x = LEFT + (trains - least) / (longest - least) * (RIGHT - LEFT)
        return x, (TOP + BOTTOM) / 2 - max(min(effect / most, 1.02), -1.02) * (BOTTOM - TOP) / 2

    label = "Effect of each ticket over its trains, with the effect that is expected for its length"
    parts = [Markup('<svg class="plot" viewBox="0 0 {} 440" role="img" aria-label="{}">').format(WIDTH, label)]
    for deck, (intercept, slope) in lines.items():
        trains = [float(row["trains"]) for row in rows if row["deck"] == deck]
        if trains:
            sides = min(trains) - 0.7, max(trains) + 0.7
            line, upper, lower = (
                ["{:.1f} {:.1f}".format(*place(at, intercept + slope * at + off)) for at in sides]
                for off in (0.0, margin, -margin)
            )
            band = Markup('<path class="band" d="M{}z"/><path class="exp" d="M{}"/>')
            parts.append(band.format("L".join([*upper, *reversed(lower)]), "L".join(line)))
    step = 0.05 if most <= 0.22 else 0.1 if most <= 0.45 else 0.2
    for tick in range(-int(most / step), int(most / step) + 1):
        (_, y), words = place(0.0, tick * step), decimal(tick * step * 100, 0, plus="+")
        grid = Markup('<path class="gr{}" d="M{} {:.1f}H{}"/><text x="{}" y="{:.1f}" text-anchor="end">{}</text>')
        parts.append(grid.format("" if tick else " z", LEFT, y, RIGHT, LEFT - 8, y + 5, words))
    jump = 5 if longest - least > 9 else 2 if longest - least > 4 else 1
    for tick in range(math.ceil(least / jump) * jump, int(longest) + 1, jump):
        number = Markup('<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>')
        parts.append(number.format(place(tick, 0.0)[0], BOTTOM + 24, tick))
    axes = Markup(
        '<text x="8" y="16">effect, wins per 100 games</text>'
        '<text x="{}" y="{}" text-anchor="end">trains of the shortest way</text>'
    )
    parts.append(axes.format(RIGHT, BOTTOM + 46))
    for count, tickets in by_count.items():
        found = []
        for target, row in sorted(tickets, key=lambda each: (_look_of(each[0]) != "met", -each[0].beyond)):
            if not math.isnan(row["trains"]) and not math.isnan(row["win_effect"]):
                found.append((_look_of(target), *place(row["trains"], row["win_effect"]), row))
        dots = []
        for look, x, y, row in found:
            beyond = decimal(row["excess"] * 100, plus="+")
            dots.append(_dot(look, x, y, 4.5, f"{ends(row)}: {row['trains']:.0f} trains, {beyond} against {than}"))
        marked = [(look, x, y, ends(row)) for look, x, y, row in found if look != "met"]
        parts.append(Markup('<g class="by p{}">{}</g>').format(count, Markup("").join([*dots, *_names(marked)])))
    return Markup("").join([*parts, Markup("</svg>")])


def _names(marked: Sequence[tuple[str, float, float, str]]) -> list[Markup]:
    """Write the names of marked tickets, clear of marks and each other."""
    boxes, names = [(x - 9, x + 9, y) for _, x, y, _ in marked], []
    for look, x, y, name in marked[:MOST_NAMES]:
        width = LETTER * len(name)
        start, at = x + 13, y
        if start + width > WIDTH:
            start = x - 13 - width
        if start < 0:  # room on neither side
            start, at = min(max(x - width / 2, 0.0), WIDTH - width), y - LINE
        while any(abs(at - other) < LINE and start < end and begin < start + width for begin, end, other in boxes):
            at += LINE / 2
        boxes.append((start, start + width, at))
        names.append(Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>').format(look, start, at + 5, name))
    return names


def _look_of(target: Target) -> str:
    """Look of a ticket. Open ones within the limit are not marked."""
    if target.state == MISSED:
        return "miss"
    return "open" if target.state == OPEN and target.beyond else "met"


def _dot(look: str, x: float, y: float, radius: float, tip: str = "") -> Markup:
    """A square for missed, a diamond for open, a circle for the rest."""
    title = Markup("<title>{}</title>").format(tip) if tip else ""
    if look == "miss":
        square = Markup('<rect class="m" x="{:.1f}" y="{:.1f}" width="12" height="12" rx="2">{}</rect>')
        return square.format(x - 6, y - 6, title)
    if look == "open":
        return Markup('<path class="o" d="M{:.1f} {:.1f}l7.5 7.5-7.5 7.5-7.5-7.5z">{}</path>').format(x, y - 7.5, title)
    return Markup('<circle cx="{:.1f}" cy="{:.1f}" r="{}">{}</circle>').format(x, y, radius, title)
