"""Which routes and cities are fought over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttr_sim.report.board.colors import SOFT_INK
from ttr_sim.report.charts.style import SERIES, Chart, dots, one, percent_axis, rows_of, together

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.whole import Analysis

MOST = 22  # routes and cities listed


def route_contention(analysis: Analysis) -> Chart | None:
    """The most contested routes: claimed, contested, denied."""
    routes = together(analysis.tables["routes"])
    routes = routes.dropna(subset=["contention"]).sort_values("contention", ascending=False).head(MOST)
    if routes.empty:
        return None
    figure, panel = one(1.0 + 0.2 * len(routes))
    places = range(len(routes))
    dots(panel, routes, "claimed", places, fmt="|", markersize=9, color=SOFT_INK, elinewidth=0, label="claimed")
    dots(panel, routes, "contention", places, color=SERIES[0], label="claimed while another wanted it")
    dots(
        panel, routes, "denial", places, fmt="s", markersize=4.5, color=SERIES[1], label="and nothing parallel was left"
    )
    rows_of(panel, [route_words(row) for row in routes.to_dict("records")])
    panel.set_xlim(left=0)
    percent_axis(panel.xaxis)
    panel.set_xlabel("share of games")
    figure.legend(loc="outside upper left", ncols=3)
    return Chart(
        "route-contention",
        "The most contested routes",
        "How often a route is claimed, how often another seat with a published plan wanted it at that moment, and how "
        "often that seat was left without a parallel route. Bars are 95 % intervals.",
        figure,
    )


def route_words(row: dict[Any, Any]) -> str:
    return f"{row['from']}–{row['to']}  {row['color']} {row['length']:g}"


def city_load(analysis: Analysis) -> Chart | None:
    """Claims per game that touch each city."""
    cities = together(analysis.tables["cities"]).dropna(subset=["claims"]).sort_values("claims", ascending=False)
    if cities.empty:
        return None
    shown = _ends(cities)
    figure, panel = one(0.9 + 0.2 * len(shown))
    dots(panel, shown, "claims", range(len(shown)), color=SERIES[0])
    rows_of(panel, [str(name) for name in shown["name"]])
    panel.set_xlim(left=0)
    panel.set_xlabel("claims a game of routes that end there")
    return Chart(
        "city-load",
        "Busy and quiet cities",
        "How many routes into each city are claimed in a game; the busiest and the quietest when there are many.",
        figure,
    )


def _ends(rows: pd.DataFrame) -> pd.DataFrame:
    half = MOST // 2
    return rows if len(rows) <= MOST else rows.iloc[[*range(half), *range(-half, 0)]]
