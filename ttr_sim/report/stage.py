"""Drawings of a study's first screens: the board with marked problems, and all tickets by effect and length."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ttr_sim.analysis.targets import FOUGHT_OVER, MISSED, OPEN, ROUTES, TICKET, Target
from ttr_sim.analysis.text import decimal, ends
from ttr_sim.edition.canonical import color_name
from ttr_sim.report.board.layout import FONT_SIZE, Layout, lay_out
from ttr_sim.report.figures import GRAY, card_colors
from ttr_sim.report.maps import route_names
from ttr_sim.report.numbers import ALL, WORDS, players_words

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.tickets import Line
    from ttr_sim.analysis.verdict import Verdict
    from ttr_sim.edition.model import Edition, Ticket
    from ttr_sim.report.board.routing import Points

    TicketRows = Mapping[int, Sequence[tuple[Target, Mapping[Any, Any]]]]  # by player count

MOST_SIGNS = 12  # of problems, which are worst first; further ones are drawn without a number
LETTERS = "ABC"  # of the fiercest routes
TABS = {"c": "claimed", "f": "contention", "w": "round"}  # columns of the table of routes
STEPS = 5
LETTER_SIZE = 13.5  # of names, in points
NAME = 1.7  # reach of a name from the middle of its label, in half widths
BULGE, MOST_BULGE = 0.24, 110.0  # of an arc: share of its length, and points
SPOTS = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)  # along an arc, tried for its badge
APART = 34.0  # points between badges
RIM = 24.0
EFFECT_SCALE = 0.10  # of an effect bar, to either side
STRIP, STRIP_LIMIT, DOT = 460, 121.0, 10.5  # width of the strip, distance of its limits, size of its dots
HIGHEST = 3  # dots above each other
LEFT, RIGHT, TOP, BOTTOM, WIDTH = 44, 486, 30, 380, 500  # of the plot
LETTER, LINE = 8.4, 16.0  # width and height of a name's letters
MOST_NAMES = 8


@dataclass(frozen=True)
class Mark:
    """A ticket or route on the board, with its number or letter."""

    sign: str
    name: str
    words: str
    state: str = ""  # empty: a route that is only shown because it is the fiercest
    route: int | None = None
    ticket: int | None = None

    @property
    def look(self) -> str:
        return "miss" if self.state == MISSED else self.state


def marks_of(verdict: Verdict) -> list[Mark]:
    """Mark missed and unsure tickets and routes, and the fiercest routes."""
    edition, marks, lanes = verdict.edition, list[Mark](), set[int]()
    for target in verdict.to_show():
        row, maybe = target.row or 0, "" if target.state == MISSED else "maybe "
        sign, state = str(len(marks) + 1), str(target.state)
        if target.measure == TICKET:
            ticket = edition.tickets[row]
            marks.append(Mark(sign, f"{ticket.a}–{ticket.b}", f"{maybe}too {target.side}", state, ticket=row))
        elif target.topic == ROUTES and target.row is not None and edition.routes[row].group not in lanes:
            marks.append(Mark(sign, route_name(edition, row), f"{maybe}{WORDS['missed'][target.measure]}", state, row))
            lanes.add(edition.routes[row].group)
    letters = iter(LETTERS)
    fights = [target for target in verdict.targets if target.measure == FOUGHT_OVER and target.row is not None]
    for target in sorted(fights, key=lambda target: (-target.value, target.name)):
        row = target.row or 0
        if edition.routes[row].group not in lanes and (letter := next(letters, "")):
            marks.append(Mark(letter, route_name(edition, row), "fought over", route=row))
            lanes.add(edition.routes[row].group)
    return marks


def route_name(edition: Edition, row: int) -> str:
    route = edition.routes[row]
    return f"{edition.cities[route.a].name}–{edition.cities[route.b].name}"


def draw_stage(
    edition: Edition, marks: Sequence[Mark], routes: pd.DataFrame, counts: Sequence[int] = ()
) -> dict[str, Any]:
    """Lay out the board with its marks, for the templates of its drawing and its style sheet."""
    layout, arcs = lay_out(edition), {}
    for mark in reversed(marks):  # the worst last and on top
        if mark.ticket is not None:
            arcs[mark.sign] = arc_of(edition.tickets[mark.ticket], layout)
    # The picture holds all cities, arcs and names, which are wider than the ones that were laid out.
    ends_of_names = [(label.x + side * NAME * label.half_width, label.y) for label in layout.labels for side in (-1, 1)]
    curves = [points_of_arc(arc, np.linspace(0, 1, 21)) for arc in arcs.values()]
    points = np.concatenate([layout.places, ends_of_names, *curves])
    low = np.minimum(points.min(axis=0) - RIM, 20.0)
    high = np.maximum(points.max(axis=0) + RIM, np.array([layout.width, layout.height]) - 20.0)
    steps, lanes = classes_of_routes(routes, len(edition.routes), counts), []
    for route, lane, step in zip(edition.routes, layout.lanes, steps, strict=True):
        fill = len(edition.colors) if route.color is None else route.color
        pale = " pale" if color_name(edition, route) in ("white", "black") else ""
        cars = []
        for x, y, angle, length in lane.cars:  # whose round corners come from their strokes
            along = np.array([np.cos(angle), np.sin(angle)]) * (length - 2) / 2
            across = np.array([-np.sin(angle), np.cos(angle)]) * (layout.sizes.car - 2) / 2
            corners = np.array([along + across, along - across, -along - across, -along + across])
            cars.append(rounded_path(np.array([x, y]) + corners) + "z")
        lanes.append((f"{route.kind} fill{fill}{pale}{step}", rounded_path(lane.line[::3]), "".join(cars)))
    return {
        "box": " ".join(f"{number:.0f}" for number in (*low, *(high - low))),
        "lanes": list(zip(lanes, route_names(edition), strict=True)),
        "places": [texts_of(place) for place in layout.places],
        "arcs": {sign: [texts_of(point) for point in arc] for sign, arc in arcs.items()},
        "names": list(names_of_cities(edition, layout, marks)),
        "badges": list(badges_of(layout, marks, arcs)),
        "fills": [*card_colors(edition), GRAY],
        "tabs": TABS,
        "counts": counts,
        "bar_limit": f"{min(edition.targets.margin / 2 / EFFECT_SCALE, 50):g}",
    }


def texts_of(point: Iterable[float]) -> tuple[str, ...]:
    return tuple(f"{number:.1f}" for number in point)


def classes_of_routes(table: pd.DataFrame, size: int, counts: Sequence[int]) -> list[str]:
    steps = [""] * size
    for letter, column in TABS.items():
        if table.empty or table[column].isna().all():
            continue
        values = table.pivot(index="route", columns="players", values=column).reindex(range(size)).astype(float)
        if ALL in counts:
            values[ALL] = values.mean(axis=1)
        for count in [count for count in counts if count in values]:
            shares = values[count] if letter != "w" else 1 - values[count].rank(pct=True)  # early routes are dark
            for number, share in enumerate(shares):
                step = 1 if np.isnan(share) else min(int(share * STEPS) + 1, STEPS)
                steps[number] += f" {letter}{count}_{step}"
    return steps


def rounded_path(points: Points) -> str:
    """Path in relative steps of a tenth, half the size of absolute ones."""
    tenths = np.round(points * 10).astype(int)
    steps = [" ".join(f"{number / 10:g}" for number in step) for step in (tenths[0], *np.diff(tenths, axis=0))]
    return f"M{steps[0]}l{' '.join(steps[1:])}".replace(" -", "-")


def names_of_cities(edition: Edition, layout: Layout, marks: Sequence[Mark]) -> Iterator[tuple[Any, ...]]:
    """Yield class, anchor, leader, place and lines of each city's name, ends of marked tickets set off."""
    marked = [edition.tickets[mark.ticket] for mark in marks if mark.ticket is not None]
    ends_of_marked = {city for ticket in marked for city in (*ticket.a_cities, *ticket.b_cities)}
    for number, (label, (x, y)) in enumerate(zip(layout.labels, layout.places, strict=True)):
        left, right = label.x - label.half_width, label.x + label.half_width
        # Names are larger than the laid out ones, and grow away from their city.
        away = 6.0 if number in ends_of_marked else 0.0
        anchor, at = "middle", label.x
        height = LETTER_SIZE * len(label.lines)
        top = label.y - height / 2
        if left > x:
            anchor, at = "start", left + away
        elif right < x:
            anchor, at = "end", right - away
        elif label.y < y:
            top = label.y + label.half_height - height - away
        else:
            top = label.y - label.half_height + away
        leader = ""
        if label.far:
            near = min(max(x, left), right), min(max(y, label.y - FONT_SIZE / 2), label.y + FONT_SIZE / 2)
            leader = "M{} {}L{} {}".format(*texts_of((x, y, *near)))
        lines = [(f"{top + LETTER_SIZE * (row + 0.82):.1f}", words) for row, words in enumerate(label.lines)]
        yield "nm end" if number in ends_of_marked else "nm", anchor, leader, f"{at:.1f}", lines


def arc_of(ticket: Ticket, layout: Layout) -> Points:
    """Start, control and end of a ticket's arc."""
    start, end = (layout.places[list(cities)].mean(axis=0) for cities in (ticket.a_cities, ticket.b_cities))
    chord, middle = end - start, (start + end) / 2
    length = max(float(np.hypot(*chord)), 1.0)
    # An arc bends away from the middle of the board.
    normal = np.array([-chord[1], chord[0]]) / length
    side = 1.0 if float(normal @ (middle - np.array([layout.width, layout.height]) / 2)) >= 0 else -1.0
    return np.stack([start, middle + side * normal * 2 * min(BULGE * length, MOST_BULGE), end])


def points_of_arc(arc: Points, shares: Points) -> Points:
    (start, control, end), share = arc[:, None], shares[:, None]
    points: Points = (1 - share) ** 2 * start + 2 * share * (1 - share) * control + share**2 * end
    return points


def badges_of(layout: Layout, marks: Sequence[Mark], arcs: Mapping[str, Points]) -> Iterator[tuple[Mark, Any]]:
    """Yield marks with the place of their number, clear of each other."""
    taken: list[Points] = []
    for mark in [mark for mark in marks if mark.state][:MOST_SIGNS] + [mark for mark in marks if not mark.state]:
        if mark.route is None:
            spots = points_of_arc(arcs[mark.sign], np.array(SPOTS))
        else:
            line = layout.lanes[mark.route].line
            spots = line[[int(share * (len(line) - 1)) for share in SPOTS]]
        free = (spot for spot in spots if all(np.hypot(*(spot - other)) > APART for other in taken))
        taken.append(next(free, spots[0]))
        yield mark, texts_of(taken[-1])


def dot_strip(values: Sequence[tuple[Target, float]], margin: float, count: int) -> tuple[str, tuple[Any, ...]]:
    """Label and dots of all tickets, from too stingy to too generous."""
    middle, scale = STRIP / 2, STRIP_LIMIT / margin
    heights: dict[int, int] = {}
    dots, within = [], 0
    known = [(target, value) for target, value in values if not math.isnan(value)]
    for target, value in sorted(known, key=lambda each: each[1]):
        within += abs(value) <= margin
        column = round(min(max(value * scale, -middle + 8), middle - 8) / DOT)
        level = min(heights.get(column, 0), HIGHEST)
        heights[column] = level + 1
        dots.append(_dot(_look_of(target), middle + column * DOT, 32 - level * DOT))
    words = f"{len(dots)} tickets as dots, {players_words(count)}: {within} lie within {margin * 100:g} of fair"
    return words, tuple(dots)


def draw_effects(by_count: TicketRows, lines: Mapping[str, Line], margin: float, than: str) -> dict[str, Any] | None:
    """Lay out effect over trains, with each deck's expected line and its limits, for the template of the plot."""
    # The first rows, of all player counts together, set the scales.
    every = [row for _, row in next(iter(by_count.values()))]
    rows = [row for row in every if not math.isnan(row["trains"]) and not math.isnan(row["win_effect"])]
    if len(rows) < 2:
        return None
    least, longest = min(row["trains"] for row in rows) - 1.0, max(row["trains"] for row in rows) + 1.0
    # Single player counts reach farther than all together.
    most = max(0.1, *(1.4 * abs(float(row["win_effect"])) for row in rows))

    def place(trains: float, effect: float) -> tuple[float, float]:
        x = LEFT + (trains - least) / (longest - least) * (RIGHT - LEFT)
        return x, (TOP + BOTTOM) / 2 - max(min(effect / most, 1.02), -1.02) * (BOTTOM - TOP) / 2

    bands = []
    for deck, (intercept, slope) in lines.items():
        trains = [float(row["trains"]) for row in rows if row["deck"] == deck]
        if trains:
            sides = min(trains) - 0.7, max(trains) + 0.7
            line, upper, lower = (
                [" ".join(texts_of(place(at, intercept + slope * at + off))) for at in sides]
                for off in (0.0, margin, -margin)
            )
            bands.append(("L".join([*upper, *reversed(lower)]), "L".join(line)))
    step = 0.05 if most <= 0.22 else 0.1 if most <= 0.45 else 0.2
    grid = []
    for tick in range(-int(most / step), int(most / step) + 1):
        _, y = place(0.0, tick * step)
        grid.append((*texts_of((y, y + 5)), decimal(tick * step * 100, 0, plus="+"), tick == 0))
    jump = 5 if longest - least > 9 else 2 if longest - least > 4 else 1
    ticks = range(math.ceil(least / jump) * jump, int(longest) + 1, jump)
    groups = []
    for count, tickets in by_count.items():
        found = []
        for target, row in sorted(tickets, key=lambda each: (_look_of(each[0]) != "met", -each[0].beyond)):
            if not math.isnan(row["trains"]) and not math.isnan(row["win_effect"]):
                found.append((_look_of(target), *place(row["trains"], row["win_effect"]), row))
        dots = []
        for look, x, y, row in found:
            beyond = decimal(row["excess"] * 100, plus="+")
            dots.append((*_dot(look, x, y), f"{ends(row)}: {row['trains']:.0f} trains, {beyond} against {than}"))
        groups.append((count, dots, _names(found)))
    numbers = [(f"{place(tick, 0.0)[0]:.1f}", tick) for tick in ticks]
    return {"bands": bands, "grid": grid, "ticks": numbers, "groups": groups}


def _names(found: Sequence[tuple[str, float, float, Mapping[Any, Any]]]) -> list[tuple[str, ...]]:
    """Look, place, anchor and name of marked tickets, clear of all marks and each other."""
    boxes = [(x - 9, x + 9, y, 5.0 if look == "met" else 8.0) for look, x, y, _ in found]
    names = []
    for look, x, y, row in [dot for dot in found if dot[0] != "met"][:MOST_NAMES]:
        width = LETTER * len(ends(row))
        # The nearest free place: to the right, to the left, or across the dot where there is room on neither side.
        starts = [start for start in (x + 13, x - 13 - width) if 0 <= start <= WIDTH - width]
        starts = starts or [min(max(x - width / 2, 0.0), WIDTH - width)]
        spots = [(start, y + step * LINE / 4) for step in sorted(range(-16, 17), key=abs) for start in starts]
        for start, at in spots:
            begins = [box for box in boxes if abs(at - box[2]) < LINE / 2 + box[3] and start < box[1]]
            if not any(box[0] < start + width for box in begins):
                break
        else:
            start, at = spots[0]
        boxes.append((start, start + width, at, LINE / 2))
        anchor, side = ("end", start + width) if start < x - width else ("start", start)
        names.append((look, *texts_of((side, at + 5)), anchor, ends(row)))
    return names


def _look_of(target: Target) -> str:
    """Look of a ticket. Open ones within the limit are not marked."""
    if target.state == MISSED:
        return "miss"
    return "open" if target.state == OPEN and target.beyond else "met"


def _dot(look: str, x: float, y: float) -> tuple[str, ...]:
    """Look and place of a square for missed, a diamond for open, a circle for the rest."""
    corner = {"miss": (x - 6, y - 6), "open": (x, y - 7.5)}.get(look, (x, y))
    return look, *texts_of(corner)
