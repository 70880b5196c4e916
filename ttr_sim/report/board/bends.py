"""Bend each connection so that it runs clear of other cities, of other connections and of labels.

A connection is all parallel routes between two cities, as one ribbon. Starting from straight lines,
each in turn takes the pair of leaving angles with the least cost, until none wants to move.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ttr_sim.edition.model import Edition
from ttr_sim.report.board.curves import Points, controls, sample
from ttr_sim.report.board.places import Canvas

SAMPLES = 15  # points at which a ribbon is compared with others
ROUNDS = 8
STEEPEST = 1.15  # radians off the straight line
# Only the ratios of these weights matter. A straight line is free; an arc looks calmer than an S, so a twist costs more
# than a bow. Cities and the edge weigh most: what covers them cannot be read. Another ribbon may be grazed where there
# is no other way, and a label yields first, since labels are placed again after the last bend. Squeeze keeps cars from
# shrinking below their shortest. tests/report/test_board.py measures what comes out on all maps.
BOW_COST, TWIST_COST = 5.0, 9.0
CHORD_COST, CUSP_COST = 45.0, 160.0  # of a straight car on a bend, of lanes crowding on its inner side
CITY_COST, RIBBON_COST, LABEL_COST, EDGE_COST, SQUEEZE_COST = 9.0, 2.0, 1.2, 9.0, 30.0


@dataclass(frozen=True)
class Ribbon:
    """Parallel routes between two cities as one ribbon; widths in points."""

    a: int
    b: int
    routes: tuple[int, ...]
    spaces: int
    half_width: float


@dataclass(frozen=True)
class Sizes:
    """What the drawing is made of, in points."""

    car: float  # width of a car
    gap: float  # between parallel cars, and kept between things
    city: float  # radius
    shortest: float  # a car is no shorter, if it can be helped
    longest: float


@dataclass
class Sheet:
    """What stands on the canvas while connections look for their way."""

    canvas: Canvas
    sizes: Sizes
    places: Points
    connections: list[Ribbon]
    angles: Points  # (connections, 2)
    boxes: Points  # labels: (n, 4) center and half size

    @cached_property
    def half_widths(self) -> Points:
        return np.array([connection.half_width for connection in self.connections])


def connections_of(edition: Edition, sizes: Sizes) -> list[Ribbon]:
    """Return one connection per group, in the order of the groups."""
    members: dict[int, list[int]] = {}
    for number, route in enumerate(edition.routes):
        members.setdefault(route.group, []).append(number)
    return [_connection(edition, tuple(numbers), sizes) for _, numbers in sorted(members.items())]


def _connection(edition: Edition, numbers: tuple[int, ...], sizes: Sizes) -> Ribbon:
    first = edition.routes[numbers[0]]
    width = len(numbers) * sizes.car + (len(numbers) - 1) * sizes.gap
    return Ribbon(first.a, first.b, numbers, max(edition.routes[n].length for n in numbers), width / 2)


def bend(sheet: Sheet) -> None:
    """Set the angles of all connections, longest first, until nothing moves."""
    if not sheet.connections:
        return
    lines = np.stack([_line(sheet, index) for index in range(len(sheet.connections))])
    # Long ones first: they have the most to cross, and short ones bend around them.
    order = sorted(range(len(lines)), key=lambda i: -float(np.hypot(*(lines[i][-1] - lines[i][0]))))
    for turn in range(ROUNDS):
        moved = [_improve(sheet, lines, index, turn) for index in order]
        if not any(moved):
            return


def _line(sheet: Sheet, index: int) -> Points:
    connection = sheet.connections[index]
    handles = controls(sheet.places[connection.a], sheet.places[connection.b], sheet.angles[index])
    return sample(handles, SAMPLES)


def _improve(sheet: Sheet, lines: Points, index: int, turn: int) -> bool:
    tries = _tries(sheet.angles[index], turn)
    connection = sheet.connections[index]
    handles = controls(sheet.places[connection.a], sheet.places[connection.b], tries)
    curves = sample(handles, SAMPLES)
    cost = _cost(sheet, lines, index, tries, curves)
    best = int(np.argmin(cost))
    # A tie keeps the present angles, or two connections could make way for each other forever.
    moved = bool(cost[best] < cost[0] - 1e-6)
    if moved:
        sheet.angles[index] = tries[best]
        lines[index] = curves[best]
    return moved


def _tries(now: Points, turn: int) -> Points:
    """Return the present angles first, then some all over the range (early) or around them (later)."""
    if turn % 3 == 0:
        steps = np.linspace(-STEEPEST, STEEPEST, 13)
        grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        grid = grid[np.abs(grid[:, 0] - grid[:, 1]) < STEEPEST]  # no stronger S
    else:
        steps = np.linspace(-1, 1, 7) * (0.18 if turn % 3 == 1 else 0.06)
        grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) + now
    return np.concatenate([now[None], np.clip(grid, -STEEPEST, STEEPEST)])


def _cost(sheet: Sheet, lines: Points, index: int, tries: Points, curves: Points) -> Points:
    connection, sizes = sheet.connections[index], sheet.sizes
    inner = curves[:, 1:-1]
    bow, twist = tries.sum(axis=1) / 2, tries[:, 0] - tries[:, 1]
    cost = BOW_COST * bow**2 + TWIST_COST * twist**2 + _stiffness(sheet, connection) * np.abs(tries).max(axis=1) ** 2
    cost += CITY_COST * _city_overlap(sheet, connection, inner)
    cost += RIBBON_COST * _ribbon_overlap(sheet, lines, index, inner)
    cost += LABEL_COST * _box_overlap(sheet, connection, inner)
    cost += EDGE_COST * _outside(sheet, connection, inner)
    length = np.hypot(*np.moveaxis(np.diff(curves, axis=1), -1, 0)).sum(axis=1)
    needed = 2 * sizes.city + connection.spaces * (sizes.shortest + sizes.gap)
    squeeze: Points = np.maximum(needed / length - 1, 0)
    total: Points = cost + SQUEEZE_COST * squeeze
    return total


def _stiffness(sheet: Sheet, connection: Ribbon) -> float:
    """Return how badly a ribbon bends: wide ones of few cars worst."""
    width = connection.half_width / float(np.hypot(*(sheet.places[connection.a] - sheet.places[connection.b])))
    return CHORD_COST / connection.spaces**2 + CUSP_COST * float(width**2)


def _city_overlap(sheet: Sheet, connection: Ribbon, inner: Points) -> Points:
    clear = connection.half_width + sheet.sizes.city + 1.5 * sheet.sizes.gap
    others = _within_reach(sheet.places, inner, clear)
    others[[connection.a, connection.b]] = False
    return _depth(_distances(inner, sheet.places[others]), clear, sheet.sizes.car)


def _ribbon_overlap(sheet: Sheet, lines: Points, index: int, inner: Points) -> Points:
    connection, rivals = sheet.connections[index], sheet.connections
    reach = connection.half_width + sheet.half_widths + 1.5 * sheet.sizes.gap
    near = _within_reach(lines, inner, reach[:, None, None])
    near[:, [0, -1]] = False  # ends lie in cities, which have a cost of their own
    near[index] = False
    for rival in np.flatnonzero(near.any(axis=1)):
        shared = {rivals[rival].a, rivals[rival].b} & {connection.a, connection.b}
        for city in shared:  # where they meet they must touch
            near[rival] &= np.hypot(*(lines[rival] - sheet.places[city]).T) > reach[rival]
    clear = np.broadcast_to(reach[:, None], near.shape)[near]
    return _depth(_distances(inner, lines[near]), clear, sheet.sizes.car)


def _box_overlap(sheet: Sheet, connection: Ribbon, inner: Points) -> Points:
    if not len(sheet.boxes):
        return np.zeros(len(inner))
    clear = connection.half_width + sheet.sizes.gap
    boxes = sheet.boxes[_within_reach(sheet.boxes[:, :2], inner, sheet.boxes[:, 2:] + clear)]
    return _depth(_distances(inner, boxes[:, :2], boxes[:, 2:]), clear, sheet.sizes.car)


def _within_reach(points: Points, inner: Points, reach: float | Points) -> NDArray[np.bool_]:
    """Return which points any of the curves may come near: most lie elsewhere on the canvas."""
    x, y = inner[:, :, 0], inner[:, :, 1]
    low, high = np.array([x.min(), y.min()]), np.array([x.max(), y.max()])
    return np.asarray(np.all((points > low - reach) & (points < high + reach), axis=-1))


def _distances(inner: Points, points: Points, half: Points | None = None) -> Points:
    """Return how far each curve's samples are from points, or from boxes of that half size around them."""
    squares = []
    for axis in (0, 1):  # one after the other: numbers that lie side by side are twice as fast
        gap = inner[:, :, None, axis] - points[:, axis]
        squares.append(gap**2 if half is None else np.maximum(np.abs(gap) - half[:, axis], 0) ** 2)
    return np.sqrt(squares[0] + squares[1])


def _depth(distances: Points, clear: float | Points, unit: float) -> Points:
    """Sum the squared intrusions, in car widths, of each curve's samples into what it should keep clear of."""
    depth = np.maximum(clear - distances, 0) / unit
    total: Points = np.einsum("ijk,ijk->i", depth, depth)
    return total


def _outside(sheet: Sheet, connection: Ribbon, inner: Points) -> Points:
    room = np.array([sheet.canvas.width, sheet.canvas.height])
    rim = connection.half_width + sheet.sizes.gap
    over = np.maximum(rim - inner, 0) + np.maximum(inner + rim - room, 0)
    total: Points = ((over / sheet.sizes.car) ** 2).sum(axis=(1, 2))
    return total
