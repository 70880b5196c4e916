"""Cut bent connections into the lanes of their routes and the lanes into cars."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ttr_sim.edition.model import Edition
from ttr_sim.report.board.bends import Ribbon, Sheet
from ttr_sim.report.board.curves import Points, at, controls, lengths, sample, shifted

FINE, DRAWN = 81, 13  # points of a line that is cut, and of one that is drawn


@dataclass(frozen=True)
class Lane:
    """One route: its line from city to city, and x, y, angle and length of each of its cars."""

    line: Points
    cars: Points


def cut_lanes(edition: Edition, sheet: Sheet) -> list[Lane]:
    """Return a lane for each route, in the order of routes.csv."""
    lines = [_fine_line(sheet, index) for index in range(len(sheet.connections))]
    trims = _trims(sheet, lines)
    lanes: dict[int, Lane] = {}
    for connection, line, trim in zip(sheet.connections, lines, trims, strict=True):
        for number, route in enumerate(connection.routes):
            sideways = (number - (len(connection.routes) - 1) / 2) * (sheet.sizes.car + sheet.sizes.gap)
            lane = shifted(line, sideways)
            cars = _cars(lane, trim, edition.routes[route].length, sheet)
            lanes[route] = Lane(_gathered(line, sideways, cars), cars)
    return [lanes[route] for route in range(len(edition.routes))]


def _gathered(line: Points, sideways: float, cars: Points) -> Points:
    """Return the lane as a smooth line that leaves both cities at their middles and is aside where its cars are."""
    along = lengths(line)
    to_first = float(np.hypot(*(cars[0, :2] - line[0]))) - cars[0, 3] / 2
    to_last = float(np.hypot(*(cars[-1, :2] - line[-1]))) - cars[-1, 3] / 2
    share = np.minimum(along / max(to_first, 1.0), (along[-1] - along) / max(to_last, 1.0))
    share = np.clip(share, 0, 1)
    return at(shifted(line, sideways * share**2 * (3 - 2 * share)), np.linspace(0, 1, DRAWN) * along[-1])


def _fine_line(sheet: Sheet, index: int) -> Points:
    connection = sheet.connections[index]
    ends = sheet.places[connection.a], sheet.places[connection.b]
    return sample(controls(*ends, sheet.angles[index]), FINE)


def _trims(sheet: Sheet, lines: list[Points]) -> Points:
    """Return the length left free of cars at both ends: the city, and more where neighbors fan out of it."""
    base = sheet.sizes.city + sheet.sizes.gap
    trims = np.full((len(lines), 2), base)
    spare = np.array([_spare(sheet, *pair) for pair in zip(sheet.connections, lines, strict=True)])
    for index in np.argsort(-spare):
        for end in (0, 1):
            wished = _clear_from(sheet, lines, trims, int(index), end)
            trims[index, end] = base + min(max(wished - base, 0.0), spare[index] / 2)
    return trims


def _spare(sheet: Sheet, connection: Ribbon, line: Points) -> float:
    """Return the length the cars of a connection can do without."""
    sizes = sheet.sizes
    cars = connection.spaces * (sizes.shortest + sizes.gap)
    return max(0.0, float(lengths(line)[-1]) - 2 * (sizes.city + sizes.gap) - cars)


def _clear_from(sheet: Sheet, lines: list[Points], trims: Points, index: int, end: int) -> float:
    """Return the distance from the city at which the ribbon is clear of the other ribbons of that city."""
    connection = sheet.connections[index]
    city = (connection.a, connection.b)[end]
    line = lines[index] if end == 0 else lines[index][::-1]
    half = line[: FINE // 2]
    intrudes = np.zeros(len(half), dtype=bool)
    for other, rival in enumerate(sheet.connections):
        if other != index and city in (rival.a, rival.b):
            reach = connection.half_width + rival.half_width + sheet.sizes.gap
            kept = _kept(lines[other], trims[other])
            gap = half[:, None, :] - kept
            intrudes |= (np.hypot(gap[..., 0], gap[..., 1]) < reach).any(axis=1)
    return float(lengths(half)[np.flatnonzero(intrudes)[-1]]) + sheet.sizes.gap if intrudes.any() else 0.0


def _kept(line: Points, trim: Points) -> Points:
    along = lengths(line)
    kept: Points = line[(along >= trim[0]) & (along <= along[-1] - trim[1])]
    return kept


def _cars(lane: Points, trim: Points, count: int, sheet: Sheet) -> Points:
    sizes = sheet.sizes
    whole = float(lengths(lane)[-1])
    usable = max(whole - float(trim.sum()), count * (sizes.gap + 1.0))
    pitch = min(usable / count, sizes.longest + sizes.gap)
    first = float(trim[0]) + (usable - pitch * count) / 2
    edges: Points = first + pitch * np.arange(count + 1.0)
    start, end = at(lane, edges[:-1] + sizes.gap / 2), at(lane, edges[1:] - sizes.gap / 2)
    middle, along = (start + end) / 2, end - start
    return np.column_stack([middle, np.arctan2(along[:, 1], along[:, 0]), np.hypot(along[:, 0], along[:, 1])])
