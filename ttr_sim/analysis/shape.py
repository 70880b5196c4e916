"""How do games go: how long, how close, what turns are spent on, and where points come from?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

import numpy as np
import pandas as pd

from ttr_sim.analysis.columns import Ints
from ttr_sim.analysis.jackknife import Floats, ratio
from ttr_sim.analysis.rows import Rows
from ttr_sim.analysis.source import Source, by_group
from ttr_sim.analysis.sums import AT_LEAST_0, Counts, Measured, Sums, add_up, every, stack, tally
from ttr_sim.analysis.tables import ACTIONS, DISTRIBUTIONS, PACE, SCORE_PARTS, SCORES
from ttr_sim.log import ACTION_NAMES

SHARES = ("decided", "hidden", "shared")
SHOWN = {"turns": 1, "margin": 1, "lead_changes": 1, "decided": 0.05}  # with the step in which values are counted
TINY = 1e-9  # so that 0.15 / 0.05 is 3

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


def measures(rows: Rows) -> dict[str, Floats]:
    """Return measures of each game, NaN where one does not apply."""
    games = rows.games
    turns, led = games["turns"].astype(float), games["lead_turn"].astype(float)
    winners = np.bitwise_count(games["winners"])
    found = {
        "turns": turns,
        "rounds": turns / rows.players,
        "decided": np.floor((led + 1) / turns * 100 + 0.5) / 100,
        "hidden": np.where(winners == 1, np.isnan(led), np.nan),
        "shared": winners > 1,
    }
    found |= {name: games[name] for name in ("margin", "lead_changes", "resets", "reshuffles")}
    return {name: found[name].astype(float) for name in sorted(found)}


def by_measure(rows: Rows) -> Sums:
    found = measures(rows)
    values, place = np.array(list(found.values())), np.arange(len(found))[:, None]
    known = ~np.isnan(values)
    group, key = (np.broadcast_to(numbers, values.shape)[known] for numbers in (rows.games.grp, place))
    return tally(every(measure=found), group, key, n=None, total=values[known])


def by_value(rows: Rows) -> Counts:
    found = {name: np.unique(values, return_counts=True, equal_nan=True) for name, values in measures(rows).items()}
    names = np.repeat(np.array(list(found), object), [len(values) for values, _ in found.values()])
    values, n = (np.concatenate(arrays) for arrays in zip(*found.values(), strict=True))
    known = ~np.isnan(values)
    return Counts.of(measure=names[known], value=values[known], n=n[known])


def by_action(rows: Rows) -> Sums:
    names = sorted(ACTION_NAMES)
    turns = rows.actions[:, [ACTION_NAMES.index(name) for name in names]]
    group, key = np.repeat(rows.games.grp, len(names)), np.tile(np.arange(len(names)), len(turns))
    return tally(every(action=names), group, key, n=turns.ravel())


def by_part(rows: Rows) -> Sums:
    """Add up points by part of the score; parts are null where the edition lacks them."""
    seats, keys = rows.seats, every(bot=rows.bots, part=sorted(PARTS))
    sums = []
    for place, part in enumerate(sorted(PARTS)):
        points = rows.outcomes[PARTS[part]]
        known = np.flatnonzero(~np.isnan(points))
        points, wins = points[known], seats["win_share"][known]
        key = seats["bot"][known] * len(PARTS) + place
        of_part = {"points": points, "winner_points": points * wins, "wins": wins}
        sums.append(tally(keys, seats.grp[known], key, n=None, **of_part))
    return reduce(add, sums)


def by_score(rows: Rows) -> Counts:
    bots, score = len(rows.bots), rows.seats["score"].astype(np.int64)
    cells, n = np.unique(score * bots + rows.seats["bot"], return_counts=True)
    return Counts.of(bot=np.array(rows.bots, object)[cells % bots], score=cells // bots, n=n)


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
    sums = source.ask(by_measure)
    names, values, n = (source.ask(by_value).rows[name].to_numpy() for name in ("measure", "value", "n"))
    chosen = [names == measure for measure in sums.keys["measure"]]
    quantiles = np.array([_quantiles(values[of_measure], n[of_measure]) for of_measure in chosen])
    p10, median, p90 = quantiles.reshape(-1, 3).T
    keys = sums.keys.assign(players=source.players, n=sums.total("n"), p10=p10, median=median, p90=p90)
    most = np.where(sums.keys["measure"].isin(SHARES), 1.0, np.inf)
    return Measured(keys, {"mean": sums.mean("total")}, source.blocks, {"mean": (0.0, most)})


def measure_actions(source: Source) -> Measured:
    sums, played = source.ask(by_action), source.ask(by_group)
    wide = {name: np.repeat(array, len(sums.keys), axis=1) for name, array in played.arrays.items()}
    estimates = {
        "share": ratio(sums["n"], wide["turns"]),
        "per_seat": ratio(sums["n"], wide["games"] * source.players),
    }
    return Measured(
        sums.keys.assign(players=source.players, n=source.games), estimates, source.blocks, {"per_seat": AT_LEAST_0}
    )


def _quantiles(values: Floats, n: Ints) -> Floats:
    """Return the smallest values that a tenth, half and nine tenths of the games do not exceed; values ascend."""
    return np.asarray(values[np.searchsorted(np.cumsum(n) / n.sum(), (0.1, 0.5, 0.9))])


def _distribution(source: Source) -> pd.DataFrame:
    values = source.ask(by_value).rows
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
    tables = [source.ask(by_score).rows.assign(players=source.players) for source in sources]
    return pd.concat(tables, ignore_index=True)[SCORES.column_names]


def measure_score_parts(source: Source) -> list[Measured]:
    """Measure all bots together, then bot by bot; parts that are null, as the edition lacks them, drop out."""
    sums = source.ask(by_part)
    if sums.keys.empty:
        return []
    together, _ = sums.over(["part"])
    return [_measure_parts(source, together.keys.assign(bot=""), together), _measure_parts(source, sums.keys, sums)]


def _measure_parts(source: Source, keys: pd.DataFrame, sums: Sums) -> Measured:
    keys = keys.assign(players=source.players, n=sums.total("n"))
    winners = ratio(sums["winner_points"], sums["wins"])
    return Measured(keys, {"mean": sums.mean("points"), "winners": winners}, source.blocks)
