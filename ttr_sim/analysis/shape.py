"""How do games go: how long, how close, what turns are spent on, and where points come from?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ttr_sim.analysis.jackknife import ratio
from ttr_sim.analysis.source import Source, add_up
from ttr_sim.analysis.sums import AT_LEAST_0, Measured, Sums, stack
from ttr_sim.analysis.tables import ACTIONS, DISTRIBUTIONS, PACE, SCORE_PARTS, SCORES

MEASURES = {
    "turns": "turns",
    "rounds": "turns / players",
    "margin": "margin",
    "lead_changes": "lead_changes",
    "decided": "round((lead_turn + 1) / turns, 2)",
    "hidden": "CASE WHEN bit_count(winners) = 1 THEN (lead_turn IS NULL)::INT END",
    "shared": "(bit_count(winners) > 1)::INT",
    "resets": "resets",
    "reshuffles": "reshuffles",
}
SHARES = ("decided", "hidden", "shared")
SHOWN = {"turns": 1, "margin": 1, "lead_changes": 1, "decided": 0.05}  # with the step in which values are counted
TINY = 1e-9  # so that 0.15 / 0.05 is 3
VALUES = "(UNPIVOT (SELECT grp, {columns} FROM played) ON {names} INTO NAME measure VALUE value)".format(
    columns=", ".join(f"({sql})::DOUBLE AS {name}" for name, sql in MEASURES.items()), names=", ".join(MEASURES)
)
BY_GROUP = f"SELECT grp, measure, count(*) AS n, sum(value) AS total FROM {VALUES} GROUP BY ALL"
BY_VALUE = f"SELECT measure, value, count(*) AS n FROM {VALUES} GROUP BY ALL"
BY_ACTION = "SELECT grp, action, count(*) AS n FROM turns JOIN played USING (game) GROUP BY ALL"
BY_PLAYED = "SELECT grp, count(*) AS games, sum(turns) AS turns FROM played GROUP BY ALL"

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


def pace(sources: Sequence[Source]) -> pd.DataFrame:
    """Return means over games of measures of whole games; the quantiles describe the games played, without an interval.

    A game to which a measure does not apply (`decided` when nobody ever led alone) is left out of it.
    """
    return stack(PACE, [measure_pace(source) for source in sources])


def distributions(sources: Sequence[Source]) -> pd.DataFrame:
    """Count games by value of a measure."""
    return pd.concat([_distribution(source) for source in sources], ignore_index=True)[DISTRIBUTIONS.column_names]


def actions(sources: Sequence[Source]) -> pd.DataFrame:
    """Return turns by kind: share of all turns, and turns per seat and game."""
    return stack(ACTIONS, [measure_actions(source) for source in sources])


def measure_pace(source: Source) -> Measured:
    sums = source.sums(BY_GROUP, ["measure"])
    values = dict(list(source.counts(BY_VALUE).groupby("measure")))
    quantiles = [_quantiles(values[measure]) for measure in sums.keys["measure"]]
    keys = sums.keys.assign(players=source.players, n=sums.total("n"))
    keys[["p10", "median", "p90"]] = quantiles
    most = np.where(sums.keys["measure"].isin(SHARES), 1.0, np.inf)
    return Measured(keys, {"mean": sums.mean("total")}, source.blocks, {"mean": (0.0, most)})


def measure_actions(source: Source) -> Measured:
    sums = source.sums(BY_ACTION, ["action"])
    played = source.sums(BY_PLAYED, [])
    wide = {name: np.repeat(array, len(sums.keys), axis=1) for name, array in played.arrays.items()}
    estimates = {
        "share": ratio(sums["n"], wide["turns"]),
        "per_seat": ratio(sums["n"], wide["games"] * source.players),
    }
    return Measured(
        sums.keys.assign(players=source.players, n=source.games), estimates, source.blocks, {"per_seat": AT_LEAST_0}
    )


def _quantiles(values: pd.DataFrame) -> tuple[float, float, float]:
    """Return the smallest values that a tenth, half and nine tenths of the games do not exceed."""
    reached = values["n"].cumsum() / values["n"].sum()
    p10, median, p90 = (float(values["value"].iloc[int((reached < part).sum())]) for part in (0.1, 0.5, 0.9))
    return p10, median, p90


def _distribution(source: Source) -> pd.DataFrame:
    values = source.counts(BY_VALUE)
    values = values[values["measure"].isin(list(SHOWN))]
    step = values["measure"].map(SHOWN)
    below = (values["value"] / step + TINY).floordiv(1) * step
    return add_up(values.assign(value=below.round(2))).assign(players=source.players)


def score_parts(sources: Sequence[Source]) -> pd.DataFrame:
    """Return mean points of each part of the score, over all seats and over winners (weighted by their share of the
    win)."""
    return stack(SCORE_PARTS, [measured for source in sources for measured in measure_score_parts(source)])


def scores(sources: Sequence[Source]) -> pd.DataFrame:
    """Count how often each final score occurred, by bot."""
    tables = [source.counts(BY_SCORE).assign(players=source.players) for source in sources]
    return pd.concat(tables, ignore_index=True)[SCORES.column_names]


def measure_score_parts(source: Source) -> list[Measured]:
    """Measure all bots together, then bot by bot; parts that are null, as the edition lacks them, drop out."""
    columns = ", ".join(f"{column} AS {part}" for part, column in PARTS.items())
    sums = source.sums(BY_PART.format(columns=columns, names=", ".join(PARTS)), ["bot", "part"])
    if sums.keys.empty:
        return []
    together, _ = sums.over(["part"])
    return [_measure_parts(source, together.keys.assign(bot=""), together), _measure_parts(source, sums.keys, sums)]


def _measure_parts(source: Source, keys: pd.DataFrame, sums: Sums) -> Measured:
    keys = keys.assign(players=source.players, n=sums.total("n"))
    winners = ratio(sums["winner_points"], sums["wins"])
    return Measured(keys, {"mean": sums.mean("points"), "winners": winners}, source.blocks)
