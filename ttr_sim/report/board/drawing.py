"""Draw boards: routes, cities and names as groups of matplotlib artists, as printed or as lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import BoxStyle, Circle, PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from ttr_sim.edition.model import City, Edition
from ttr_sim.report.board.layout import FONT_SIZE, LINE_HEIGHT, PAWN_ROW, PAWN_STEP, Layout
from ttr_sim.report.board.routing import Lane, Points
from ttr_sim.report.colors import GRAY, INK, PAPER, SOFT_INK, card_colors, text_color

ROUNDNESS = {"plain": 0.35, "tunnel": 0.1, "ferry": 1.0}  # of a car's ends: 1 makes them half circles
TUNNEL_LINE = 1.6
CITY_DOT, REGION_DOT = 0.34, 0.62  # of the ring's radius


def _shape(corners: Sequence[Sequence[tuple[float, float]]], discs: Sequence[tuple[float, float, float]]) -> Path:
    parts = [Path([*outline, outline[0]], closed=True) for outline in corners]
    for x, y, radius in discs:
        # A polygon of ten sides: no eye sees the difference, and it is a third of a circle's size in SVG.
        parts.append(Affine2D().scale(radius).translate(x, y).transform_path(Path.unit_regular_polygon(10)))
    return Path.make_compound_path(*parts)


def _box(left: float, top: float, right: float, bottom: float) -> list[tuple[float, float]]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


LOCOMOTIVE = _shape(
    [
        _box(-0.5, -0.12, 0.34, 0.3),
        _box(-0.5, -0.45, -0.2, -0.12),
        _box(0.12, -0.45, 0.27, -0.12),
        [(0.34, 0.3), (0.55, 0.3), (0.34, 0.0)],
    ],
    [(-0.28, 0.33, 0.15), (0.1, 0.33, 0.15)],
)
CART = _shape(
    [
        [(-0.5, -0.42), (0.4, -0.42), (0.28, 0.08), (-0.38, 0.08)],
        [(0.33, -0.16), (0.72, -0.34), (0.76, -0.25), (0.33, -0.04)],
    ],
    [(-0.25, 0.28, 0.15), (0.15, 0.28, 0.15)],
)
PAWN = _shape([[(-0.34, 0.5), (-0.1, -0.15), (0.1, -0.15), (0.34, 0.5)]], [(0.0, -0.27, 0.22)])


class Group(Artist):
    """Artists drawn together, in SVG as a <g> with this id."""

    def __init__(self, gid: str, members: Sequence[Artist]) -> None:
        super().__init__()
        self.set_gid(gid)
        self.members = members

    def draw(self, renderer: Any) -> None:
        renderer.open_group("group", self.get_gid())
        for member in self.members:
            member.draw(renderer)
        renderer.close_group("group")


def blank(width: float, height: float) -> tuple[Figure, Axes]:
    """Make a figure with coordinates in points from the upper left."""
    figure = Figure(figsize=(width / 72, height / 72), facecolor=PAPER)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.axis("off")
    return figure, axes


def add(axes: Axes, group: Group) -> None:
    """Put a group, and all it holds, on the axes."""
    # Members need their figure, since the axes see the group alone.
    pending: list[Artist] = [group]
    while pending:
        artist = pending.pop()
        artist.set_figure(axes.figure)
        pending += artist.members if isinstance(artist, Group) else []
    axes.add_artist(group)


def printed_board(edition: Edition, layout: Layout, passengers: bool = True) -> Figure:
    """Draw the board as printed, with or without its passengers."""
    from ttr_sim.report.board.legend import legend, legend_height  # which draws with the functions below

    figure, axes = blank(layout.width, layout.height + legend_height(edition, layout))
    colors = card_colors(edition)
    for number in range(len(edition.routes)):
        add(axes, _printed_route(axes, edition, layout, number, colors))
    cities = edition.cities if passengers else tuple(replace(city, passengers=0) for city in edition.cities)
    add(axes, city_group(axes, cities, layout))
    add(axes, legend(axes, edition, layout))
    return figure


def line_board(edition: Edition, layout: Layout, links: Sequence[str] = ()) -> tuple[Figure, Axes, list[Line2D]]:
    """Draw a board with a thin line for each route, to be styled by the caller."""
    figure, axes = blank(layout.width, layout.height)
    lines = []
    for number, lane in enumerate(layout.lanes):
        line = lane_line(axes, lane, color=SOFT_INK)
        if links:
            line.set_url(links[number])
        add(axes, Group(f"route-{number}", [line]))
        lines.append(line)
    add(axes, city_group(axes, edition.cities, layout))
    return figure, axes, lines


def city_group(axes: Axes, cities: Sequence[City], layout: Layout) -> Group:
    """Draw marks first, names over everything."""
    radius = layout.sizes.city
    marks = []  # below all names
    for number, (city, (x, y)) in enumerate(zip(cities, layout.places.tolist(), strict=True)):
        if city.country:
            members = country_mark(axes, x, y, radius)
        else:
            members = ring_mark(axes, x, y, 0.82 * radius, REGION_DOT if city.region else CITY_DOT)
        marks.append(Group(f"city-{number}", members))
    names = [_city_name(axes, city, layout, number) for number, city in enumerate(cities)]
    return Group("cities", [*marks, *names])


def _printed_route(axes: Axes, edition: Edition, layout: Layout, number: int, colors: list[str]) -> Group:
    """Draw a route's line, cars, symbols and the letter of its color."""
    route, lane, width = edition.routes[number], layout.lanes[number], layout.sizes.car
    fill = GRAY if route.color is None else colors[route.color]
    ink = text_color(fill)
    line = lane_line(axes, lane, linewidth=1.0, color=SOFT_INK, linestyle=":" if route.kind == "ferry" else "-")
    members: list[Artist] = [line, *car_patches(axes, lane.cars, width, route.kind, fill)]
    # Locomotives go from the middle outward, so that they stand on the same spaces as in print.
    order = sorted(range(route.length), key=lambda space: (abs(space - (route.length - 1) / 2), space))
    if route.locomotives:
        cars = lane.cars[sorted(order[: route.locomotives])]
        members.append(stamp(axes, LOCOMOTIVE, cars, 0.86 * width, facecolor=ink))
    letter_at = lane.cars  # in the middle of a car, or next to its cart
    if route.merchandise:
        members.append(stamp(axes, CART, _moved_along(lane.cars, -0.22), 0.9 * width, facecolor=ink))
        letter_at = _moved_along(lane.cars, 0.22)
    if route.color is not None:
        x, y, angle, _ = letter_at[order[0]]
        turn = -np.degrees(_upright(float(angle)))
        members.append(text(axes, x, y, edition.colors[route.color].letter, 0.72 * width, ink, rotation=turn))
    return Group(f"route-{number}", members)


def car_patches(axes: Axes, cars: Points, width: float, kind: str, fill: str) -> list[Artist]:
    """Draw cars as rounded rectangles, in tunnels with a heavy dashed outline."""
    patches: list[Artist] = [patch(axes, _car_path(cars, width, kind), facecolor=fill, edgecolor=INK, linewidth=0.7)]
    if kind == "tunnel":
        # Dark on light, the outline shows on every color.
        inset = _car_path(cars - np.array([0, 0, 0, TUNNEL_LINE]), width - TUNNEL_LINE, kind)
        look: dict[str, Any] = {"facecolor": "none", "linewidth": TUNNEL_LINE}
        patches.append(patch(axes, inset, edgecolor=PAPER, **look))
        patches.append(patch(axes, inset, edgecolor=INK, linestyle=(0, (2.2, 1.1)), **look))
    return patches


def _car_path(cars: Points, width: float, kind: str) -> Path:
    boxes = []
    for x, y, angle, length in cars:
        style = BoxStyle.Round(pad=0, rounding_size=ROUNDNESS[kind] * min(length, width) / 2)
        box = style(-length / 2, -width / 2, length, width, 1)
        boxes.append(Affine2D().rotate(angle).translate(x, y).transform_path(box))
    return Path.make_compound_path(*boxes)


def stamp(axes: Axes, shape: Path, spots: Points, size: float, **look: Any) -> Artist:
    """Draw a shape upright at each spot (x, y, angle, ...)."""
    placed = []
    for x, y, angle, *_ in spots:
        place = Affine2D().scale(size).rotate(_upright(float(angle))).translate(x, y)
        placed.append(place.transform_path(shape))
    return patch(axes, Path.make_compound_path(*placed), **({"linewidth": 0} | look))


def _upright(angle: float) -> float:
    """Turn an angle so that text along it reads from the left."""
    return float((angle + np.pi / 2) % np.pi - np.pi / 2)


def _moved_along(cars: Points, share: float) -> Points:
    """Move the middles of cars by a share of their length."""
    moved = cars.copy()
    turns = np.array([_upright(float(angle)) for angle in cars[:, 2]])
    moved[:, 0] += share * cars[:, 3] * np.cos(turns)
    moved[:, 1] += share * cars[:, 3] * np.sin(turns)
    return moved


def country_mark(axes: Axes, x: float, y: float, radius: float) -> list[Artist]:
    """Draw a diamond, the mark of a spot of a country."""
    corners = [(x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius)]
    return [Polygon(corners, facecolor=PAPER, edgecolor=INK, linewidth=1.8, transform=axes.transData)]


def ring_mark(axes: Axes, x: float, y: float, radius: float, dot: float) -> list[Artist]:
    """Draw a ring with a dot, the mark of a city."""
    ring = Circle((x, y), radius, facecolor=PAPER, edgecolor=INK, linewidth=1.8, transform=axes.transData)
    return [ring, Circle((x, y), dot * radius, facecolor=INK, linewidth=0, transform=axes.transData)]


def _city_name(axes: Axes, city: City, layout: Layout, number: int) -> Group:
    """Draw the name, its passengers, and a leader to a city far away."""
    label = layout.labels[number]
    members: list[Artist] = []
    if label.far:
        x, y = layout.places[number]
        to_x = min(max(x, label.x - label.half_width), label.x + label.half_width)
        to_y = min(max(y, label.y - label.half_height), label.y + label.half_height)
        rim = layout.sizes.city / max(float(np.hypot(to_x - x, to_y - y)), 1.0)
        start = x + rim * (to_x - x), y + rim * (to_y - y)
        look: dict[str, Any] = {"color": SOFT_INK, "linewidth": 0.7, "transform": axes.transData}
        members.append(Line2D([start[0], to_x], [start[1], to_y], **look))
    # Labels were placed with room for the passengers, in layout.
    top = label.y - label.half_height
    for row, line in enumerate(label.lines):
        members.append(text(axes, label.x, top + LINE_HEIGHT * (row + 0.5), line, FONT_SIZE, INK))
    if city.passengers:
        below = top + LINE_HEIGHT * len(label.lines) + PAWN_ROW / 2 - 0.5
        columns = label.x + (np.arange(city.passengers) - (city.passengers - 1) / 2) * PAWN_STEP
        spots = np.column_stack([columns, np.full_like(columns, below), np.zeros_like(columns)])
        members.append(stamp(axes, PAWN, spots, 7.0, facecolor=INK, edgecolor=PAPER, linewidth=0.5))
    return Group(f"name-{number}", members)


def lane_line(axes: Axes, lane: Lane, **look: Any) -> Line2D:
    x, y = lane.line.T
    return Line2D(x, y, transform=axes.transData, **look)


def patch(axes: Axes, path: Path, **look: Any) -> PathPatch:
    return PathPatch(path, transform=axes.transData, **look)


def text(axes: Axes, x: float, y: float, words: str, size: float, ink: str, **look: Any) -> Text:
    middle = {"ha": "center", "va": "center_baseline", "rotation_mode": "anchor"}
    return Text(x, y, words, fontsize=size, color=ink, transform=axes.transData, **(middle | look))
