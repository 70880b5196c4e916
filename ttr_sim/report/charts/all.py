"""The charts of a report, in its order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl

from ttr_sim.report.charts import balance, routes, shape, tickets
from ttr_sim.report.charts.style import LOOK, Chart

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

DRAWN = (
    tickets.ticket_values,
    tickets.ticket_effects,
    routes.route_contention,
    routes.city_load,
    balance.style_wins,
    balance.matchup_matrix,
    balance.ratings,
    balance.seat_wins,
    balance.score_parts,
    shape.score_distribution,
    shape.game_shape,
)


def charts_of(analysis: Analysis) -> list[Chart]:
    """Those for which the runs have something to draw."""
    with mpl.rc_context(LOOK):
        drawn = [draw(analysis) for draw in DRAWN]
    return [chart for chart in drawn if chart]
