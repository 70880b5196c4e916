"""The strip below a board: its title and the meaning of each sign that occurs on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.path import Path

from ttr_sim.edition.model import Edition
from ttr_sim.report.board import drawing
from ttr_sim.report.board.layout import MARGIN, Layout, text_width
from ttr_sim.report.colors import GRAY, INK, card_colors, text_color

ROW = 18.0
SAMPLE = (26.0, 10.0)  # length and width of a sample car
AFTER_SAMPLE, AFTER_ITEM = 5.0, 16.0
TITLE_SIZE = 15.0

Draw = Callable[[Axes, float, float], list[Artist]]
Item = tuple[str, Draw]


def legend_height(edition: Edition, layout: Layout) -> float:
    return ROW * (len(_rows(edition, layout)) + 1.9)


def legend(axes: Axes, edition: Edition, layout: Layout) -> drawing.Group:
    """Draw the title and rows of signs below the board."""
    left, line = MARGIN[0] / 2, layout.height + 0.4 * ROW
    sizes = f"{len(edition.cities)} cities, {len(edition.routes)} routes, {len(edition.tickets)} tickets"
    after_title = left + 1.75 * text_width(edition.title) + 12
    members: list[Artist] = [
        drawing.text(axes, left, line, edition.title, TITLE_SIZE, INK, ha="left", weight="bold"),
        drawing.text(axes, after_title, line, sizes, 10, INK, ha="left"),
    ]
    for number, row in enumerate(_rows(edition, layout)):
        x, y = left, layout.height + ROW * (number + 1.55)
        for words, draw in row:
            members += draw(axes, x + SAMPLE[0] / 2, y)
            x += SAMPLE[0] + AFTER_SAMPLE
            members.append(drawing.text(axes, x, y, words, 9.5, INK, ha="left"))
            x += text_width(words) + AFTER_ITEM
    return drawing.Group("legend", members)


def _rows(edition: Edition, layout: Layout) -> list[list[Item]]:
    """Break the items into rows no wider than the canvas."""
    rows: list[list[Item]] = [[]]
    used = 0.0
    for item in _items(edition):
        width = SAMPLE[0] + AFTER_SAMPLE + text_width(item[0]) + AFTER_ITEM
        if used + width > layout.width - MARGIN[0] and rows[-1]:
            rows.append([])
            used = 0.0
        rows[-1].append(item)
        used += width
    return rows


def _items(edition: Edition) -> list[Item]:
    routes, cities = edition.routes, edition.cities
    colors = card_colors(edition)
    items: list[Item] = []
    for number in sorted({route.color for route in routes if route.color is not None}):
        color = edition.colors[number]
        items.append((color.name, partial(_sample_car, kind="plain", fill=colors[number], letter=color.letter)))
    regions = sorted({city.region for city in cities if city.region})
    gray = partial(_sample_car, fill=GRAY)
    signs: list[tuple[bool, str, Draw]] = [
        (any(route.color is None for route in routes), "any one color", partial(gray, kind="plain")),
        (any(route.kind == "tunnel" for route in routes), "tunnel", partial(gray, kind="tunnel")),
        (any(route.kind == "ferry" for route in routes), "ferry, with its locomotives", partial(gray, kind="ferry")),
        (any(route.merchandise for route in routes), "merchandise", partial(_symbol, shape=drawing.CART, size=11.0)),
        (any(city.country for city in cities), "country", partial(drawing.country_mark, radius=7.0)),
        (
            bool(regions),
            f"city of a region ({', '.join(regions)})",
            partial(drawing.ring_mark, radius=6.5, dot=drawing.REGION_DOT),
        ),
        (any(city.passengers for city in cities), "passenger", partial(_symbol, shape=drawing.PAWN, size=9.0)),
    ]
    return items + [(words, draw) for occurs, words, draw in signs if occurs]


def _sample_car(axes: Axes, x: float, y: float, kind: str, fill: str, letter: str = "") -> list[Artist]:
    car = np.array([[x, y, 0.0, SAMPLE[0]]])
    members = drawing.car_patches(axes, car, SAMPLE[1], kind, fill)
    if kind == "ferry":
        members.append(drawing.stamp(axes, drawing.LOCOMOTIVE, car, 0.9 * SAMPLE[1], facecolor=text_color(fill)))
    if letter:
        members.append(drawing.text(axes, x, y, letter, 8, text_color(fill)))
    return members


def _symbol(axes: Axes, x: float, y: float, shape: Path, size: float) -> list[Artist]:
    return [drawing.stamp(axes, shape, np.array([[x, y, 0.0]]), size, facecolor=INK)]
