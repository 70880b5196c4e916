"""Which routes and cities are fought over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttr_sim.report.charts.style import (
    SERIES,
    Chart,
    by_count,
    counts_in,
    dots,
    facets,
    legend,
    marks,
    mean_order,
    one,
    percent_axis,
    rows_of,
    short,
    short_ends,
)
from ttr_sim.report.numbers import exactly, players_words

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

MOST = 20  # routes and cities listed


def route_contention(analysis: Analysis) -> Chart | None:
    """Draw the routes most fought over, and who is locked out; one panel per player count."""
    routes = analysis.tables["routes"].dropna(subset=["contention_low"])
    if routes.empty:
        return None
    keys = mean_order(routes, "route", "contention")[:MOST]
    figure, panels = facets([players_words(count) for count in counts_in(routes)], 1.2 + 0.2 * len(keys))
    lines = range(len(keys))
    names = {row["route"]: _route_words(row) for row in routes.to_dict("records")}
    over, out = ([f"{names[key]}: {what}" for key in keys] for what in ("fought over", "locked out"))
    for panel, (_, rows) in zip(panels, by_count(routes, "route", keys), strict=True):
        dots(panel, rows, "contention", lines, over, color=SERIES[0], capsize=0, markersize=6, markerfacecolor="none")
        dots(panel, rows, "denial", lines, out, fmt="s", markersize=3, color=SERIES[1], capsize=0)
        percent_axis(panel.xaxis)
        panel.set_xlabel("share of games")
    panels[0].set_xlim(left=0)
    rows_of(panels, [names[key] for key in keys])
    names_of_marks = (
        "fought over: claimed while another player wanted it",
        "locked out: nothing parallel was left to that player",
    )
    legend(figure, panels[0].containers, names_of_marks)
    return Chart(
        "route-contention",
        f"{names[keys[0]].split('  ')[0]} is fought over most",
        "Shares of games: how often a route is claimed while another player, whose plan is known, wants it, and how "
        "often that player is left without a parallel route. Bars are 95 % intervals.",
        figure,
    )


def _route_words(row: dict[Any, Any]) -> str:
    return f"{short_ends(row)}  {row['color']} {exactly(row['length'])}"


def city_load(analysis: Analysis) -> Chart | None:
    """Draw claims per game that touch each city, one mark per player count."""
    cities = analysis.tables["cities"].dropna(subset=["claims_low"])
    if cities.empty:
        return None
    keys = _ends(mean_order(cities, "city", "claims"))
    figure, panel = one(1.1 + 0.26 * len(keys))
    names = dict(zip(cities["city"], cities["name"], strict=True))
    marks(panel, cities, "claims", "city", keys, [str(names[key]) for key in keys], "number")
    rows_of([panel], [short(names[key]) for key in keys])
    panel.set_xlim(left=0)
    panel.set_xlabel("claims per game of routes that end there")
    legend(figure)
    return Chart(
        "city-load",
        f"{names[keys[0]]} is the busiest city, {names[keys[-1]]} the quietest",
        "How many routes into each city are claimed in a game; the busiest and the quietest when there are many.",
        figure,
    )


def _ends(keys: list[Any]) -> list[Any]:
    half = MOST // 2
    return keys if len(keys) <= MOST else [*keys[:half], *keys[-half:]]
