"""Cities on the canvas: a designer's coordinates, scaled, and set apart where they (nearly) coincide."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ttr_sim.edition.model import Edition

Points = npt.NDArray[np.float64]

AREA = 560_000.0  # square points for the cities' own box
ASPECTS = (0.55, 1.9)  # narrowest and widest width : height
MARGIN = (62.0, 34.0)  # points kept free on the left and right, above and below, for labels
APART = 0.04  # cities come no nearer than this share of the box's diagonal
SPREAD_ROUNDS = 200
GOLDEN_ANGLE = 2.399963


@dataclass(frozen=True)
class Canvas:
    """The drawing area in points (1/72 inch), y downward as in cities.csv."""

    width: float
    height: float


def place_cities(edition: Edition) -> tuple[Canvas, Points]:
    """Return the canvas and a point for each city."""
    raw = np.array([(city.x, city.y) for city in edition.cities], dtype=np.float64)
    box, points = _fitted(raw)
    box, points = _fitted(_set_apart(points, APART * float(np.hypot(*box))))
    return Canvas(float(box[0] + 2 * MARGIN[0]), float(box[1] + 2 * MARGIN[1])), points + np.array(MARGIN)


def _fitted(points: Points) -> tuple[Points, Points]:
    """Return a box of the usual area and the points scaled into its middle."""
    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    box = _box(extent)
    ratios = box[extent > 0] / extent[extent > 0]
    scale = float(ratios.min()) if len(ratios) else 0.0
    return box, (points - low - extent / 2) * scale + box / 2


def _box(extent: Points) -> Points:
    """Return width and height of the cities' box: their own shape, kept from becoming a ribbon."""
    wide, high = float(extent[0]), float(extent[1])
    aspect = wide / high if high > 0 else (ASPECTS[1] if wide > 0 else 1.0)
    aspect = min(max(aspect, ASPECTS[0]), ASPECTS[1])
    return np.array([np.sqrt(AREA * aspect), np.sqrt(AREA / aspect)])


def _set_apart(points: Points, distance: float) -> Points:
    """Push cities that stand on each other apart; the same input always gives the same drawing."""
    order = np.arange(len(points))
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
