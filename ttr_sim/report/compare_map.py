"""The map of a comparison: which routes are claimed more, and which less."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ttr_sim.edition.differences import Key, route_keys
from ttr_sim.report.board.canvas import Group, blank
from ttr_sim.report.board.colors import PAPER, SOFT_INK
from ttr_sim.report.board.curves import Points
from ttr_sim.report.board.drawing import add, cities
from ttr_sim.report.board.layout import Layout
from ttr_sim.report.board.pieces import lane_line
from ttr_sim.report.charts.style import SERIES
from ttr_sim.report.maps import route_names
from ttr_sim.report.numbers import interval, written

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.edition.model import Edition

MORE, LESS = SERIES[0], SERIES[1]
LESS_DASHES = (0, (2.2, 1.0))
THINNEST = 1.2
NEW_WIDTH, NEW_DASHES = 1.6, (0, (1, 2))


def by_route(edition: Edition, routes: pd.DataFrame) -> dict[int, int]:
    """Where each route of the edition stands in the comparison's list; a new one does not."""
    keys = routes[["from", "to", "color", "copy"]].itertuples(index=False, name=None)
    places: dict[Key, int] = {key: place for place, key in enumerate(keys)}
    rows = enumerate(route_keys(edition))
    return {number: places[key] for number, key in rows if key in places}


def change_map(edition: Edition, layout: Layout, routes: pd.DataFrame) -> Figure:
    """B's board: blue and whole where routes are claimed more than in A, orange and broken where less."""
    figure, axes = blank(layout.canvas.width, layout.canvas.height, PAPER)
    places = by_route(edition, routes)
    gaps: Points = routes["difference"].to_numpy(float)
    most = max(float(np.nanmax(np.abs(gaps), initial=0.0)), 1e-9)
    for number, lane in enumerate(layout.lanes):
        if number not in places:
            line = lane_line(axes, lane, NEW_WIDTH, color=SOFT_INK, linestyle=NEW_DASHES)
        else:
            gap = gaps[places[number]]
            width = THINNEST + (layout.sizes.car - THINNEST) * abs(gap) / most
            look = {"color": MORE, "solid_capstyle": "round"} if gap >= 0 else {"color": LESS, "linestyle": LESS_DASHES}
            line = lane_line(axes, lane, width, **look)
        add(axes, Group(f"route-{number}", [line]))
    add(axes, cities(axes, edition, layout))
    return figure


def titles(edition: Edition, routes: pd.DataFrame) -> dict[str, str]:
    """What is shown when a route is pointed at."""
    places = by_route(edition, routes)
    return {
        f"route-{number}": f"{words}: {_told(routes, places.get(number))}"
        for number, words in enumerate(route_names(edition))
    }


def _told(routes: pd.DataFrame, place: int | None) -> str:
    if place is None:
        return "not in both"
    row = routes.iloc[place]
    a, b, gap = written(row["a"], "share"), written(row["b"], "share"), written(row["difference"], "change")
    return f"claimed in {b} % of the games instead of {a} % ({gap}; {interval(row['low'], row['high'], 'change')})"


def route_targets(edition: Edition, routes: pd.DataFrame) -> list[str]:
    """For each row of the list, the route on the map."""
    numbers = {place: number for number, place in by_route(edition, routes).items()}
    return [f"route-{numbers[place]}" for place in range(len(routes))]


def ticket_targets(edition: Edition, keys: Sequence[Key], tickets: pd.DataFrame) -> list[str]:
    """For each row of the list, the ends on the map."""
    ends = {
        key: " ".join(f"city-{city}" for city in (*ticket.a_cities, *ticket.b_cities))
        for key, ticket in zip(keys, edition.tickets, strict=True)
    }
    rows = tickets[["from", "to", "deck", "copy"]].itertuples(index=False, name=None)
    return [ends.get(row, "") for row in rows]
