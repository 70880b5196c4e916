"""A whole board as a figure, and as a file."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ttr_sim.edition.model import Edition
from ttr_sim.report.board.canvas import Group, blank, settings
from ttr_sim.report.board.colors import PAPER, route_inks
from ttr_sim.report.board.layout import Layout, lay_out
from ttr_sim.report.board.legend import legend, legend_height
from ttr_sim.report.board.pieces import city_mark, city_name, printed_route
from ttr_sim.report.board.svg import standalone, svg_of

DPI = 150


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


def printed_board(edition: Edition, layout: Layout) -> Figure:
    figure, axes = blank(layout.canvas.width, layout.canvas.height + legend_height(edition, layout), PAPER)
    inks = route_inks(edition)
    for number in range(len(edition.routes)):
        add(axes, printed_route(axes, edition, layout, number, inks))
    add(axes, cities(axes, edition, layout))
    add(axes, legend(axes, edition, layout))
    return figure


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
