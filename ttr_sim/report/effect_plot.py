"""Drawings of all tickets: effect over length, and a strip of dots."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ttr_sim.analysis.targets import MISSED, OPEN, Target
from ttr_sim.analysis.text import decimal, ends
from ttr_sim.analysis.tickets import Line
from ttr_sim.report.numbers import players_words

STRIP, STRIP_LIMIT, DOT = 460, 121.0, 10.5  # width of the strip, distance of its limits, size of its dots
HIGHEST = 3  # dots above each other
LEFT, RIGHT, TOP, BOTTOM = 44, 486, 30, 380  # of the plot
WIDTH = 500
LETTER, LINE = 7.4, 16.0  # width and height of a name's letters
MOST_NAMES = 8
Row = Mapping[Any, Any]


def look_of(target: Target) -> str:
    """Look of a ticket. Open ones within the limit are not marked."""
    if target.state == MISSED:
        return "miss"
    return "open" if target.state == OPEN and target.beyond else "met"


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
        dots.append(_dot(look_of(target), middle + column * DOT, 32 - level * DOT, 4.0, ""))
    words = f"{len(dots)} tickets as dots, {players_words(count)}: {within} lie within {margin * 100:g} of fair"
    return Markup(
        '<svg class="dotstrip" viewBox="0 -4 {} 50" role="img" aria-label="{}"><path class="base" d="M0 38H{}"/>'
        '<path class="okz" d="M{:.1f} 38H{:.1f}"/><path class="lim" d="M{:.1f} 6v38M{:.1f} 6v38"/>'
        '<path class="mid" d="M230 34v8"/>{}</svg>'
    ).format(STRIP, words, STRIP, low, high, low, high, Markup("").join(dots))


class EffectPlot:
    """Effect over trains, with each deck's expected line and its limits."""

    def __init__(self, rows: Iterable[Row], lines: Mapping[str, Line], margin: float, than: str) -> None:
        """Take the rows of all player counts together, and the line of each deck."""
        self.rows = [row for row in rows if not math.isnan(row["trains"]) and not math.isnan(row["win_effect"])]
        self.lines, self.margin, self.than = lines, margin, than
        trains = [float(row["trains"]) for row in self.rows]
        self.low, self.high = min(trains, default=0) - 1, max(trains, default=0) + 1
        # Single player counts reach farther than all together.
        self.most = max(0.1, *(1.4 * abs(float(row["win_effect"])) for row in self.rows)) if self.rows else 0.1

    def draw(self, by_count: Mapping[int, Sequence[tuple[Target, Row]]]) -> Markup | None:
        if len(self.rows) < 2:
            return None
        label = "Effect of each ticket over its trains, with the effect that is expected for its length"
        parts = [Markup('<svg class="plot" viewBox="0 0 {} 440" role="img" aria-label="{}">').format(WIDTH, label)]
        for deck, (intercept, slope) in self.lines.items():
            trains = [float(row["trains"]) for row in self.rows if row["deck"] == deck]
            if trains:
                start, end = min(trains) - 0.7, max(trains) + 0.7
                line, upper, lower = (
                    [f"{self._x(at):.1f} {self._y(intercept + slope * at + off):.1f}" for at in (start, end)]
                    for off in (0.0, self.margin, -self.margin)
                )
                band = Markup('<path class="band" d="M{}z"/><path class="exp" d="M{}"/>')
                parts.append(band.format("L".join([*upper, *reversed(lower)]), "L".join(line)))
        step = 0.05 if self.most <= 0.22 else 0.1 if self.most <= 0.45 else 0.2
        for tick in range(-int(self.most / step), int(self.most / step) + 1):
            y, words = self._y(tick * step), decimal(tick * step * 100, 0, plus="+")
            grid = Markup('<path class="gr{}" d="M{} {:.1f}H{}"/><text x="{}" y="{:.1f}" text-anchor="end">{}</text>')
            parts.append(grid.format("" if tick else " z", LEFT, y, RIGHT, LEFT - 8, y + 5, words))
        room = self.high - self.low
        jump = 5 if room > 9 else 2 if room > 4 else 1
        for tick in range(math.ceil(self.low / jump) * jump, int(self.high) + 1, jump):
            number = Markup('<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>')
            parts.append(number.format(self._x(tick), BOTTOM + 24, tick))
        names = Markup(
            '<text x="8" y="16">effect, wins per 100 games</text>'
            '<text x="{}" y="{}" text-anchor="end">trains of the shortest way</text>'
        )
        parts.append(names.format(RIGHT, BOTTOM + 46))
        for count, tickets in by_count.items():
            dots = Markup("").join(self._dots(tickets))
            parts.append(Markup('<g class="by p{}">{}</g>').format(count, dots))
        return Markup("").join([*parts, Markup("</svg>")])

    def _x(self, trains: float) -> float:
        return LEFT + (trains - self.low) / (self.high - self.low) * (RIGHT - LEFT)

    def _y(self, effect: float) -> float:
        return (TOP + BOTTOM) / 2 - max(min(effect / self.most, 1.02), -1.02) * (BOTTOM - TOP) / 2

    def _dots(self, tickets: Sequence[tuple[Target, Row]]) -> Iterator[Markup]:
        """Yield dots, the marked ones last, and their names clear of each other."""
        boxes, names, dots = [], list[Markup](), []
        for target, row in sorted(tickets, key=lambda each: (look_of(each[0]) != "met", -each[0].beyond)):
            if not math.isnan(row["trains"]) and not math.isnan(row["win_effect"]):
                look, x, y = look_of(target), self._x(row["trains"]), self._y(row["win_effect"])
                dots.append((look, x, y, row))
                boxes += [(x - 9, x + 9, y)] if look != "met" else []
        for look, x, y, row in dots:
            name, beyond = ends(row), decimal(row["excess"] * 100, plus="+")
            yield _dot(look, x, y, 4.5, f"{name}: {row['trains']:.0f} trains, {beyond} against {self.than}")
            if look == "met" or len(names) >= MOST_NAMES:
                continue
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
        yield from names


def _dot(look: str, x: float, y: float, radius: float, tip: str) -> Markup:
    """A square for missed, a diamond for open, a circle for the rest."""
    title = Markup("<title>{}</title>").format(tip) if tip else ""
    if look == "miss":
        square = Markup('<rect class="m" x="{:.1f}" y="{:.1f}" width="12" height="12" rx="2">{}</rect>')
        return square.format(x - 6, y - 6, title)
    if look == "open":
        return Markup('<path class="o" d="M{:.1f} {:.1f}l7.5 7.5-7.5 7.5-7.5-7.5z">{}</path>').format(x, y - 7.5, title)
    return Markup('<circle cx="{:.1f}" cy="{:.1f}" r="{}">{}</circle>').format(x, y, radius, title)
