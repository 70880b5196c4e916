"""The pieces of a board as artists: routes as printed, cities, names. One group a route and a city."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, PathPatch, Polygon
from matplotlib.text import Text

from ttr_sim.edition.model import City, Edition, Route
from ttr_sim.report.board.canvas import Group
from ttr_sim.report.board.colors import GRAY, INK, PAPER, SOFT_INK, on
from ttr_sim.report.board.curves import Points
from ttr_sim.report.board.labels import Label
from ttr_sim.report.board.lanes import Lane
from ttr_sim.report.board.layout import FONT_SIZE, LINE_HEIGHT, PAWN_ROW, PAWN_STEP, Layout
from ttr_sim.report.board.symbols import car_path, cart_path, locomotive_path, pawn_path, upright

ROUNDNESS = {"plain": 0.35, "tunnel": 0.1, "ferry": 1.0}
TUNNEL_LINE = 1.6
CITY_DOT, REGION_DOT = 0.34, 0.62  # of the ring's radius


def printed_route(axes: Axes, edition: Edition, layout: Layout, number: int, inks: list[str]) -> Group:
    """Draw a route as on a printed board: its line, its cars, their symbols and the letter of its color."""
    route, lane, width = edition.routes[number], layout.lanes[number], layout.sizes.car
    ink = GRAY if route.color is None else inks[route.color]
    cars = car_path(lane.cars, width, ROUNDNESS[route.kind])
    members: list[Artist] = [
        lane_line(axes, lane, 1.0, color=SOFT_INK, linestyle=":" if route.kind == "ferry" else "-")
    ]
    members.append(patch(axes, cars, facecolor=ink, edgecolor=INK, linewidth=0.7))
    if route.kind == "tunnel":
        members += tunnel_marks(axes, lane.cars, width)
    members += _symbols(axes, edition, route, lane, width, on(ink))
    return Group(f"route-{number}", members)


def tunnel_marks(axes: Axes, cars: Points, width: float) -> list[Artist]:
    """Draw a heavy dashed outline, dark on light, that shows on every color."""
    inset = cars - np.array([0, 0, 0, TUNNEL_LINE])
    outline = car_path(inset, width - TUNNEL_LINE, ROUNDNESS["tunnel"])
    light = patch(axes, outline, facecolor="none", edgecolor=PAPER, linewidth=TUNNEL_LINE)
    dark = patch(axes, outline, facecolor="none", edgecolor=INK, linewidth=TUNNEL_LINE, linestyle=(0, (2.2, 1.1)))
    return [light, dark]


def _symbols(axes: Axes, edition: Edition, route: Route, lane: Lane, width: float, ink: str) -> list[Artist]:
    """Draw locomotives from the middle outwards, carts on every space, the color's letter on a free one."""
    members: list[Artist] = []
    order = sorted(range(route.length), key=lambda space: (abs(space - (route.length - 1) / 2), space))
    if route.locomotives:
        cars = lane.cars[sorted(order[: route.locomotives])]
        members.append(patch(axes, locomotive_path(cars, 0.86 * width), facecolor=ink, linewidth=0))
    if route.merchandise:
        members.append(patch(axes, cart_path(_beside(lane.cars, -0.22), 0.9 * width), facecolor=ink, linewidth=0))
    if route.color is not None:
        car = _beside(lane.cars, 0.22 if route.merchandise else 0.0)[order[0]]
        members.append(_letter(axes, edition, route, car, width, ink))
    return members


def _beside(cars: Points, share: float) -> Points:
    """Move cars' middles along them by a share of their length, in reading direction."""
    moved = cars.copy()
    turns = np.array([upright(float(angle)) for angle in cars[:, 2]])
    moved[:, 0] += share * cars[:, 3] * np.cos(turns)
    moved[:, 1] += share * cars[:, 3] * np.sin(turns)
    return moved


def _letter(axes: Axes, edition: Edition, route: Route, car: Any, width: float, ink: str) -> Text:
    assert route.color is not None
    turn = -57.29578 * upright(float(car[2]))
    return text(axes, car[0], car[1], edition.colors[route.color].letter, 0.72 * width, ink, rotation=turn)


def city_mark(axes: Axes, city: City, layout: Layout, number: int) -> Group:
    """Draw a ring for a city, a diamond for a spot of a country, a filled ring in a region."""
    x, y = (float(value) for value in layout.places[number])
    radius = layout.sizes.city
    if city.country:
        members = country_mark(axes, x, y, radius)
    else:
        members = ring_mark(axes, x, y, 0.82 * radius, REGION_DOT if city.region else CITY_DOT)
    return Group(f"city-{number}", members)


def country_mark(axes: Axes, x: float, y: float, radius: float) -> list[Artist]:
    corners = [(x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius)]
    return [Polygon(corners, facecolor=PAPER, edgecolor=INK, linewidth=1.8, transform=axes.transData)]


def ring_mark(axes: Axes, x: float, y: float, radius: float, dot: float) -> list[Artist]:
    ring = Circle((x, y), radius, facecolor=PAPER, edgecolor=INK, linewidth=1.8, transform=axes.transData)
    return [ring, Circle((x, y), dot * radius, facecolor=INK, linewidth=0, transform=axes.transData)]


def city_name(axes: Axes, city: City, layout: Layout, number: int) -> Group:
    """Draw the name, its passengers below, and a thin leader when it stands apart from its city."""
    label = layout.labels[number]
    members: list[Artist] = []
    if label.far:
        members.append(_leader(axes, layout, label, number))
    rows = len(label.lines)
    top = label.y - label.half_height
    for row, line in enumerate(label.lines):
        middle = top + LINE_HEIGHT * (row + 0.5)
        members.append(text(axes, label.x, middle, line, FONT_SIZE, INK))
    if city.passengers:
        below = top + LINE_HEIGHT * rows + PAWN_ROW / 2 - 0.5
        pawns = pawn_path(label.x, below, city.passengers, PAWN_STEP, 7.0)
        members.append(patch(axes, pawns, facecolor=INK, edgecolor=PAPER, linewidth=0.5))
    return Group(f"name-{number}", members)


def _leader(axes: Axes, layout: Layout, label: Label, number: int) -> Line2D:
    x, y = layout.places[number]
    near_x = min(max(x, label.x - label.half_width), label.x + label.half_width)
    near_y = min(max(y, label.y - label.half_height), label.y + label.half_height)
    rim = layout.sizes.city / max(float(np.hypot(near_x - x, near_y - y)), 1.0)
    x, y = x + rim * (near_x - x), y + rim * (near_y - y)
    return Line2D([x, near_x], [y, near_y], color=SOFT_INK, linewidth=0.7, transform=axes.transData)


def lane_line(axes: Axes, lane: Lane, width: float, **look: Any) -> Line2D:
    x, y = lane.line.T
    return Line2D(x, y, linewidth=width, transform=axes.transData, **look)


def patch(axes: Axes, path: Any, **look: Any) -> PathPatch:
    return PathPatch(path, transform=axes.transData, **look)


def text(axes: Axes, x: float, y: float, words: str, size: float, ink: str, **look: Any) -> Text:
    middle = {"ha": "center", "va": "center_baseline", "rotation_mode": "anchor"}
    return Text(x, y, words, fontsize=size, color=ink, transform=axes.transData, **(middle | look))
