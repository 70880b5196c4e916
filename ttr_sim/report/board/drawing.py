"""A whole board as a figure, and as a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ttr_sim.edition.model import Edition
from ttr_sim.report.board.canvas import Group, blank, settings
from ttr_sim.report.board.colors import PAPER, route_inks
from ttr_sim.report.board.layout import Layout, lay_out
from ttr_sim.report.board.legend import legend, legend_height
from ttr_sim.report.board.pieces import city_mark, city_name, printed_route
from ttr_sim.report.board.svg import standalone, svg_of, written_svg

DPI = 150

_written: dict[bool, tuple[Edition, str]] = {}  # the last board, with passengers and without


def write_board(edition: Edition, path: Path) -> None:
    """Write the printed board, with its legend, to a .png or .svg file."""
    if path.suffix.lower() == ".svg":
        path.write_text(board_svg(edition), encoding="utf-8")
        return
    with settings():
        printed_board(edition, lay_out(edition)).savefig(path, dpi=DPI)


def board_svg(edition: Edition) -> str:
    """Return the printed board, with its legend, as the text of an .svg file."""
    with settings():
        return standalone(svg_of(printed_board(edition, lay_out(edition))))


def written_board(edition: Edition, passengers: bool = True) -> str:
    """Return the printed board as text; the page of a report and those of its games share it."""
    if passengers not in _written or _written[passengers][0] != edition:
        with settings():
            svg = svg_of(printed_board(edition, lay_out(edition), passengers))
        _written[passengers] = edition, written_svg(svg)
    return _written[passengers][1]


def printed_board(edition: Edition, layout: Layout, passengers: bool = True) -> Figure:
    """Draw the board as printed, or without the passengers that a game puts on it."""
    figure, axes = blank(layout.canvas.width, layout.canvas.height + legend_height(edition, layout), PAPER)
    inks = route_inks(edition)
    for number in range(len(edition.routes)):
        add(axes, printed_route(axes, edition, layout, number, inks))
    shown = edition if passengers else _without_passengers(edition)
    add(axes, cities(axes, shown, layout))
    add(axes, legend(axes, edition, layout))
    return figure


def _without_passengers(edition: Edition) -> Edition:
    return replace(edition, cities=tuple(replace(city, passengers=0) for city in edition.cities))


def cities(axes: Axes, edition: Edition, layout: Layout) -> Group:
    """Draw marks first, names over everything."""
    marks = [city_mark(axes, city, layout, number) for number, city in enumerate(edition.cities)]
    names = [city_name(axes, city, layout, number) for number, city in enumerate(edition.cities)]
    return Group("cities", [*marks, *names])


def add(axes: Axes, group: Group) -> Group:
    """Put a group, and all it holds, on the axes."""
    _adopt(axes, group)
    axes.add_artist(group)
    return group


def _adopt(axes: Axes, group: Group) -> None:
    for member in group.members:
        member.set_figure(axes.figure)
        if isinstance(member, Group):
            _adopt(axes, member)
