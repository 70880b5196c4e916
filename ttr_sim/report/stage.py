"""The board of a study's first screen, with marked problems and tabs that color the routes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup

from ttr_sim.analysis.targets import FOUGHT_OVER, MISSED, ROUTES, TICKET
from ttr_sim.edition.canonical import color_name
from ttr_sim.report.board.layout import FONT_SIZE
from ttr_sim.report.figures import GRAY, card_colors
from ttr_sim.report.numbers import ALL

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.verdict import Verdict
    from ttr_sim.edition.model import Edition
    from ttr_sim.report.board.layout import Layout
    from ttr_sim.report.board.routing import Points

MOST_SIGNS = 12  # of problems, which are worst first; further ones are drawn without a number
LETTERS = "ABC"  # of the fiercest routes
ROUTE_WORDS = {
    "claims": "hardly ever claimed",
    "contention": "fought over too often",
    "denial": "blocks rivals too often",
}
TABS = {"c": "claimed", "f": "contention", "w": "round"}  # columns of the table of routes
STEPS = 5
LETTER_SIZE = 13.5  # of names, in points
NAME = 1.7  # reach of a name from the middle of its label, in half widths
BULGE, MOST_BULGE = 0.24, 110.0  # of an arc: share of its length, and points
SPOTS = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)  # along an arc, tried for its badge
APART = 34.0  # points between badges
RIM = 24.0
BADGES = {  # a square for missed, a diamond for open, a circle for the rest
    "miss": Markup('<rect x="-14" y="-14" width="28" height="28" rx="5"/>'),
    "open": Markup('<path d="M0-19 19 0 0 19-19 0z"/>'),
    "met": Markup('<circle r="15"/>'),
    "": Markup('<circle r="12"/>'),
}


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
            marks.append(Mark(sign, route_name(edition, row), f"{maybe}{ROUTE_WORDS[target.measure]}", state, row))
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


def stage_rules(edition: Edition, counts: Sequence[int], marks: Sequence[Mark]) -> Markup:
    """Style sheet of colors, tabs by player count, and highlighted marks."""
    rules = [f".fill{number}{{--c:{fill}}}" for number, fill in enumerate([*card_colors(edition), GRAY])]
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
    arcs = arcs_of_tickets(edition, layout, marks)
    # The picture holds all cities, arcs and names, which are wider than the ones that were laid out.
    ends_of_names = [(label.x + side * NAME * label.half_width, label.y) for label in layout.labels for side in (-1, 1)]
    curves = [points_of_arc(arc, np.linspace(0, 1, 21)) for arc in arcs.values()]
    points = np.concatenate([layout.places, ends_of_names, *curves])
    low = np.minimum(points.min(axis=0) - RIM, 20.0)
    high = np.maximum(points.max(axis=0) + RIM, np.array([layout.width, layout.height]) - 20.0)
    box = " ".join(f"{number:.0f}" for number in (*low, *(high - low)))
    problems = ", ".join(f"{mark.sign} {mark.name}" for mark in marks) or "none"
    label = f"The board of {edition.title} with its problems: {problems}"
    parts = [Markup('<svg class="board" viewBox="{}" role="img" aria-label="{}">').format(box, label)]
    rails = [rounded_path(lane.line[::3]) for lane in layout.lanes]
    for mark in marks:
        if mark.route is not None:
            halo = Markup('<g class="halo mark m{} {}"><path class="o" d="{}"/><path class="i" d="{}"/></g>')
            parts.append(halo.format(mark.sign, mark.look, rails[mark.route], rails[mark.route]))
    steps = classes_of_routes(routes, len(edition.routes), counts)
    for number, (route, lane) in enumerate(zip(edition.routes, layout.lanes, strict=True)):
        fill = len(edition.colors) if route.color is None else route.color
        pale = " pale" if color_name(edition, route) in ("white", "black") else ""
        cars = []
        for x, y, angle, length in lane.cars:  # whose round corners come from their strokes
            along = np.array([np.cos(angle), np.sin(angle)]) * (length - 2) / 2
            across = np.array([-np.sin(angle), np.cos(angle)]) * (layout.sizes.car - 2) / 2
            corners = np.array([along + across, along - across, -along - across, -along + across])
            cars.append(rounded_path(np.array([x, y]) + corners) + "z")
        group = Markup(
            '<g class="rt {} fill{}{}{}" data-of="route-{}"><title>{}</title><path class="rail" d="{}"/>'
            '<path class="car" d="{}"/></g>'
        )
        classes = route.kind, fill, pale, steps[number]
        parts.append(group.format(*classes, number, names[number], rails[number], "".join(cars)))
    for number, (city, (x, y)) in enumerate(zip(edition.cities, layout.places, strict=True)):
        group = Markup(
            '<g class="ct" data-of="city-{}"><title>{}</title><circle class="c1o" cx="{:.1f}" cy="{:.1f}" r="7.5"/>'
            '<circle class="c1i" cx="{:.1f}" cy="{:.1f}" r="2.6"/></g>'
        )
        parts.append(group.format(number, city.name, x, y, x, y))
    drawn = []
    for mark in reversed(marks):  # the worst last and on top
        if mark.sign in arcs:
            start, control, end = arcs[mark.sign]
            path = "M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}".format(*start, *control, *end)
            group = Markup(
                '<g class="arc mark m{} {}"><title>{}: {}</title><path class="case" d="{}"/><path class="line" d="{}"/>'
                '<circle cx="{:.1f}" cy="{:.1f}" r="10"/><circle cx="{:.1f}" cy="{:.1f}" r="10"/></g>'
            )
            drawn.append(group.format(mark.sign, mark.look, mark.name, mark.words, path, path, *start, *end))
    problem_group = Markup('<g class="probs">{}</g>')
    parts += [problem_group.format(Markup("").join(drawn)), *names_of_cities(edition, layout, marks)]
    parts += [problem_group.format(Markup("").join(badges_of(layout, marks, arcs))), Markup("</svg>")]
    return Markup("").join(parts)


def classes_of_routes(table: pd.DataFrame, size: int, counts: Sequence[int]) -> list[str]:
    """Classes of each route: its step by tab and player count."""
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


def names_of_cities(edition: Edition, layout: Layout, marks: Sequence[Mark]) -> Iterator[Markup]:
    """Yield the names of cities, ends of marked tickets set off."""
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
        lines = []
        if label.far:
            near = min(max(x, left), right), min(max(y, label.y - FONT_SIZE / 2), label.y + FONT_SIZE / 2)
            lines.append(Markup('<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>').format(x, y, *near))
        for row, line in enumerate(label.lines):
            text = Markup('<text x="{:.1f}" y="{:.1f}">{}</text>')
            lines.append(text.format(at, top + LETTER_SIZE * (row + 0.82), line))
        group = Markup('<g class="{}" text-anchor="{}">{}</g>')
        yield group.format("nm end" if number in ends_of_marked else "nm", anchor, Markup("").join(lines))


def arcs_of_tickets(edition: Edition, layout: Layout, marks: Sequence[Mark]) -> dict[str, Points]:
    """Start, control and end of each marked ticket's arc, by its sign, the worst last."""
    arcs = {}
    for mark in reversed(marks):
        if mark.ticket is None:
            continue
        ticket = edition.tickets[mark.ticket]
        start, end = (layout.places[list(cities)].mean(axis=0) for cities in (ticket.a_cities, ticket.b_cities))
        chord, middle = end - start, (start + end) / 2
        length = max(float(np.hypot(*chord)), 1.0)
        # An arc bends away from the middle of the board.
        normal = np.array([-chord[1], chord[0]]) / length
        side = 1.0 if float(normal @ (middle - np.array([layout.width, layout.height]) / 2)) >= 0 else -1.0
        arcs[mark.sign] = np.stack([start, middle + side * normal * 2 * min(BULGE * length, MOST_BULGE), end])
    return arcs


def points_of_arc(arc: Points, shares: Points) -> Points:
    """Points of a quadratic Bézier curve."""
    (start, control, end), share = arc[:, None], shares[:, None]
    points: Points = (1 - share) ** 2 * start + 2 * share * (1 - share) * control + share**2 * end
    return points


def badges_of(layout: Layout, marks: Sequence[Mark], arcs: Mapping[str, Points]) -> Iterator[Markup]:
    """Yield the numbers of all marks, clear of each other."""
    taken: list[Points] = []
    for mark in [mark for mark in marks if mark.state][:MOST_SIGNS] + [mark for mark in marks if not mark.state]:
        if mark.route is None:
            spots = points_of_arc(arcs[mark.sign], np.array(SPOTS))
        else:
            line = layout.lanes[mark.route].line
            spots = line[[int(share * (len(line) - 1)) for share in SPOTS]]
        free = (spot for spot in spots if all(np.hypot(*(spot - other)) > APART for other in taken))
        x, y = next(free, spots[0])
        taken.append(np.array([x, y]))
        badge = Markup(
            '<g class="mark m{} {}"><g class="bd" transform="translate({:.1f} {:.1f})"><g>{}<text dy=".36em">{}</text>'
            "</g></g></g>"
        )
        yield badge.format(mark.sign, mark.look or "tag", x, y, BADGES[mark.look], mark.sign)
