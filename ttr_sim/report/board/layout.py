"""Where everything on a board stands: canvas, cities, lanes with their cars, labels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from ttr_sim.edition.model import City, Edition, Route
from ttr_sim.report.board.bends import Sheet, Sizes, bend, connections_of
from ttr_sim.report.board.curves import Points, at, lengths
from ttr_sim.report.board.kept import kept
from ttr_sim.report.board.labels import Label, Obstacles, Wording, place_labels
from ttr_sim.report.board.lanes import Lane, cut_lanes
from ttr_sim.report.board.places import Canvas, place_cities

FONT_SIZE = 10.0
LINE_HEIGHT = 11.5
PAWN_ROW = 9.0  # height of the row of passengers under a name
PAWN_STEP = 6.0
LONG_NAME, SHORTEST_HALF = 9, 4  # letters from which a name may be broken in two, and left on a line
CAR_WIDTHS = (7.0, 12.0)
MOST_KEPT = 4


@dataclass(frozen=True)
class Layout:
    canvas: Canvas
    sizes: Sizes
    places: Points
    lanes: list[Lane]
    labels: list[Label]


_layouts: dict[tuple[tuple[City, ...], tuple[Route, ...]], Layout] = {}


def lay_out(edition: Edition) -> Layout:
    """Return the layout of a map, which is kept here and for the next command."""
    key = edition.cities, edition.routes
    layout = _layouts.get(key) or kept(key, partial(_lay_out, edition))
    while key not in _layouts and len(_layouts) >= MOST_KEPT:
        _layouts.pop(next(iter(_layouts)))
    _layouts[key] = layout
    return layout


def _lay_out(edition: Edition) -> Layout:
    """Bend the routes, write the names into what is free, and bend once more around the names."""
    canvas, places = place_cities(edition)
    sizes = _sizes(edition, places)
    connections = connections_of(edition, sizes)
    sheet = Sheet(canvas, sizes, places, connections, np.zeros((len(connections), 2)), np.empty((0, 4)))
    bend(sheet)
    wordings = [_wordings(city) for city in edition.cities]
    labels = place_labels(wordings, _obstacles(sheet, cut_lanes(edition, sheet)))
    sheet.boxes = np.array([(label.x, label.y, label.half_width, label.half_height) for label in labels])
    bend(sheet)
    lanes = cut_lanes(edition, sheet)
    return Layout(canvas, sizes, places, lanes, place_labels(wordings, _obstacles(sheet, lanes)))


def _sizes(edition: Edition, places: Points) -> Sizes:
    """Make cars as wide as the tighter routes of the map allow."""
    if not edition.routes:
        return _sizes_of(CAR_WIDTHS[1])
    a, b = np.array([(route.a, route.b) for route in edition.routes]).T
    pitch = np.hypot(*(places[a] - places[b]).T) / np.array([route.length for route in edition.routes])
    return _sizes_of(float(np.clip(0.27 * np.quantile(pitch, 0.25), *CAR_WIDTHS)))


def _sizes_of(car: float) -> Sizes:
    return Sizes(car=car, gap=0.2 * car, city=0.85 * car, shortest=2.0 * car, longest=4.6 * car)


def _obstacles(sheet: Sheet, lanes: list[Lane]) -> Obstacles:
    sizes = sheet.sizes
    room = np.array([sheet.canvas.width, sheet.canvas.height])
    points = [_points_of(car) for lane in lanes for car in lane.cars]
    cars = np.concatenate(points) if points else np.empty((0, 2))
    lines = np.concatenate([_evenly(lane.line) for lane in lanes]) if lanes else np.empty((0, 2))
    return Obstacles(cars, sizes.car / 2, lines, sheet.places, sizes.city, room)


def _evenly(line: Points) -> Points:
    length = float(lengths(line)[-1])
    return at(line, np.linspace(0, length, max(2, int(length / 3))))


def _points_of(car: Points) -> Points:
    x, y, angle, length = car
    along = np.linspace(-length / 2, length / 2, 5) * 0.85
    return np.column_stack([x + along * np.cos(angle), y + along * np.sin(angle)])


def _wordings(city: City) -> list[Wording]:
    """Write the name in one line and, when it is long, in two; a row of passengers below."""
    ways: list[tuple[str, ...]] = [(city.name,)]
    if len(city.name) >= LONG_NAME:
        ways += _halves(city.name)
    return [_wording(way, city.passengers) for way in ways]


def _halves(name: str) -> list[tuple[str, ...]]:
    """Break the name after the blank or hyphen nearest to its middle."""
    breaks = [found.end() for found in re.finditer(r"[ -]", name)]
    if not breaks:
        return []
    middle = min(breaks, key=lambda letter: abs(letter - len(name) / 2))
    if min(middle, len(name) - middle) < SHORTEST_HALF:
        return []
    return [(name[:middle].strip(), name[middle:].strip())]


def _wording(lines: tuple[str, ...], passengers: int) -> Wording:
    width = max(text_width(line) for line in lines)
    height = LINE_HEIGHT * len(lines)
    if passengers:
        width, height = max(width, PAWN_STEP * passengers), height + PAWN_ROW
    return Wording(lines, width / 2 + 1, height / 2)


@cache
def text_width(text: str) -> float:
    """Return the width in points, as matplotlib's own font sets it."""
    return float(TextPath((0, 0), text or " ", size=FONT_SIZE, prop=FontProperties("DejaVu Sans")).get_extents().x1)
