"""Where do points come from?"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ttr_sim.analysis.jackknife import ratio
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums, stack
from ttr_sim.analysis.tables import SCORE_PARTS, SCORES

PARTS = {
    "route": "route_points",
    "ticket": "ticket_points",
    "ticket_penalty": "ticket_penalty",
    "longest": "longest_points",
    "globetrotter": "globetrotter_points",
    "station": "station_points",
    "passenger": "passenger_points",
    "merchandise": "merchandise_points",
}
BY_PART = """
    SELECT grp, bot, part, count(*) AS n, sum(points) AS points, sum(points * win_share) AS winner_points,
        sum(win_share) AS wins
    FROM (
        UNPIVOT (SELECT game, bot, win_share, {columns} FROM seats) ON {names} INTO NAME part VALUE points
    ) JOIN played USING (game) GROUP BY ALL
"""
BY_SCORE = "SELECT bot, score, count(*) AS n FROM seats GROUP BY ALL"


def score_parts(sources: Sequence[Source]) -> pd.DataFrame:
    """Mean points of each part of the score, over all seats and over winners (weighted by their share of the win)."""
    return stack(SCORE_PARTS, [measured for source in sources for measured in measure_score_parts(source)])


def scores(sources: Sequence[Source]) -> pd.DataFrame:
    """How often each final score occurred, by bot."""
    tables = [source.counts(BY_SCORE).assign(players=source.players) for source in sources]
    return pd.concat(tables, ignore_index=True)[SCORES.column_names]


def measure_score_parts(source: Source) -> list[Measured]:
    """For all bots together, then bot by bot; parts that are null, as the edition lacks them, drop out."""
    columns = ", ".join(f"{column} AS {part}" for part, column in PARTS.items())
    sums = source.sums(BY_PART.format(columns=columns, names=", ".join(PARTS)), ["bot", "part"])
    if sums.keys.empty:
        return []
    together, _ = sums.over(["part"])
    return [_measure(source, together.keys.assign(bot=""), together), _measure(source, sums.keys, sums)]


def _measure(source: Source, keys: pd.DataFrame, sums: Sums) -> Measured:
    keys = keys.assign(players=source.players, n=sums.total("n"))
    winners = ratio(sums["winner_points"], sums["wins"])
    return Measured(keys, {"mean": sums.mean("points"), "winners": winners}, source.blocks)
