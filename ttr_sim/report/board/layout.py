"""Position everything on a board: cities, lanes with their cars, labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from ttr_sim.edition.model import City, Edition, Route
from ttr_sim.report.board.labels import Label, Obstacles, Wording, place_labels
from ttr_sim.report.board.routing import Lane, Points, Routing, Sizes, distances_along, points_at

FONT_SIZE = 10.0
LINE_HEIGHT = 11.5
PAWN_ROW = 9.0  # height of the row of passengers under a name
PAWN_STEP = 6.0
LONG_NAME, SHORTEST_HALF = 9, 4  # letters from which a name may be broken in two, and left on a line
CAR_WIDTHS = (7.0, 12.0)
AREA = 560_000.0  # square points for the cities' own box
ASPECTS = (0.55, 1.9)  # narrowest and widest width : height
MARGIN = (62.0, 34.0)  # points kept free on the left and right, above and below, for labels
APART = 0.04  # cities come no nearer than this share of the box's diagonal
SPREAD_ROUNDS = 200
GOLDEN_ANGLE = 2.399963


@dataclass(frozen=True)
class Layout:
    """Positions in points (1/72 inch), y downward as in cities.csv."""

    width: float
    height: float
    sizes: Sizes
    places: Points  # of cities
    lanes: list[Lane]
    labels: list[Label]


def lay_out(edition: Edition) -> Layout:
    """Lay out a board. Editions with the same map share their layout."""
    return _lay_out(edition.cities, edition.routes)


@lru_cache(maxsize=4)  # a board takes up to a second, and a report draws it several times
def _lay_out(cities: Sequence[City], routes: Sequence[Route]) -> Layout:
    """Curve routes, place city names, then curve routes around the names."""
    canvas, places = place_cities(cities)
    sizes = _sizes(routes, places)
    routing = Routing(routes, places, canvas, sizes)
    wordings = [_wordings(city) for city in cities]
    routing.bend()
    labels = place_labels(wordings, _obstacles(routing, routing.lanes()))
    routing.labels = np.array([(label.x, label.y, label.half_width, label.half_height) for label in labels])
    routing.bend()
    lanes = routing.lanes()
    labels = place_labels(wordings, _obstacles(routing, lanes))
    return Layout(float(canvas[0]), float(canvas[1]), sizes, places, lanes, labels)


def place_cities(cities: Sequence[City]) -> tuple[Points, Points]:
    """Scale a designer's coordinates to a canvas, and separate close cities."""
    raw = np.array([(city.x, city.y) for city in cities], dtype=np.float64)
    box, points = _fitted(raw)
    box, points = _fitted(_set_apart(points, APART * float(np.hypot(*box))))
    margin = np.array(MARGIN)
    return box + 2 * margin, points + margin


def _fitted(points: Points) -> tuple[Points, Points]:
    """Scale points into the middle of a box of the usual area."""
    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    wide, high = float(extent[0]), float(extent[1])
    aspect = wide / high if high > 0 else (ASPECTS[1] if wide > 0 else 1.0)
    aspect = min(max(aspect, ASPECTS[0]), ASPECTS[1])
    box = np.array([np.sqrt(AREA * aspect), np.sqrt(AREA / aspect)])
    ratios = box[extent > 0] / extent[extent > 0]
    scale = float(ratios.min()) if len(ratios) else 0.0
    return box, (points - low - extent / 2) * scale + box / 2


def _set_apart(points: Points, distance: float) -> Points:
    """Push cities apart that stand on each other."""
    order = np.arange(len(points))
    # A fixed jitter instead of a random one: the same input always gives the same drawing.
    jitter = np.stack([np.cos(order * GOLDEN_ANGLE), np.sin(order * GOLDEN_ANGLE)], axis=1)
    points = points + jitter * 1e-3 * distance
    for _ in range(SPREAD_ROUNDS):
        gap = points[:, None, :] - points[None, :, :]
        length = np.hypot(gap[..., 0], gap[..., 1]) + np.eye(len(points)) * 1e9
        if length.min() >= distance * 0.999:
            break
        push = np.clip(distance - length, 0, None) / 2
        points = points + np.sum(gap / length[..., None] * push[..., None], axis=1)
    return points


def _sizes(routes: Sequence[Route], places: Points) -> Sizes:
    """Make cars as wide as the tighter routes of the map allow."""
    car = CAR_WIDTHS[1]
    if routes:
        a, b = np.array([(route.a, route.b) for route in routes]).T
        pitch = np.hypot(*(places[a] - places[b]).T) / np.array([route.length for route in routes])
        # The quartile, not the shortest: one cramped route must not make all cars thin.
        car = float(np.clip(0.27 * np.quantile(pitch, 0.25), *CAR_WIDTHS))
    return Sizes(car=car, gap=0.2 * car, city=0.85 * car, shortest=2.0 * car, longest=4.6 * car)


def _obstacles(routing: Routing, lanes: list[Lane]) -> Obstacles:
    """Cars and lines as rows of points, for the labels to avoid."""
    cars, lines = [np.empty((0, 2))], [np.empty((0, 2))]
    for lane in lanes:
        length = float(distances_along(lane.line)[-1])
        lines.append(points_at(lane.line, np.linspace(0, length, max(2, int(length / 3)))))
        for x, y, angle, car_length in lane.cars:
            along = np.linspace(-car_length / 2, car_length / 2, 5) * 0.85
            cars.append(np.column_stack([x + along * np.cos(angle), y + along * np.sin(angle)]))
    sizes = routing.sizes
    return Obstacles(
        np.concatenate(cars), sizes.car / 2, np.concatenate(lines), routing.places, sizes.city, routing.canvas
    )


def _wordings(city: City) -> list[Wording]:
    """Ways to write a name, in one line or two."""
    ways: list[tuple[str, ...]] = [(city.name,)]
    # A name is broken at the blank or hyphen nearest to its middle.
    breaks = [found.end() for found in re.finditer(r"[ -]", city.name)]
    if breaks and len(city.name) >= LONG_NAME:
        middle = min(breaks, key=lambda letter: abs(letter - len(city.name) / 2))
        if min(middle, len(city.name) - middle) >= SHORTEST_HALF:
            ways.append((city.name[:middle].strip(), city.name[middle:].strip()))
    wordings = []
    for lines in ways:
        width, height = max(text_width(line) for line in lines), LINE_HEIGHT * len(lines)
        if city.passengers:
            width, height = max(width, PAWN_STEP * city.passengers), height + PAWN_ROW
        wordings.append(Wording(lines, width / 2 + 1, height / 2))
    return wordings


@cache
def text_width(text: str) -> float:
    """Width in points, as matplotlib's own font sets it."""
    return float(TextPath((0, 0), text or " ", size=FONT_SIZE, prop=FontProperties("DejaVu Sans")).get_extents().x1)
