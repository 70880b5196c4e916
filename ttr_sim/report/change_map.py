"""The map of a comparison: where routes are surely claimed more, or less, than before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ttr_sim.analysis.compare.layout import ROUTES
from ttr_sim.edition.canonical import Key, route_keys
from ttr_sim.report.board.canvas import Group, blank
from ttr_sim.report.board.colors import PAPER, SOFT_INK
from ttr_sim.report.board.drawing import add, cities
from ttr_sim.report.board.layout import Layout
from ttr_sim.report.board.pieces import lane_line
from ttr_sim.report.charts.style import SERIES
from ttr_sim.report.map_titles import route_names
from ttr_sim.report.numbers import interval, written

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.edition.model import Edition
    from ttr_sim.report.board.curves import Points

MORE, LESS = SERIES[0], SERIES[1]
LESS_DASHES = (0, (2.2, 1.0))
THINNEST, UNSURE_WIDTH = 2.2, 0.6
CLAIMED = ROUTES.numbers[0]
NEW_WIDTH, NEW_DASHES = 1.6, (0, (1, 2))


def by_route(edition: Edition, routes: pd.DataFrame) -> dict[int, int]:
    """Return where each route of the edition stands in the comparison's list; a new one does not."""
    lines = {key: line for line, key in enumerate(_keys(routes, "color"))}
    return {number: lines[key] for number, key in enumerate(route_keys(edition)) if key in lines}


def _keys(table: pd.DataFrame, kind: str) -> Iterator[Key]:
    """Yield what each line of a list is known by in both editions, whichever end the file names first."""
    for one, other, which, copy in table[["from", "to", kind, "copy"]].itertuples(index=False, name=None):
        yield min(one, other), max(one, other), which, copy


def change_map(edition: Edition, layout: Layout, routes: pd.DataFrame) -> Figure:
    """Draw B's board: blue and solid where routes are surely claimed more than in A, orange and dashed where less."""
    figure, axes = blank(layout.canvas.width, layout.canvas.height, PAPER)
    lines = by_route(edition, routes)
    gaps: Points = routes["difference"].where(routes[CLAIMED.notable].fillna(False).astype(bool)).to_numpy(float)
    most = max(float(np.nanmax(np.abs(gaps), initial=0.0)), 1e-9)
    for number, lane in enumerate(layout.lanes):
        gap = gaps[lines[number]] if number in lines else np.nan
        if number not in lines:
            line = lane_line(axes, lane, NEW_WIDTH, color=SOFT_INK, linestyle=NEW_DASHES)
        elif np.isnan(gap):
            line = lane_line(axes, lane, UNSURE_WIDTH, color=SOFT_INK)
        else:
            width = THINNEST + (layout.sizes.car - THINNEST) * abs(gap) / most
            look = {"color": MORE, "solid_capstyle": "round"} if gap >= 0 else {"color": LESS, "linestyle": LESS_DASHES}
            line = lane_line(axes, lane, width, **look)
        add(axes, Group(f"route-{number}", [line]))
    add(axes, cities(axes, edition, layout))
    return figure


def change_titles(edition: Edition, routes: pd.DataFrame) -> dict[str, str]:
    """Return what is shown when a route is pointed at."""
    lines = by_route(edition, routes)
    return {
        f"route-{number}": f"{words}: {_change_words(routes, lines.get(number))}"
        for number, words in enumerate(route_names(edition))
    }


def _change_words(routes: pd.DataFrame, line: int | None) -> str:
    if line is None:
        return "not in both"
    row = routes.iloc[line]
    a, b, gap = written(row["a"], "share"), written(row["b"], "share"), written(row["difference"], "change")
    return f"claimed in {b} % of the games instead of {a} % ({gap}; {interval(row['low'], row['high'], 'change')})"


def route_targets(edition: Edition, routes: pd.DataFrame) -> list[str]:
    """Return for each row of the list the route on the map."""
    numbers = {line: number for number, line in by_route(edition, routes).items()}
    return [f"route-{numbers[line]}" for line in range(len(routes))]


def ticket_targets(edition: Edition, keys: Sequence[Key], tickets: pd.DataFrame) -> list[str]:
    """Return for each row of the list its ends on the map."""
    ends = {
        key: " ".join(f"city-{city}" for city in (*ticket.a_cities, *ticket.b_cities))
        for key, ticket in zip(keys, edition.tickets, strict=True)
    }
    return [ends.get(key, "") for key in _keys(tickets, "deck")]
