"""Do things on a board drawing overlap? Rectangles told by their corners, compared along their sides' normals."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from ttr_sim.report.board.layout import Label, Layout

Corners = npt.NDArray[np.float64]
SQUARE = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)], dtype=float) / 2


def overlap(first: Corners, second: Corners) -> float:
    """How far two convex shapes reach into each other; 0 when they are apart."""
    depth = np.inf
    for corners in (first, second):
        sides = np.roll(corners, -1, axis=0) - corners
        normals = np.stack([-sides[:, 1], sides[:, 0]], axis=1) / np.hypot(*sides.T)[:, None]
        for normal in normals:
            a, b = first @ normal, second @ normal
            depth = min(depth, min(a.max(), b.max()) - max(a.min(), b.min()))
    return max(depth, 0.0)


def car_corners(layout: Layout) -> list[Corners]:
    corners = []
    for x, y, angle, length in (car for lane in layout.lanes for car in lane.cars):
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        corners.append(SQUARE * (length, layout.sizes.car) @ turn + (x, y))
    return corners


def label_corners(label: Label) -> Corners:
    return SQUARE * (2 * label.half_width, 2 * label.half_height) + (label.x, label.y)


def worst_overlap(shapes: list[Corners], others: list[Corners] | None = None) -> float:
    """Among the shapes themselves, or between them and others."""
    pairs = combinations(shapes, 2) if others is None else ((a, b) for a in shapes for b in others)
    near = (pair for pair in pairs if np.abs(pair[0].mean(axis=0) - pair[1].mean(axis=0)).max() < 120)
    return max((overlap(*pair) for pair in near), default=0.0)
