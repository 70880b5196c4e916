"""Place the names of cities next to them, clear of cars, of cities and of each other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ttr_sim.report.board.routing import Points

ANGLES = 16
REACHES = (0.0, 5.0, 12.0, 22.0, 36.0)  # points beyond touching the city
ROUNDS = 4
# Ratios decide. A name over a city, a car or another name cannot be read, so these weigh most; over a bare line it can.
# A leader may cross a car, a name that could belong to two cities is worse the longer the doubt, and among free spots
# the nearest level one in a single line wins: those weights only break ties.
CAR_COST, CITY_COST, LINE_COST, LABEL_COST, LEADER_COST, EDGE_COST = 6.0, 8.0, 0.4, 6.0, 2.0, 4.0
DOUBT_COST, DOUBT_MARGIN = 0.25, 6.0  # of a label no nearer to its own city than to another
FAR_COST, SPLIT_COST, SLANT_COST = 0.045, 0.25, 0.25
LINE_RADIUS = 1.0
SIGHT = 190.0  # points around a city within which its label stays
RIM = 5.0  # points kept free at the rim of the canvas


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
class Wording:
    """One way to write a name, with half its size in points."""

    lines: tuple[str, ...]
    half_width: float
    half_height: float


@dataclass(frozen=True)
class Obstacles:
    """Discs that labels avoid: of cars, lines and cities."""

    cars: Points  # several along each car
    car_radius: float
    lines: Points
    cities: Points
    city_radius: float
    room: Points  # width and height of the canvas

    def near(self, city: Points) -> Obstacles:
        """Keep only the obstacles within reach of a city's label."""
        return replace(
            self,
            cars=self.cars[np.hypot(*(self.cars - city).T) < SIGHT],
            lines=self.lines[np.hypot(*(self.lines - city).T) < SIGHT],
            cities=self.cities[np.hypot(*(self.cities - city).T) < SIGHT],
        )


def place_labels(wordings: list[list[Wording]], obstacles: Obstacles) -> list[Label]:
    """Choose a place for each city's name, given the others."""
    cities = obstacles.cities
    choices = [_choices(ways, city, obstacles) for ways, city in zip(wordings, cities, strict=True)]
    fixed = []
    for (boxes, ways), city in zip(choices, cities, strict=True):
        fixed.append(_fixed_cost(boxes, ways, city, obstacles.near(city)))
    picks = [int(np.argmin(cost)) for cost in fixed]
    chosen = np.array([boxes[pick] for (boxes, _), pick in zip(choices, picks, strict=True)])
    # Each label moves with the others where they are: a few rounds settle nearly all.
    for _ in range(ROUNDS):
        before = list(picks)
        for city, ((boxes, _), cost) in enumerate(zip(choices, fixed, strict=True)):
            others = np.delete(chosen, city, axis=0)
            leaders = np.delete(_leaders(chosen, cities), city, axis=0)
            clash = _overlap(boxes, others) + _overlap(boxes, leaders)
            clash += _overlap(_leaders(boxes, cities[city]), others)
            picks[city] = int(np.argmin(cost + LABEL_COST * clash))
            chosen[city] = boxes[picks[city]]
        if picks == before:
            break
    labels = []
    for (boxes, ways), pick in zip(choices, picks, strict=True):
        x, y, half_width, half_height = (float(value) for value in boxes[pick])
        reach = REACHES[pick // ANGLES % len(REACHES)]
        labels.append(Label(ways[pick].lines, x, y, half_width, half_height, far=reach > REACHES[1]))
    return labels


def _choices(ways: list[Wording], city: Points, obstacles: Obstacles) -> tuple[Points, list[Wording]]:
    """List boxes (center, half size) around a city, with their wordings."""
    boxes, wordings = [], []
    turns = np.arange(ANGLES) * 2 * np.pi / ANGLES
    for way in ways:
        for reach in REACHES:
            radius = obstacles.city_radius + 1.5 + reach
            for across, down in zip(np.cos(turns), np.sin(turns), strict=True):
                # The box touches the circle around the city in this direction.
                x = city[0] + across * radius + np.clip(across * 1.6, -1, 1) * way.half_width
                y = city[1] + down * radius + np.clip(down * 1.6, -1, 1) * way.half_height
                boxes.append((float(x), float(y), way.half_width, way.half_height))
                wordings.append(way)
    return np.array(boxes), wordings


def _fixed_cost(boxes: Points, ways: list[Wording], city: Points, obstacles: Obstacles) -> Points:
    """Weigh everything but the other labels."""
    cost = CAR_COST * _intrusion(boxes, obstacles.cars, obstacles.car_radius)
    cost += CITY_COST * _intrusion(boxes, obstacles.cities, obstacles.city_radius)
    cost += LINE_COST * _intrusion(boxes, obstacles.lines, LINE_RADIUS)
    outside = np.clip(RIM + boxes[:, 2:] - boxes[:, :2], 0, None)
    outside += np.clip(RIM + boxes[:, :2] + boxes[:, 2:] - obstacles.room, 0, None)
    cost += EDGE_COST * outside.sum(axis=1)
    cost += LEADER_COST * _leader_intrusion(boxes, city, obstacles)
    cost += DOUBT_COST * _doubt(boxes, city, obstacles.cities)
    per_way = ANGLES * len(REACHES)
    reach = np.tile(np.repeat(REACHES, ANGLES), len(boxes) // per_way)
    slant = np.tile(np.abs(np.sin(np.arange(ANGLES) * 2 * np.pi / ANGLES)), len(boxes) // ANGLES)
    lines = np.array([len(way.lines) - 1 for way in ways])
    total: Points = cost + FAR_COST * reach + SLANT_COST * slant + SPLIT_COST * lines
    return total


def _leaders(boxes: Points, cities: Points) -> Points:
    """Boxes around the way from each city to its label."""
    near = np.clip(cities, boxes[:, :2] - boxes[:, 2:], boxes[:, :2] + boxes[:, 2:])
    return np.concatenate([(near + cities) / 2, np.abs(near - cities) / 2], axis=1)


def _intrusion(boxes: Points, points: Points, radius: float) -> Points:
    """Sum how far, in radii, discs reach into each box."""
    squares = np.zeros((len(boxes), len(points)))
    for axis in (0, 1):  # one after the other: numbers that lie side by side are twice as fast
        gap = np.abs(points[:, axis] - boxes[:, None, axis]) - boxes[:, None, 2 + axis]
        squares += np.maximum(gap, 0) ** 2
    depth = np.maximum(radius + 1.0 - np.sqrt(squares), 0) / radius
    total: Points = depth.sum(axis=1)
    return total


def _leader_intrusion(boxes: Points, city: Points, obstacles: Obstacles) -> Points:
    """Count the cars that the leader of each box crosses."""
    near = np.clip(city, boxes[:, :2] - boxes[:, 2:], boxes[:, :2] + boxes[:, 2:])
    crossed = np.zeros(len(boxes))
    cars = obstacles.cars[np.hypot(*(obstacles.cars - city).T) < obstacles.city_radius + REACHES[-1] + 9]
    for share in np.linspace(0.3, 1.0, 8):
        gap = np.hypot(*np.moveaxis((city + share * (near - city))[:, None] - cars, -1, 0))
        crossed += np.clip(obstacles.car_radius - gap, 0, None).sum(axis=1) / obstacles.car_radius
    return crossed


def _doubt(boxes: Points, city: Points, cities: Points) -> Points:
    """Points by which another city is about as near to a label."""
    near = np.clip(cities, (boxes[:, :2] - boxes[:, 2:])[:, None], (boxes[:, :2] + boxes[:, 2:])[:, None])
    away = np.hypot(*np.moveaxis(near - cities, -1, 0))
    own = int(np.argmin(np.hypot(*(cities - city).T)))
    others = np.delete(away, own, axis=1).min(axis=1, initial=np.inf)
    doubt: Points = np.clip(away[:, own] + DOUBT_MARGIN - others, 0, None)
    return doubt


def _overlap(boxes: Points, others: Points) -> Points:
    """Sum the overlap of each box with others, in points."""
    reach = boxes[:, None, 2:] + others[None, :, 2:] + 1.0
    depth = np.clip(reach - np.abs(boxes[:, None, :2] - others[None, :, :2]), 0, None)
    total: Points = depth.min(axis=2).sum(axis=1)
    return total
