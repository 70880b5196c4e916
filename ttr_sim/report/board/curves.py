"""Cubic curves between two cities, given by the angles at which they leave the straight line."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]


def controls(start: Points, end: Points, angles: Points) -> Points:
    """Return control points (..., 4, 2) for leaving angles (..., 2); equal angles give an arc, opposite ones an S."""
    chord = end - start
    normal = np.array([-chord[1], chord[0]])
    leave, arrive = angles[..., 0, None], angles[..., 1, None]
    first = start + (np.cos(leave) * chord + np.sin(leave) * normal) / (3 * np.cos(leave / 2) ** 2)
    last = end + (-np.cos(arrive) * chord + np.sin(arrive) * normal) / (3 * np.cos(arrive / 2) ** 2)
    whole = np.broadcast_to(start, first.shape), first, last, np.broadcast_to(end, first.shape)
    return np.stack(whole, axis=-2)


def sample(handles: Points, count: int) -> Points:
    """Return `count` points along each curve, both ends included."""
    t = np.linspace(0, 1, count)[:, None]
    weights = np.concatenate([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], axis=1)
    points: Points = np.einsum("sk,...kd->...sd", weights, handles)
    return points


def shifted(line: Points, offset: float | Points) -> Points:
    """Move the polyline sideways, everywhere alike or by one distance per point."""
    direction = np.gradient(line, axis=0)
    direction /= np.maximum(np.hypot(direction[:, 0], direction[:, 1]), 1e-9)[:, None]
    moved: Points = line + np.reshape(offset, (-1, 1)) * np.stack([-direction[:, 1], direction[:, 0]], axis=1)
    return moved


def lengths(line: Points) -> Points:
    """Return the distance along the polyline at each of its points."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    return np.concatenate([[0.0], np.cumsum(steps)])


def at(line: Points, distances: Points) -> Points:
    """Return the points at given distances along the polyline."""
    along = lengths(line)
    return np.stack([np.interp(distances, along, line[:, 0]), np.interp(distances, along, line[:, 1])], axis=1)
