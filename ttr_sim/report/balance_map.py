"""The map of a balance: the original board in thin lines, and what is edited marked on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ttr_sim.balance.edits import REMOVE, ROUTES, TICKETS, Edit, describe_edit
from ttr_sim.report.board.canvas import Group, blank
from ttr_sim.report.board.colors import PAPER, SOFT_INK
from ttr_sim.report.board.drawing import add, cities
from ttr_sim.report.board.layout import Layout, lay_out
from ttr_sim.report.board.pieces import lane_line, text
from ttr_sim.report.charts.style import SERIES
from ttr_sim.report.map_titles import route_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ttr_sim.edition.model import Edition

CHANGED, TAKEN, TICKET_INK = SERIES[0], SERIES[1], SERIES[2]
DASHES, DOTS = (0, (2.2, 1.0)), (0, (1, 2))
THIN = 1.2
LABEL = 13.0  # points


@dataclass(frozen=True)
class MapDrawing:
    figure: Figure
    titles: dict[str, str]  # shown when a route is pointed at


def balance_map(edition: Edition, edits: Iterable[Edit]) -> MapDrawing:
    """Draw changed routes wide and blue, removed ones orange and dashed, changed tickets as dotted lines."""
    layout = lay_out(edition)
    figure, axes = blank(layout.canvas.width, layout.canvas.height, PAPER)
    of_routes = {edit.row: edit for edit in edits if edit.file == ROUTES}
    titles = {f"route-{row}": name for row, name in enumerate(route_names(edition))}
    titles |= {f"route-{row}": describe_edit(edition, edit) for row, edit in of_routes.items()}
    for row, lane in enumerate(layout.lanes):
        width, look = _look(of_routes.get(row), layout)
        add(axes, Group(f"route-{row}", [lane_line(axes, lane, width, **look)]))
    add(axes, cities(axes, edition, layout))
    for edit in edits:  # over the cities, so that no name hides the points
        if edit.file == TICKETS:
            add(axes, Group(f"ticket-{edit.row}", _ticket(axes, edition, layout, edit)))
    return MapDrawing(figure, titles)


def _look(edit: Edit | None, layout: Layout) -> tuple[float, dict[str, object]]:
    """Return width and look of a route's line."""
    if edit is None:
        return THIN, {"color": SOFT_INK}
    if edit.action == REMOVE:
        return layout.sizes.car, {"color": TAKEN, "linestyle": DASHES}
    return layout.sizes.car, {"color": CHANGED, "solid_capstyle": "round"}


def _ticket(axes: Axes, edition: Edition, layout: Layout, edit: Edit) -> list[Artist]:
    """Draw a dotted line between a ticket's ends, with its points before and after."""
    ticket = edition.tickets[edit.row]
    (x, y), (to_x, to_y) = (layout.places[ends[0]] for ends in (ticket.a_cities, ticket.b_cities))
    line = Line2D([x, to_x], [y, to_y], color=TICKET_INK, linewidth=2.2, linestyle=DOTS, transform=axes.transData)
    label = text(axes, (x + to_x) / 2, (y + to_y) / 2, f"{ticket.points} → {edit.value}", LABEL, TICKET_INK)
    label.set_bbox({"facecolor": PAPER, "edgecolor": TICKET_INK, "boxstyle": "round,pad=0.2", "linewidth": 0.8})
    return [line, label]
