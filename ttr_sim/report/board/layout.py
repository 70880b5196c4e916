"""Position everything on a board: cities, lanes with their cars, and names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from ttr_sim.edition.model import City, Edition, Route
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

# Places tried for a label: directions from the city, each with points beyond touching it.
TURNS = np.arange(24) * 2 * np.pi / 24
DISTANCES = (0.0, 3.0, 7.0, 12.0, 18.0, 26.0, 36.0)
NEAR = 7.0  # points up to which a name needs no leader
DIRECTIONS = np.tile(np.column_stack([np.cos(TURNS), np.sin(TURNS)]), (len(DISTANCES), 1))
REACHES = np.repeat(DISTANCES, len(TURNS))
LABEL_ROUNDS = 4
# Ratios decide. A name over a city, a car or another name cannot be read, so these weigh most; over a bare line it can.
# A leader may cross a car, a name that could belong to two cities is worse the longer the doubt, and among free spots
# the nearest level one in a single line wins: those weights only break ties.
CAR_COST, CITY_COST, LINE_COST, LABEL_COST, LEADER_COST, EDGE_COST = 9.0, 8.0, 0.4, 6.0, 2.0, 4.0
DOUBT_COST, DOUBT_MARGIN = 0.25, 6.0  # of a label no nearer to its own city than to another
FAR_COST, SPLIT_COST, SLANT_COST = 0.045, 0.25, 0.25
LINE_RADIUS = 1.0
SIGHT = 190.0  # points around a city within which its label stays
RIM = 5.0  # points kept free at the rim of the canvas
BETWEEN = np.array([24.0, 2.0])  # points across and down between names, since the page sets names larger


@dataclass(frozen=True)
class Label:
    """Text in lines around its center, with half its size."""

    lines: tuple[str, ...]
    x: float
    y: float
    half_width: float
    half_height: float
    far: bool  # needs a leader to the city


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
    """Place cities, curve routes clear of them, then place names clear of both."""
    canvas, places = place_cities(cities)
    car = CAR_WIDTHS[1]
    if routes:
        a, b = np.array([(route.a, route.b) for route in routes]).T
        pitch = np.hypot(*(places[a] - places[b]).T) / np.array([route.length for route in routes])
        # The quartile, not the shortest: one cramped route must not make all cars thin.
        car = float(np.clip(0.27 * np.quantile(pitch, 0.25), *CAR_WIDTHS))
    sizes = Sizes(car=car, gap=0.2 * car, city=0.85 * car, shortest=2.0 * car, longest=4.6 * car)
    routing = Routing(routes, places, canvas, sizes)
    routing.bend()
    lanes = routing.lanes()
    names, boxes, costs = _spots_of_names(cities, routing, lanes)
    picks = [int(np.argmin(cost)) for cost in costs]
    chosen = np.array([box[pick] for box, pick in zip(boxes, picks, strict=True)])
    # Each label moves with the others where they are: a few rounds settle nearly all.
    for _ in range(LABEL_ROUNDS):
        before = list(picks)
        for own, (box, cost) in enumerate(zip(boxes, costs, strict=True)):
            others = np.delete(chosen, own, axis=0)
            leaders = np.delete(_leaders(chosen, places), own, axis=0)
            clash = _overlap(box, others) + _overlap(box, leaders) + _overlap(_leaders(box, places[own]), others)
            picks[own] = int(np.argmin(cost + LABEL_COST * clash))
            chosen[own] = box[picks[own]]
        if picks == before:
            break
    labels = []
    for ways, pick, (x, y, half_width, half_height) in zip(names, picks, chosen.tolist(), strict=True):
        way, spot = divmod(pick, len(REACHES))
        labels.append(Label(ways[way], x, y, half_width, half_height, bool(REACHES[spot] > NEAR)))
    return Layout(float(canvas[0]), float(canvas[1]), sizes, places, lanes, labels)


def place_cities(cities: Sequence[City]) -> tuple[Points, Points]:
    """Scale a designer's coordinates to a canvas, and separate close cities."""
    raw = np.array([(city.x, city.y) for city in cities], dtype=np.float64)
    box, points = _fitted(raw)
    distance = APART * float(np.hypot(*box))
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
    box, points = _fitted(points)
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


def _spots_of_names(
    cities: Sequence[City], routing: Routing, lanes: list[Lane]
) -> tuple[list[list[tuple[str, ...]]], list[Points], list[Points]]:
    """Ways to write each name, boxes around the city for each way, and their costs."""
    cars, lines = [np.empty((0, 2))], [np.empty((0, 2))]  # as rows of points, for labels to avoid
    for lane in lanes:
        length = float(distances_along(lane.line)[-1])
        lines.append(points_at(lane.line, np.linspace(0, length, max(2, int(length / 3)))))
        for x, y, angle, car_length in lane.cars:
            along = np.linspace(-car_length / 2, car_length / 2, 7) * 0.92
            cars.append(np.column_stack([x + along * np.cos(angle), y + along * np.sin(angle)]))
    all_cars, all_lines = np.concatenate(cars), np.concatenate(lines)
    names, spots, costs = [], [], []
    for city, place in zip(cities, routing.places, strict=True):
        ways: list[tuple[str, ...]] = [(city.name,)]
        # A long name may be broken at the blank or hyphen nearest to its middle.
        breaks = [found.end() for found in re.finditer(r"[ -]", city.name)]
        if breaks and len(city.name) >= LONG_NAME:
            middle = min(breaks, key=lambda letter: abs(letter - len(city.name) / 2))
            if min(middle, len(city.name) - middle) >= SHORTEST_HALF:
                ways.append((city.name[:middle].strip(), city.name[middle:].strip()))
        boxes = []
        for way in ways:
            width, height = max(text_width(line) for line in way), LINE_HEIGHT * len(way)
            if city.passengers:
                width, height = max(width, PAWN_STEP * city.passengers), height + PAWN_ROW
            half = np.array([width / 2 + 1, height / 2])
            # Each box touches the circle around the city in its direction.
            reach = (routing.sizes.city + 1.5 + REACHES)[:, None]
            centers = place + DIRECTIONS * reach + np.clip(DIRECTIONS * 1.6, -1, 1) * half
            boxes.append(np.concatenate([centers, np.tile(half, (len(centers), 1))], axis=1))
        near_cars, near_lines = (points[np.hypot(*(points - place).T) < SIGHT] for points in (all_cars, all_lines))
        cost = _fixed_cost(np.concatenate(boxes), place, near_cars, near_lines, routing)
        cost += np.tile(FAR_COST * REACHES + SLANT_COST * np.abs(DIRECTIONS[:, 1]), len(ways))
        cost += SPLIT_COST * np.repeat(range(len(ways)), len(REACHES))
        names.append(ways)
        spots.append(np.concatenate(boxes))
        costs.append(cost)
    return names, spots, costs


def _fixed_cost(boxes: Points, city: Points, cars: Points, lines: Points, routing: Routing) -> Points:
    """Weigh everything but the other labels."""
    car_radius, city_radius, cities = routing.sizes.car / 2, routing.sizes.city, routing.places
    cost = np.zeros(len(boxes))
    for weight, points, radius in (
        (CAR_COST, cars, car_radius),
        (CITY_COST, cities, city_radius),
        (LINE_COST, lines, LINE_RADIUS),
    ):
        reach = np.maximum(radius + 1.0 - _distances(points, boxes), 0) / radius
        cost += weight * reach.sum(axis=0)
    outside = np.clip(RIM + boxes[:, 2:] - boxes[:, :2], 0, None)
    outside += np.clip(RIM + boxes[:, :2] + boxes[:, 2:] - routing.canvas, 0, None)
    cost += EDGE_COST * outside.sum(axis=1)

    # Cars that the leader of each box crosses.
    to_box = np.clip(city, boxes[:, :2] - boxes[:, 2:], boxes[:, :2] + boxes[:, 2:]) - city
    close = cars[np.hypot(*(cars - city).T) < city_radius + DISTANCES[-1] + 9]
    for share in np.linspace(0.3, 1.0, 8):
        gap = np.hypot(*np.moveaxis((city + share * to_box)[:, None] - close, -1, 0))
        cost += LEADER_COST * np.clip(car_radius - gap, 0, None).sum(axis=1) / car_radius

    # Points by which another city is about as near to a label.
    away = _distances(cities, boxes)
    own = int(np.argmin(np.hypot(*(cities - city).T)))
    others = np.delete(away, own, axis=0).min(axis=0, initial=np.inf)
    total: Points = cost + DOUBT_COST * np.clip(away[own] + DOUBT_MARGIN - others, 0, None)
    return total


def _distances(points: Points, boxes: Points) -> Points:
    squares = np.zeros((len(points), len(boxes)))
    for axis in (0, 1):  # one after the other: numbers that lie side by side are twice as fast
        gap = np.abs(points[:, axis, None] - boxes[:, axis]) - boxes[:, 2 + axis]
        squares += np.maximum(gap, 0) ** 2
    distances: Points = np.sqrt(squares)
    return distances


def _leaders(boxes: Points, cities: Points) -> Points:
    """Boxes around the way from each city to its label."""
    near = np.clip(cities, boxes[:, :2] - boxes[:, 2:], boxes[:, :2] + boxes[:, 2:])
    return np.concatenate([(near + cities) / 2, np.abs(near - cities) / 2], axis=1)


def _overlap(boxes: Points, others: Points) -> Points:
    """Sum the overlap of each box with others, in points."""
    reach = boxes[:, None, 2:] + others[None, :, 2:] + BETWEEN
    depth = np.clip(reach - np.abs(boxes[:, None, :2] - others[None, :, :2]), 0, None)
    total: Points = depth.min(axis=2).sum(axis=1)
    return total


@cache
def text_width(text: str) -> float:
    """Width in points, as matplotlib's own font sets it."""
    return float(TextPath((0, 0), text or " ", size=FONT_SIZE, prop=FontProperties("DejaVu Sans")).get_extents().x1)
