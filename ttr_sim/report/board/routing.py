"""Bend each connection clear of other cities and connections.

A connection is all parallel routes between two cities, drawn as one ribbon. Starting from straight lines, each in turn
takes the pair of leaving angles with the least cost, until none moves anymore. Ribbons are then cut into the lanes of
their routes, and lanes into cars.

    leaving angles (a, b), in radians off the straight line:
    equal ones give a bow, opposite ones an S
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ttr_sim.edition.model import Route

Points = npt.NDArray[np.float64]

SAMPLES = 15  # points at which a ribbon is compared with others
FINE, DRAWN = 81, 13  # points of a line that is cut into cars, and of one that is drawn
ROUNDS = 8
STEEPEST = 1.15
# Pairs of angles to try: over the whole range without the strongest S, and around the present ones.
COARSE, NEAR = (
    np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    for steps in (np.linspace(-STEEPEST, STEEPEST, 13), np.linspace(-0.12, 0.12, 5))
)
COARSE = COARSE[np.abs(COARSE[:, 0] - COARSE[:, 1]) < STEEPEST]
# Only the ratios of these weights matter. A straight line is free; an arc looks calmer than an S, so a twist costs more
# than a bow. Cities and the edge weigh most: nobody can read what they cover. Another ribbon may be grazed where there
# is no other way. Squeeze keeps cars from shrinking below their shortest. tests/report/test_board.py measures the
# result on all maps.
BOW_COST, TWIST_COST = 5.0, 9.0
CHORD_COST, CUSP_COST = 45.0, 160.0  # of a straight car on a bend, of lanes crowding on its inner side
CITY_COST, RIBBON_COST, EDGE_COST, SQUEEZE_COST = 9.0, 2.0, 9.0, 30.0


@dataclass(frozen=True)
class Sizes:
    """Sizes of the drawing's parts, in points."""

    car: float  # width of a car
    gap: float  # between parallel cars, and kept between things
    city: float  # radius
    shortest: float  # a car is no shorter, if it can be helped
    longest: float


@dataclass(frozen=True)
class Lane:
    """One route: its line from city to city, and its cars."""

    line: Points
    cars: Points  # x, y, angle and length of each


def distances_along(line: Points) -> Points:
    return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])


def points_at(line: Points, distances: Points) -> Points:
    along = distances_along(line)
    return np.stack([np.interp(distances, along, line[:, 0]), np.interp(distances, along, line[:, 1])], axis=1)


def shifted(line: Points, offset: float | Points) -> Points:
    """Move the polyline sideways, everywhere alike or by one distance per point."""
    direction = np.gradient(line, axis=0)
    direction /= np.maximum(np.hypot(direction[:, 0], direction[:, 1]), 1e-9)[:, None]
    moved: Points = line + np.reshape(offset, (-1, 1)) * np.stack([-direction[:, 1], direction[:, 0]], axis=1)
    return moved


class Routing:
    """The ribbons of all connections."""

    def __init__(self, routes: Sequence[Route], places: Points, canvas: Points, sizes: Sizes) -> None:
        self.places, self.canvas, self.sizes = places, canvas, sizes
        self.lengths = [route.length for route in routes]
        groups: dict[int, list[int]] = {}
        for number, route in enumerate(routes):
            groups.setdefault(route.group, []).append(number)
        self.ribbons = [numbers for _, numbers in sorted(groups.items())]  # routes of each
        self.ends = np.array([(routes[first].a, routes[first].b) for first, *_ in self.ribbons]).reshape(-1, 2)
        self.spaces = np.array([max(self.lengths[number] for number in numbers) for numbers in self.ribbons])
        lanes = np.array([len(numbers) for numbers in self.ribbons], dtype=float)
        self.half_widths = (lanes * sizes.car + (lanes - 1) * sizes.gap) / 2
        self.angles: Points = np.zeros((len(self.ribbons), 2))

    def bend(self) -> None:
        if not self.ribbons:
            return
        lines = np.stack([self._curve(index, self.angles[index], SAMPLES) for index in range(len(self.ribbons))])
        # Long ones first: they have the most to cross, and short ones bend around them.
        order = np.argsort(-np.hypot(*(lines[:, -1] - lines[:, 0]).T), kind="stable")
        for _ in range(ROUNDS):
            any_moved = False
            for index in map(int, order):
                now = self.angles[index]
                tries = np.concatenate([now[None], COARSE, np.clip(now + NEAR, -STEEPEST, STEEPEST)])
                curves = self._curve(index, tries, SAMPLES)
                cost = self._cost(lines, index, tries, curves)
                best = int(np.argmin(cost))
                # A tie keeps the present angles, or two connections could make way for each other forever.
                if cost[best] < cost[0] - 1e-6:
                    any_moved = True
                    self.angles[index], lines[index] = tries[best], curves[best]
            if not any_moved:
                return

    def _curve(self, index: int, angles: Points, count: int) -> Points:
        """Sample cubic curves (..., count, 2) for leaving angles (..., 2)."""
        start, end = self.places[self.ends[index]]
        chord = end - start
        normal = np.array([-chord[1], chord[0]])
        leave, arrive = angles[..., 0, None], angles[..., 1, None]
        # The handles' lengths make a bow nearly a circle's arc: a third of the chord, more the steeper it leaves.
        first = start + (np.cos(leave) * chord + np.sin(leave) * normal) / (3 * np.cos(leave / 2) ** 2)
        last = end + (-np.cos(arrive) * chord + np.sin(arrive) * normal) / (3 * np.cos(arrive / 2) ** 2)
        handles = [np.broadcast_to(start, first.shape), first, last, np.broadcast_to(end, first.shape)]
        t = np.linspace(0, 1, count)[:, None]
        weights = np.concatenate([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], axis=1)
        points: Points = np.einsum("sk,...kd->...sd", weights, np.stack(handles, axis=-2))
        return points

    def _cost(self, lines: Points, index: int, tries: Points, curves: Points) -> Points:
        """Weigh the curves that a connection could take."""
        sizes, inner, half_width = self.sizes, curves[:, 1:-1], self.half_widths[index]
        # A stiff ribbon, wide or of few cars, looks worst when it is bent.
        bow, twist = tries.sum(axis=1) / 2, tries[:, 0] - tries[:, 1]
        start, end = self.places[self.ends[index]]
        stiffness = CHORD_COST / self.spaces[index] ** 2 + CUSP_COST * (half_width / np.hypot(*(start - end))) ** 2
        cost = BOW_COST * bow**2 + TWIST_COST * twist**2 + stiffness * np.abs(tries).max(axis=1) ** 2

        reach = half_width + self.half_widths + 1.5 * sizes.gap
        free = np.ones(lines.shape[:2], dtype=bool)  # samples of other ribbons to keep clear of
        free[:, [0, -1]] = False  # ends lie in cities, which have a cost of their own
        free[index] = False
        for city in self.ends[index]:  # where two ribbons meet they must touch
            meets = (self.ends == city).any(axis=1)
            away = np.hypot(*np.moveaxis(lines[meets] - self.places[city], -1, 0))
            free[meets] &= away > reach[meets, None]
        others = np.delete(self.places, self.ends[index], axis=0)
        for weight, points, clear in (
            (CITY_COST, others, np.full(len(others), half_width + sizes.city + 1.5 * sizes.gap)),
            (RIBBON_COST, lines[free], np.broadcast_to(reach[:, None], free.shape)[free]),
        ):
            # Most things lie elsewhere on the canvas; leaving them out makes the search ten times as fast.
            low, high = inner.min(axis=(0, 1)), inner.max(axis=(0, 1))
            near = np.all((points > low - clear[:, None]) & (points < high + clear[:, None]), axis=1)
            gap = inner[:, :, None] - points[near]
            depth = np.maximum(clear[near] - np.hypot(gap[..., 0], gap[..., 1]), 0) / sizes.car
            cost += weight * (depth**2).sum(axis=(1, 2))

        # Near the rim of the canvas a ribbon would be cut off, on a short way its cars would be too short.
        rim = half_width + sizes.gap
        outside = np.maximum(rim - inner, 0) + np.maximum(inner + rim - self.canvas, 0)
        cost += EDGE_COST * ((outside / sizes.car) ** 2).sum(axis=(1, 2))
        length = np.hypot(*np.moveaxis(np.diff(curves, axis=1), -1, 0)).sum(axis=1)
        needed = 2 * sizes.city + self.spaces[index] * (sizes.shortest + sizes.gap)
        total: Points = cost + SQUEEZE_COST * np.maximum(needed / length - 1, 0)
        return total

    def lanes(self) -> list[Lane]:
        """Cut the connections into a lane for each route, and lanes into cars."""
        sizes = self.sizes
        lines = [self._curve(index, self.angles[index], FINE) for index in range(len(self.ribbons))]
        lanes: dict[int, Lane] = {}
        for routes, line, trim in zip(self.ribbons, lines, self._trims(lines), strict=True):
            along = distances_along(line)
            for place, route in enumerate(routes):
                sideways = (place - (len(routes) - 1) / 2) * (sizes.car + sizes.gap)
                lane, count = shifted(line, sideways), self.lengths[route]
                # Where there is no room at all, cars are drawn over the cities: a draft may be that crowded.
                usable = max(distances_along(lane)[-1] - trim.sum(), count * (sizes.gap + 1.0))
                pitch = min(usable / count, sizes.longest + sizes.gap)
                edges = trim[0] + (usable - pitch * count) / 2 + pitch * np.arange(count + 1.0)
                start, end = points_at(lane, edges[:-1] + sizes.gap / 2), points_at(lane, edges[1:] - sizes.gap / 2)
                across, down = (end - start).T
                cars = np.column_stack([(start + end) / 2, np.arctan2(down, across), np.hypot(across, down)])
                # From city to city through the cars, easing out to the lane's side and back.
                to_first = float(np.hypot(*(cars[0, :2] - line[0]))) - cars[0, 3] / 2
                to_last = float(np.hypot(*(cars[-1, :2] - line[-1]))) - cars[-1, 3] / 2
                share = np.minimum(along / max(to_first, 1.0), (along[-1] - along) / max(to_last, 1.0)).clip(0, 1)
                eased = shifted(line, sideways * share**2 * (3 - 2 * share))
                lanes[route] = Lane(points_at(eased, np.linspace(0, 1, DRAWN) * along[-1]), cars)
        return [lanes[route] for route in range(len(self.lengths))]

    def _trims(self, lines: list[Points]) -> Points:
        """Length without cars at both ends, more where neighbors fan out."""
        sizes = self.sizes
        base = sizes.city + sizes.gap
        trims = np.full((len(lines), 2), base)
        along = [distances_along(line) for line in lines]
        wholes = np.array([distances[-1] for distances in along])
        spare = np.maximum(wholes - 2 * base - self.spaces * (sizes.shortest + sizes.gap), 0.0)
        # Ribbons with room to spare are trimmed first, so that short ones keep their length.
        for index in np.argsort(-spare):
            for end in (0, 1):
                line = lines[index] if end == 0 else lines[index][::-1]
                half = line[: FINE // 2]
                intrudes = np.zeros(len(half), dtype=bool)
                for rival in np.flatnonzero((self.ends == self.ends[index, end]).any(axis=1)):
                    if rival != index:
                        is_kept = (along[rival] >= trims[rival, 0]) & (along[rival] <= wholes[rival] - trims[rival, 1])
                        reach = self.half_widths[index] + self.half_widths[rival] + sizes.gap
                        gap = half[:, None] - lines[rival][is_kept]
                        intrudes |= (np.hypot(gap[..., 0], gap[..., 1]) < reach).any(axis=1)
                if intrudes.any():
                    clear = distances_along(half)[np.flatnonzero(intrudes)[-1]] + sizes.gap
                    trims[index, end] = base + min(max(clear - base, 0.0), spare[index] / 2)
        return trims
