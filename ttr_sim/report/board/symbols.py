"""Shapes printed on a board: cars, locomotives, carts and passengers, as paths in points."""

from __future__ import annotations

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from ttr_sim.report.board.curves import Points


def car_path(cars: Points, width: float, roundness: float) -> Path:
    """Return all cars of a route as one path of rounded rectangles; roundness 1 makes their ends half circles."""
    return Path.make_compound_path(*[_at(_rounded(car[3], width, roundness * width / 2), car) for car in cars])


def locomotive_path(cars: Points, size: float) -> Path:
    """Return a steam locomotive seen from the side, in the middle of each car."""
    body = _box(-0.5, -0.12, 0.34, 0.3)
    cab = _box(-0.5, -0.45, -0.2, -0.12)
    chimney = _box(0.12, -0.45, 0.27, -0.12)
    nose = Path([(0.34, 0.3), (0.55, 0.3), (0.34, 0.0), (0.34, 0.3)], _closed(4))
    return _stamp([body, cab, chimney, nose, _disc(-0.28, 0.33, 0.15), _disc(0.1, 0.33, 0.15)], cars, size)


def cart_path(cars: Points, size: float) -> Path:
    """Return a two-wheeled cart with its shaft, in the middle of each car."""
    box = Path([(-0.5, -0.42), (0.4, -0.42), (0.28, 0.08), (-0.38, 0.08), (-0.5, -0.42)], _closed(5))
    shaft = Path([(0.33, -0.16), (0.72, -0.34), (0.76, -0.25), (0.33, -0.04), (0.33, -0.16)], _closed(5))
    return _stamp([box, shaft, _disc(-0.25, 0.28, 0.15), _disc(0.15, 0.28, 0.15)], cars, size)


def pawn_path(x: float, y: float, count: int, step: float, size: float) -> Path:
    """Return a row of passengers around (x, y)."""
    body = Path([(-0.34, 0.5), (-0.1, -0.15), (0.1, -0.15), (0.34, 0.5), (-0.34, 0.5)], _closed(5))
    spots = np.array([(x + (number - (count - 1) / 2) * step, y, 0.0, 0.0) for number in range(count)])
    return _stamp([body, _disc(0.0, -0.27, 0.22)], spots, size)


def _stamp(parts: list[Path], spots: Points, size: float) -> Path:
    shape = Path.make_compound_path(*parts)
    return Path.make_compound_path(*[_at(_scaled(shape, size), _upright(spot)) for spot in spots])


def _upright(spot: Points) -> Points:
    """Turn a spot so that nothing stands on its head."""
    turned: Points = spot.copy()
    turned[2] = upright(float(spot[2]))
    return turned


def upright(angle: float) -> float:
    """Return the angle or its opposite, whichever reads from the left."""
    return float((angle + np.pi / 2) % np.pi - np.pi / 2)


def _at(path: Path, spot: Points) -> Path:
    return Affine2D().rotate(float(spot[2])).translate(float(spot[0]), float(spot[1])).transform_path(path)


def _scaled(path: Path, size: float) -> Path:
    return Affine2D().scale(size).transform_path(path)


def _rounded(length: float, width: float, radius: float) -> Path:
    x, y = length / 2, width / 2
    r = min(radius, x, y)
    outline = [(-x + r, -y), (x - r, -y), (x, -y), (x, -y + r), (x, y - r), (x, y), (x - r, y)]
    outline += [(-x + r, y), (-x, y), (-x, y - r), (-x, -y + r), (-x, -y), (-x + r, -y), (-x + r, -y)]
    line, arc = Path.LINETO, Path.CURVE3
    codes = [Path.MOVETO, line, arc, arc, line, arc, arc, line, arc, arc, line, arc, arc, Path.CLOSEPOLY]
    return Path(outline, codes)


def _box(left: float, top: float, right: float, bottom: float) -> Path:
    return Path([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], _closed(5))


def _disc(x: float, y: float, radius: float) -> Path:
    turns = np.linspace(0, 2 * np.pi, 11)
    return Path(np.column_stack([x + radius * np.cos(turns), y + radius * np.sin(turns)]), _closed(11))


def _closed(count: int) -> list[np.uint8]:
    return [Path.MOVETO, *[Path.LINETO] * (count - 2), Path.CLOSEPOLY]
