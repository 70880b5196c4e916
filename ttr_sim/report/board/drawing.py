"""Draw boards with matplotlib, as printed or as lines."""

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

from ttr_sim.edition.model import Edition
from ttr_sim.report.board.layout import FONT_SIZE, LINE_HEIGHT, MARGIN, PAWN_ROW, PAWN_STEP, Layout, text_width
from ttr_sim.report.board.routing import Points
from ttr_sim.report.figures import GRAY, INK, PAPER, SOFT_INK, card_colors, text_color

ROUNDNESS = {"plain": 0.35, "tunnel": 0.1, "ferry": 1.0}  # of a car's ends: 1 makes them half circles
TUNNEL_LINE = 1.6
ASIDE = 0.22  # of a car's length: how far the letter and the cart of merchandise move apart
CITY_DOT, REGION_DOT = 0.34, 0.62  # of the ring's radius
DISTRICT_LETTERS = 2  # longer names do not fit into the ring
GOLD = "#e3b23c"  # attractions
LEGEND_ROW = 18.0
SAMPLE = (26.0, 10.0)  # length and width of a car in the legend
AFTER_SAMPLE, AFTER_ITEM = 5.0, 16.0


def _shape(corners: Sequence[Sequence[tuple[float, float]]], discs: Sequence[tuple[float, float, float]]) -> Path:
    parts = [Path([*outline, outline[0]], closed=True) for outline in corners]
    for x, y, radius in discs:
        # A polygon of ten sides: no eye sees the difference, and it is a third of a circle's size in SVG.
        parts.append(Affine2D().scale(radius).translate(x, y).transform_path(Path.unit_regular_polygon(10)))
    return Path.make_compound_path(*parts)


LOCOMOTIVE = _shape(
    [
        [(-0.5, -0.12), (0.34, -0.12), (0.34, 0.3), (-0.5, 0.3)],  # boiler
        [(-0.5, -0.45), (-0.2, -0.45), (-0.2, -0.12), (-0.5, -0.12)],  # cab
        [(0.12, -0.45), (0.27, -0.45), (0.27, -0.12), (0.12, -0.12)],  # chimney
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
SYMBOLS = {"merchandise": (CART, 11.0), "passenger": (PAWN, 9.0)}  # with their sizes in the legend


class Group(Artist):
    """Artists drawn together, in SVG as a <g> with this id."""

    def __init__(self, gid: str, members: Sequence[Artist]) -> None:
        super().__init__()
        self.set_gid(gid)
        self.members = members

    def draw(self, renderer: Any) -> None:
        renderer.open_group("group", self.get_gid())
        for member in self.members:
            # The axes see the group alone, so members get their figure and coordinates here.
            member.set_figure(self.figure)
            member.set_transform(self.get_transform())
            member.draw(renderer)
        renderer.close_group("group")


def _blank(width: float, height: float) -> tuple[Figure, Axes]:
    """Make a figure with coordinates in points from the upper left."""
    figure = Figure(figsize=(width / 72, height / 72), facecolor=PAPER)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return figure, axes


def printed_board(edition: Edition, layout: Layout, passengers: bool = True) -> Figure:
    legend, rows = _legend(edition, layout)
    figure, axes = _blank(layout.width, layout.height + LEGEND_ROW * (rows + 1.9))
    colors = card_colors(edition)
    width = layout.sizes.car
    for number, (route, lane) in enumerate(zip(edition.routes, layout.lanes, strict=True)):
        fill = GRAY if route.color is None else colors[route.color]
        ink = text_color(fill)
        line = Line2D(*lane.line.T, linewidth=1.0, color=SOFT_INK, linestyle=":" if route.kind == "ferry" else "-")
        members: list[Artist] = [line, *_cars(lane.cars, width, route.kind, fill)]
        # Locomotives go from the middle outward, so that they stand on the same spaces as in print.
        order = np.argsort(np.abs(np.arange(route.length) - (route.length - 1) / 2), kind="stable")
        if route.locomotives:
            cars = lane.cars[np.sort(order[: route.locomotives])]
            members.append(_stamp(LOCOMOTIVE, cars, 0.86 * width, facecolor=ink))
        letters = lane.cars.copy()  # in the middle of a car, or next to its cart
        if route.merchandise:
            carts, turns = lane.cars.copy(), _upright(lane.cars[:, 2])
            step = ASIDE * lane.cars[:, 3:] * np.column_stack([np.cos(turns), np.sin(turns)])
            carts[:, :2] -= step
            letters[:, :2] += step
            members.append(_stamp(CART, carts, 0.9 * width, facecolor=ink))
        if route.color is not None:
            x, y, angle, _ = letters[order[0]]
            turn = -np.degrees(_upright(angle))
            members.append(text(x, y, edition.colors[route.color].letter, 0.72 * width, ink, rotation=turn))
        axes.add_artist(Group(f"route-{number}", members))
    cities = edition.cities if passengers else tuple(replace(city, passengers=0) for city in edition.cities)
    axes.add_artist(_cities(replace(edition, cities=cities), layout))
    axes.add_artist(legend)
    return figure


def line_board(edition: Edition, layout: Layout, links: Sequence[str] = ()) -> tuple[Figure, Axes, list[Line2D]]:
    """Draw a board with a thin line for each route, to be styled by the caller."""
    figure, axes = _blank(layout.width, layout.height)
    lines = []
    for number, lane in enumerate(layout.lanes):
        line = Line2D(*lane.line.T, color=SOFT_INK)
        if links:
            line.set_url(links[number])
        axes.add_artist(Group(f"route-{number}", [line]))
        lines.append(line)
    axes.add_artist(_cities(edition, layout))
    return figure, axes, lines


def _cars(cars: Points, width: float, kind: str, fill: str) -> list[Artist]:
    """Draw cars as rounded rectangles, in tunnels with a heavy dashed outline."""
    looks: list[dict[str, Any]] = [{"facecolor": fill, "edgecolor": INK, "linewidth": 0.7}]
    if kind == "tunnel":
        # Dark on light, the outline shows on every color.
        inner = {"facecolor": "none", "linewidth": TUNNEL_LINE}
        looks += [inner | {"edgecolor": PAPER}, inner | {"edgecolor": INK, "linestyle": (0, (2.2, 1.1))}]
    patches: list[Artist] = []
    for look in looks:
        inset, boxes = 0.0 if look is looks[0] else TUNNEL_LINE, []
        for x, y, angle, whole in cars:
            length, breadth = whole - inset, width - inset
            style = BoxStyle.Round(pad=0, rounding_size=ROUNDNESS[kind] * min(length, breadth) / 2)
            box = style(-length / 2, -breadth / 2, length, breadth, 1)
            boxes.append(Affine2D().rotate(angle).translate(x, y).transform_path(box))
        patches.append(PathPatch(Path.make_compound_path(*boxes), **look))
    return patches


def _stamp(shape: Path, spots: Points, size: float, **look: Any) -> Artist:
    """Draw a shape upright at each spot (x, y, angle, ...)."""
    placed = []
    for x, y, angle, *_ in spots:
        placed.append(Affine2D().scale(size).rotate(_upright(angle)).translate(x, y).transform_path(shape))
    return PathPatch(Path.make_compound_path(*placed), **({"linewidth": 0} | look))


def _upright(angle: Any) -> Any:
    """Turn angles so that text along them reads from the left."""
    return (angle + np.pi / 2) % np.pi - np.pi / 2


def _cities(edition: Edition, layout: Layout) -> Group:
    """Draw the marks of cities, then over everything their names with passengers."""
    radius, marks, names = layout.sizes.city, list[Artist](), list[Artist]()
    for city, (x, y), label in zip(edition.cities, layout.places.tolist(), layout.labels, strict=True):
        kind = "country" if city.country else "attraction" if city.attraction else "region" if city.region else ""
        district = city.region if edition.districts and city.region and len(city.region) <= DISTRICT_LETTERS else ""
        size = radius if city.country else 0.82 * radius
        marks.append(Group(f"city-{len(marks)}", _city_mark(kind, x, y, size, district)))
        members: list[Artist] = []
        if label.far:  # with a leader from the rim of the city
            to_x = min(max(x, label.x - label.half_width), label.x + label.half_width)
            to_y = min(max(y, label.y - label.half_height), label.y + label.half_height)
            rim = radius / max(float(np.hypot(to_x - x, to_y - y)), 1.0)
            ends = [x + rim * (to_x - x), to_x], [y + rim * (to_y - y), to_y]
            members.append(Line2D(*ends, color=SOFT_INK, linewidth=0.7))
        # Labels were placed with room for the passengers, in layout.
        top = label.y - label.half_height
        for row, line in enumerate(label.lines):
            members.append(text(label.x, top + LINE_HEIGHT * (row + 0.5), line, FONT_SIZE, INK))
        if city.passengers:
            below = top + LINE_HEIGHT * len(label.lines) + PAWN_ROW / 2 - 0.5
            columns = label.x + (np.arange(city.passengers) - (city.passengers - 1) / 2) * PAWN_STEP
            spots = np.column_stack([columns, np.full_like(columns, below), np.zeros_like(columns)])
            members.append(_stamp(PAWN, spots, 7.0, facecolor=INK, edgecolor=PAPER, linewidth=0.5))
        names.append(Group(f"name-{len(names)}", members))
    return Group("cities", [*marks, *names])


def _city_mark(kind: str, x: float, y: float, radius: float, district: str = "") -> list[Artist]:
    """Draw a diamond for a country, a ring for a city: with a dot, its district, or gold as an attraction."""
    if kind == "country":
        corners = [(x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius)]
        return [Polygon(corners, facecolor=PAPER, edgecolor=INK, linewidth=1.8)]
    ring = Circle((x, y), radius, facecolor=GOLD if kind == "attraction" else PAPER, edgecolor=INK, linewidth=1.8)
    if district:
        return [ring, text(x, y, district, 8, INK, weight="bold")]
    dot = REGION_DOT if kind == "region" else CITY_DOT
    return [ring, Circle((x, y), dot * radius, facecolor=INK, linewidth=0)]


def text(x: float, y: float, words: str, size: float, ink: str, **look: Any) -> Text:
    middle = {"ha": "center", "va": "center_baseline", "rotation_mode": "anchor"}
    return Text(x, y, words, fontsize=size, color=ink, **(middle | look))


def _legend(edition: Edition, layout: Layout) -> tuple[Group, int]:
    """Draw the title and each sign that occurs, and count the rows."""
    routes, cities, colors = edition.routes, edition.cities, card_colors(edition)
    signs = []
    for number in sorted({route.color for route in routes if route.color is not None}):
        signs.append((edition.colors[number].name, "plain", colors[number], edition.colors[number].letter))
    regions = sorted({city.region for city in cities if city.region})
    kinds = {route.kind for route in routes}
    district = regions[0][:1] if regions else ""
    for occurs, words, kind, letter in (
        (any(route.color is None for route in routes), "any one color", "plain", ""),
        ("tunnel" in kinds, "tunnel", "tunnel", ""),
        ("ferry" in kinds, "ferry, with its locomotives", "ferry", ""),
        (any(route.merchandise for route in routes), "merchandise", "merchandise", ""),
        (any(city.country for city in cities), "country", "country", ""),
        (any(city.attraction for city in cities), "attraction", "attraction", ""),
        (bool(regions) and not edition.districts, f"city of a region ({', '.join(regions)})", "region", ""),
        (edition.districts is not None, "city of a district, by its name", "district", district),
        (any(city.passengers for city in cities), "passenger", "passenger", ""),
    ):
        if occurs:
            signs.append((words, kind, GRAY, letter))
    left, line = MARGIN[0] / 2, layout.height + 0.4 * LEGEND_ROW
    sizes = f"{len(cities)} cities, {len(routes)} routes, {len(edition.tickets)} tickets"
    members: list[Artist] = [
        text(left, line, edition.title, 15.0, INK, ha="left", weight="bold"),
        text(left + 1.75 * text_width(edition.title) + 12, line, sizes, 10, INK, ha="left"),
    ]
    x, row = left, 1
    for words, kind, fill, letter in signs:
        width = SAMPLE[0] + AFTER_SAMPLE + text_width(words) + AFTER_ITEM
        if x > left and x + width > layout.width - left:
            x, row = left, row + 1
        middle, y = x + SAMPLE[0] / 2, layout.height + LEGEND_ROW * (row + 0.55)
        spot = np.array([[middle, y, 0.0, SAMPLE[0]]])
        if kind in ("country", "region", "attraction", "district"):
            members += _city_mark(kind, middle, y, 7.0 if kind == "country" else 6.5, letter)
        elif kind in SYMBOLS:
            shape, size = SYMBOLS[kind]
            members.append(_stamp(shape, spot, size, facecolor=INK))
        else:
            members += _cars(spot, SAMPLE[1], kind, fill)
        if kind == "ferry":
            members.append(_stamp(LOCOMOTIVE, spot, 0.9 * SAMPLE[1], facecolor=text_color(fill)))
        if letter and kind != "district":
            members.append(text(middle, y, letter, 8, text_color(fill)))
        members.append(text(x + SAMPLE[0] + AFTER_SAMPLE, y, words, 9.5, INK, ha="left"))
        x += width
    return Group("legend", members), row
