"""The strip below a board: its title and what each sign on it means. Only signs that occur are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from ttr_sim.edition.model import Edition
from ttr_sim.report.board.canvas import Group
from ttr_sim.report.board.colors import GRAY, INK, on, route_inks
from ttr_sim.report.board.layout import Layout, text_width
from ttr_sim.report.board.pieces import REGION_DOT, ROUNDNESS, country_mark, patch, ring_mark, text, tunnel_marks
from ttr_sim.report.board.places import MARGIN
from ttr_sim.report.board.symbols import car_path, cart_path, locomotive_path, pawn_path

ROW = 18.0
SAMPLE = (26.0, 10.0)  # length and width of a sample car
AFTER_SAMPLE, AFTER_ITEM = 5.0, 16.0
TITLE_SIZE = 15.0

Draw = Callable[[Axes, float, float], list[Artist]]


@dataclass(frozen=True)
class Item:
    words: str
    draw: Draw


def legend_height(edition: Edition, layout: Layout) -> float:
    return ROW * (len(_rows(edition, layout)) + 1.9)


def legend(axes: Axes, edition: Edition, layout: Layout) -> Group:
    """Draw the title and rows of signs, from the lower rim of the board downward."""
    top = layout.canvas.height
    left = MARGIN[0] / 2
    line, after_title = top + 0.4 * ROW, left + 1.75 * text_width(edition.title) + 12
    sizes = f"{len(edition.cities)} cities, {len(edition.routes)} routes, {len(edition.tickets)} tickets"
    members: list[Artist] = [text(axes, left, line, edition.title, TITLE_SIZE, INK, ha="left", weight="bold")]
    members.append(text(axes, after_title, line, sizes, 10, INK, ha="left"))
    for number, row in enumerate(_rows(edition, layout)):
        x, y = left, top + ROW * (number + 1.55)
        for item in row:
            members += item.draw(axes, x + SAMPLE[0] / 2, y)
            x += SAMPLE[0] + AFTER_SAMPLE
            members.append(text(axes, x, y, item.words, 9.5, INK, ha="left"))
            x += text_width(item.words) + AFTER_ITEM
    return Group("legend", members)


def _rows(edition: Edition, layout: Layout) -> list[list[Item]]:
    """Break the items into rows no wider than the canvas."""
    rows: list[list[Item]] = [[]]
    room = layout.canvas.width - MARGIN[0]
    used = 0.0
    for item in _items(edition):
        width = SAMPLE[0] + AFTER_SAMPLE + text_width(item.words) + AFTER_ITEM
        if used + width > room and rows[-1]:
            rows.append([])
            used = 0.0
        rows[-1].append(item)
        used += width
    return rows


def _items(edition: Edition) -> list[Item]:
    routes, cities = edition.routes, edition.cities
    inks = route_inks(edition)
    used = sorted({route.color for route in routes if route.color is not None})
    items = [Item(edition.colors[color].name, _color(inks[color], edition.colors[color].letter)) for color in used]
    regions = sorted({city.region for city in cities if city.region})
    signs = [
        (any(route.color is None for route in routes), Item("any one color", _color(GRAY, ""))),
        (any(route.kind == "tunnel" for route in routes), Item("tunnel", _tunnel)),
        (any(route.kind == "ferry" for route in routes), Item("ferry, with its locomotives", _ferry)),
        (any(route.merchandise for route in routes), Item("merchandise", _cart)),
        (any(city.country for city in cities), Item("country", _country)),
        (bool(regions), Item(f"city of a region ({', '.join(regions)})", _region)),
        (any(city.passengers for city in cities), Item("passenger", _pawn)),
    ]
    return items + [item for shown, item in signs if shown]


def _car(x: float, y: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[x, y, 0.0, SAMPLE[0]]])


def _color(ink: str, letter: str) -> Draw:
    def draw(axes: Axes, x: float, y: float) -> list[Artist]:
        path = car_path(_car(x, y), SAMPLE[1], ROUNDNESS["plain"])
        car = patch(axes, path, facecolor=ink, edgecolor=INK, linewidth=0.7)
        return [car, text(axes, x, y, letter, 8, on(ink))] if letter else [car]

    return draw


def _tunnel(axes: Axes, x: float, y: float) -> list[Artist]:
    path = car_path(_car(x, y), SAMPLE[1], ROUNDNESS["tunnel"])
    car = patch(axes, path, facecolor=GRAY, edgecolor=INK, linewidth=0.7)
    return [car, *tunnel_marks(axes, _car(x, y), SAMPLE[1])]


def _ferry(axes: Axes, x: float, y: float) -> list[Artist]:
    path = car_path(_car(x, y), SAMPLE[1], ROUNDNESS["ferry"])
    car = patch(axes, path, facecolor=GRAY, edgecolor=INK, linewidth=0.7)
    return [car, patch(axes, locomotive_path(_car(x, y), 0.9 * SAMPLE[1]), facecolor=on(GRAY), linewidth=0)]


def _cart(axes: Axes, x: float, y: float) -> list[Artist]:
    return [patch(axes, cart_path(_car(x, y), 11.0), facecolor=INK, linewidth=0)]


def _country(axes: Axes, x: float, y: float) -> list[Artist]:
    return country_mark(axes, x, y, 7.0)


def _region(axes: Axes, x: float, y: float) -> list[Artist]:
    return ring_mark(axes, x, y, 6.5, REGION_DOT)


def _pawn(axes: Axes, x: float, y: float) -> list[Artist]:
    return [patch(axes, pawn_path(x, y, 1, 0.0, 9.0), facecolor=INK, linewidth=0)]
