"""The board of a study's first screen: each missed or open ticket and route is marked, and tabs color the routes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup, escape

from ttr_sim.analysis.targets import FOUGHT_OVER, MISSED, TICKET
from ttr_sim.analysis.targets import ROUTES as ROUTES_TOPIC
from ttr_sim.edition.canonical import color_name
from ttr_sim.report.board.layout import FONT_SIZE
from ttr_sim.report.colors import GRAY, card_colors
from ttr_sim.report.numbers import ALL

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.targets import Target
    from ttr_sim.analysis.verdict import Verdict
    from ttr_sim.edition.model import Edition
    from ttr_sim.report.board.layout import Layout
    from ttr_sim.report.board.routing import Points

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
    """Mark tickets and routes that are missed or not sure yet, and the fiercest routes."""
    edition, marks, routes = verdict.edition, list[Mark](), set[int]()
    for target in verdict.to_show():
        maybe = "" if target.state == MISSED else "maybe "
        sign = str(len(marks) + 1)
        if target.measure == TICKET:
            ticket = edition.tickets[target.row or 0]
            marks.append(
                Mark(sign, f"{ticket.a}–{ticket.b}", f"{maybe}too {target.side}", str(target.state), ticket=target.row)
            )
        elif target.topic == ROUTES_TOPIC and target.row is not None and _lane(edition, target) not in routes:
            words = f"{maybe}{ROUTE_WORDS[target.measure]}"
            marks.append(Mark(sign, route_name(edition, target.row), words, str(target.state), route=target.row))
            routes.add(_lane(edition, target))
    fights = [target for target in verdict.targets if target.measure == FOUGHT_OVER and target.row is not None]
    fiercest: list[Target] = []
    for target in sorted(fights, key=lambda target: (-target.value, target.name)):
        if _lane(edition, target) not in routes and len(fiercest) < len(LETTERS):
            routes.add(_lane(edition, target))
            fiercest.append(target)
    for letter, target in zip(LETTERS, fiercest, strict=False):
        marks.append(Mark(letter, route_name(edition, target.row or 0), "fought over", route=target.row))
    return marks


ROUTE_WORDS = {
    "claims": "hardly ever claimed",
    "contention": "fought over too often",
    "denial": "blocks rivals too often",
}


def route_name(edition: Edition, row: int) -> str:
    route = edition.routes[row]
    return f"{edition.cities[route.a].name}–{edition.cities[route.b].name}"


def _lane(edition: Edition, target: Target) -> int:
    return edition.routes[target.row or 0].group


def stage_rules(edition: Edition, counts: Sequence[int], marks: Sequence[Mark]) -> Markup:
    """Style sheet of colors, tabs by player count, and marks that point at each other."""
    fills = [*card_colors(edition), GRAY]
    rules = [f".fill{number}{{--c:{fill}}}" for number, fill in enumerate(fills)]
    for count in counts:
        for place, letter in enumerate(TABS, 2):
            chosen = f"#p{count}:checked~* #v{place}:checked~.board ."
            rules += [f"{chosen}{letter}{count}_{step}{{--c:var(--q{step})}}" for step in range(1, STEPS + 1)]
    rules += [f".stage:has(.x{mark.sign}:hover) .mark:not(.m{mark.sign}){{opacity:.12}}" for mark in marks]
    return Markup("\n".join(rules))


def draw_stage(
    edition: Edition,
    layout: Layout,
    marks: Sequence[Mark],
    routes: pd.DataFrame,
    counts: Sequence[int],
    names: Sequence[str],
) -> Markup:
    """Write the board as an <svg> element for the page."""
    steps = _steps(routes, counts, len(edition.routes))
    arcs = {mark.sign: _arc(edition, layout, mark.ticket) for mark in marks if mark.ticket is not None}
    middle = [_bezier(arc, np.linspace(0, 1, 21)) for arc in arcs.values()]
    labels = [
        np.array([[label.x - sign * NAME * label.half_width, label.y] for sign in (-1, 1)]) for label in layout.labels
    ]
    points = np.concatenate([layout.places, *middle, *labels])
    low = np.minimum(points.min(axis=0) - RIM, 20.0)
    high = np.maximum(points.max(axis=0) + RIM, np.array([layout.width, layout.height]) - 20.0)
    box = " ".join(f"{number:.0f}" for number in (*low, *(high - low)))
    problems = ", ".join(f"{mark.sign} {mark.name}" for mark in marks) or "none"
    label = f"The board of {edition.title} with its problems: {problems}"
    parts = [
        Markup('<svg class="board" viewBox="{}" role="img" aria-label="{}">').format(box, label),
        *_halos(layout, marks),
        *_routes(edition, layout, steps, names),
        *_cities(edition, layout),
        Markup('<g class="probs">'),
        *_arcs(marks, arcs),
        Markup("</g>"),
        *_names(edition, layout, marks),
        Markup('<g class="probs">'),
        *_badges(layout, marks, arcs),
        Markup("</g></svg>"),
    ]
    return Markup("").join(parts)


def _steps(routes: pd.DataFrame, counts: Sequence[int], size: int) -> list[str]:
    """Classes of each route: its step in each tab at each player count."""
    classes = [""] * size
    for letter, column in TABS.items():
        if routes.empty or routes[column].isna().all():
            continue
        values = routes.pivot(index="route", columns="players", values=column).reindex(range(size)).astype(float)
        if ALL in counts:
            values[ALL] = values.mean(axis=1)
        for count in counts:
            if count not in values:
                continue
            shares = values[count] if letter != "w" else 1 - values[count].rank(pct=True)  # early routes are dark
            for route, share in enumerate(shares):
                step = 1 if np.isnan(share) else min(int(share * STEPS) + 1, STEPS)
                classes[route] += f" {letter}{count}_{step}"
    return classes


def _halos(layout: Layout, marks: Sequence[Mark]) -> Iterator[Markup]:
    for mark in marks:
        if mark.route is not None:
            path = _line(layout.lanes[mark.route].line[::3])
            yield Markup('<g class="halo mark m{} {}"><path class="o" d="{}"/><path class="i" d="{}"/></g>').format(
                mark.sign, mark.look, path, path
            )


def _routes(edition: Edition, layout: Layout, steps: Sequence[str], names: Sequence[str]) -> Iterator[Markup]:
    width = layout.sizes.car
    for number, (route, lane) in enumerate(zip(edition.routes, layout.lanes, strict=True)):
        fill = len(edition.colors) if route.color is None else route.color
        pale = " pale" if color_name(edition, route) in ("white", "black") else ""
        yield Markup(
            '<g class="rt {} fill{}{}{}" data-of="route-{}"><title>{}</title><path class="rail" d="{}"/>'
            '<path class="car" d="{}"/></g>'
        ).format(
            route.kind,
            fill,
            pale,
            steps[number],
            number,
            names[number],
            _line(lane.line[::3]),
            _cars(lane.cars, width - 2),
        )


def _cars(cars: Points, width: float) -> str:
    """Outlines of all cars; the round corners come from their strokes."""
    boxes = []
    for x, y, angle, length in cars:
        along = np.array([np.cos(angle), np.sin(angle)]) * (length - 2) / 2
        across = np.array([-np.sin(angle), np.cos(angle)]) * width / 2
        corners = [along + across, along - across, -along - across, -along + across]
        boxes.append(_line(np.array([x, y]) + np.array(corners)) + "z")
    return "".join(boxes)


def _line(points: Points) -> str:
    """Path through points, in relative steps of a tenth: half the size of absolute ones."""
    tenths = np.round(points * 10).astype(int)
    steps = [" ".join(f"{number / 10:g}" for number in step) for step in (tenths[0], *np.diff(tenths, axis=0))]
    return f"M{steps[0]}l{' '.join(steps[1:])}".replace(" -", "-")


def _cities(edition: Edition, layout: Layout) -> Iterator[Markup]:
    for number, (city, (x, y)) in enumerate(zip(edition.cities, layout.places, strict=True)):
        yield Markup(
            '<g class="ct" data-of="city-{}"><title>{}</title><circle class="c1o" cx="{:.1f}" cy="{:.1f}" r="7.5"/>'
            '<circle class="c1i" cx="{:.1f}" cy="{:.1f}" r="2.6"/></g>'
        ).format(number, city.name, x, y, x, y)


def _names(edition: Edition, layout: Layout, marks: Sequence[Mark]) -> Iterator[Markup]:
    """Yield the names of cities, ends of marked tickets set off."""
    marked = [edition.tickets[mark.ticket] for mark in marks if mark.ticket is not None]
    ends = {city for ticket in marked for city in (*ticket.a_cities, *ticket.b_cities)}
    for number, (label, (x, y)) in enumerate(zip(layout.labels, layout.places, strict=True)):
        left, right = label.x - label.half_width, label.x + label.half_width
        # Names are larger than those the labels were placed for, and grow away from their city.
        away = 6.0 if number in ends else 0.0
        anchor, at = "middle", label.x
        if left > x:
            anchor, at = "start", left + away
        elif right < x:
            anchor, at = "end", right - away
        height = LETTER_SIZE * len(label.lines)
        top = label.y - height / 2
        if anchor == "middle":
            top = label.y + label.half_height - height - away if label.y < y else label.y - label.half_height + away
        lines = Markup("").join(
            Markup('<text x="{:.1f}" y="{:.1f}">{}</text>').format(at, top + LETTER_SIZE * (row + 0.82), line)
            for row, line in enumerate(label.lines)
        )
        leader = Markup("")
        if label.far:
            near_x, near_y = min(max(x, left), right), min(max(y, label.y - FONT_SIZE / 2), label.y + FONT_SIZE / 2)
            leader = Markup('<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>').format(x, y, near_x, near_y)
        look = "nm end" if number in ends else "nm"
        yield Markup('<g class="{}" text-anchor="{}">{}{}</g>').format(look, anchor, leader, lines)


def _arc(edition: Edition, layout: Layout, row: int) -> Points:
    """Start, control point and end of a ticket's arc, which bends away from the middle of the board."""
    ticket = edition.tickets[row]
    start, end = (layout.places[list(cities)].mean(axis=0) for cities in (ticket.a_cities, ticket.b_cities))
    chord = end - start
    length = max(float(np.hypot(*chord)), 1.0)
    normal = np.array([-chord[1], chord[0]]) / length
    outward = (start + end) / 2 - np.array([layout.width, layout.height]) / 2
    side = 1.0 if float(normal @ outward) >= 0 else -1.0
    control = (start + end) / 2 + side * normal * 2 * min(BULGE * length, MOST_BULGE)
    return np.stack([start, control, end])


def _bezier(arc: Points, t: Points) -> Points:
    start, control, end = arc[:, None]
    share = np.asarray(t)[:, None]
    points: Points = (1 - share) ** 2 * start + 2 * share * (1 - share) * control + share**2 * end
    return points


def _arcs(marks: Sequence[Mark], arcs: Mapping[str, Points]) -> Iterator[Markup]:
    """Yield the arcs of tickets, the worst last so that it lies on top."""
    for mark in reversed(marks):
        if mark.ticket is None:
            continue
        start, control, end = arcs[mark.sign]
        path = "M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}".format(*start, *control, *end)
        rings = Markup("").join(
            Markup('<circle cx="{:.1f}" cy="{:.1f}" r="10"/>').format(*place) for place in (start, end)
        )
        yield Markup(
            '<g class="arc mark m{} {}"><title>{}: {}</title><path class="case" d="{}"/><path class="line" d="{}"/>'
            "{}</g>"
        ).format(mark.sign, mark.look, mark.name, mark.words, path, path, rings)


def _badges(layout: Layout, marks: Sequence[Mark], arcs: Mapping[str, Points]) -> Iterator[Markup]:
    """Yield the numbers of marks, each where no other one is."""
    taken: list[Points] = []
    for mark in [mark for mark in marks if mark.state][:MOST_SIGNS] + [mark for mark in marks if not mark.state]:
        if mark.route is None:
            spots = _bezier(arcs[mark.sign], np.array(SPOTS))
        else:
            line = layout.lanes[mark.route].line
            spots = line[[int(share * (len(line) - 1)) for share in SPOTS]]
        free = (spot for spot in spots if all(np.hypot(*(spot - other)) > APART for other in taken))
        taken.append(next(free, spots[0]))
        yield Markup('<g class="mark m{} {}">{}</g>').format(mark.sign, mark.look or "tag", _badge(mark, taken[-1]))


def _badge(mark: Mark, spot: Points) -> Markup:
    """A square for missed, a diamond for open, a circle for the rest."""
    shapes = {
        "miss": '<rect x="-14" y="-14" width="28" height="28" rx="5"/>',
        "open": '<path d="M0-19 19 0 0 19-19 0z"/>',
        "": '<circle r="12"/>',
    }
    return Markup('<g class="bd" transform="translate({:.1f} {:.1f})"><g>{}<text dy=".36em">{}</text></g></g>').format(
        *spot, Markup(shapes[mark.look]), escape(mark.sign)
    )
