"""Which play styles win, against whom, and is there one that beats all others?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.db import Database, Sums
from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, holm, ratio
from ttr_sim.analysis.tables import AT_LEAST_0, TABLES, Measured
from ttr_sim.analysis.thresholds import ALPHA, CLEAR_MARGIN, LONGEST_CYCLE

ELO = 400 / np.log(10)  # rating points of one unit of log odds
PRIOR = 0.5  # wins lent to both sides of each pair that met: keeps the rating of the unbeaten finite
MOST_STEPS = 50
BEATS = " > "

BY_STYLE = """
SELECT seat.grp, seat.players, seat.bot, count(*) AS n, sum(seat.win_share) AS wins, sum(seat.score) AS score,
    sum(seat.plans::INT) AS plans, sum(tickets_completed) AS tickets_completed, sum(routes) AS routes
FROM seat JOIN seats USING (run, game, seat) GROUP BY ALL"""
# Pairs of seats of two styles in a game. A shared win counts in parts.
BY_PAIR = """
SELECT own.grp, own.players, own.bot, other.bot AS opponent, count(*) AS n, sum(own.win_share) AS wins,
    sum(other.win_share) AS losses
FROM seat AS own JOIN seat AS other USING (run, game) WHERE own.bot <> other.bot GROUP BY ALL"""


def matchups(games: Database) -> pd.DataFrame:
    """The first style's share of the wins that fall to one of two styles at the same table.

    With two players this is the plain win share between them. With more it shows which of the two is likelier to win,
    no matter who else plays. Pairs of seats count each, so a style that sits twice at a table has no advantage from it.
    """
    sums = games.sums(BY_PAIR, "players", "bot", "opponent")
    share = ratio(sums["wins"], sums["wins"] + sums["losses"])
    keys = sums.keys.assign(n=sums.total("n"), p=share.p_value(0.5))
    table = Measured(keys, {"share": share}, games.blocks(keys)).table("matchups")
    return table.assign(p_adjusted=_holm_over_pairs(table))


def strategies(games: Database, duels: pd.DataFrame) -> pd.DataFrame:
    """Mean win share and score per seat held, Bradley-Terry rating, and the verdict from `matchups`.

    A share is against the opponents of these runs: the lineups are taken as the field one cares about.
    """
    sums, pairs = games.sums(BY_STYLE, "players", "bot"), games.sums(BY_PAIR, "players", "bot", "opponent")
    verdicts = [
        _verdict(duels, players, bot) for players, bot in zip(sums.keys["players"], sums.keys["bot"], strict=True)
    ]
    keys = sums.keys.assign(
        n=sums.total("n"), fair=1 / sums.keys["players"], plans=sums.total("plans") > 0, verdict=verdicts
    )
    estimates = {name: sums.mean(name) for name in ("score", "tickets_completed", "routes")}
    estimates |= {"win_share": sums.mean("wins"), "rating": _ratings(sums.keys, pairs)}
    bounds = dict.fromkeys(("tickets_completed", "routes"), AT_LEAST_0)
    return Measured(keys, estimates, games.blocks(keys), bounds).table("strategies")


def _ratings(styles: pd.DataFrame, pairs: Sums) -> Estimate:
    """Rate the styles of each player count."""
    ratings = []
    for players, rows in styles.groupby("players"):
        bots = pd.Index(rows["bot"])
        here = pairs.keys["players"].to_numpy() == players
        wins = np.zeros((GROUPS, len(bots), len(bots)))
        row, column = (bots.get_indexer(pd.Index(pairs.keys[name][here])) for name in ("bot", "opponent"))
        wins[:, row, column] = pairs["wins"][:, here]
        ratings.append(bradley_terry(wins))
    return Estimate.join(ratings)


def cycles(duels: pd.DataFrame) -> pd.DataFrame:
    """Circles of styles, each clearly ahead of the next in `matchups`: the clearest first, of these the short ones."""
    rows = []
    for players, pairs in duels.groupby("players"):
        ahead = pairs[clearly_ahead(pairs)]
        margins = dict(zip(zip(ahead["bot"], ahead["opponent"], strict=True), ahead["share"] - 0.5, strict=True))
        for circle in _circles(set(margins)):
            rows.append((players, BEATS.join(circle), min(margins[edge] for edge in pairwise(circle))))
    rows.sort(key=lambda row: (row[0], -row[2], row[1].count(BEATS), row[1]))
    return pd.DataFrame(rows, columns=TABLES["cycles"].column_names)


def _holm_over_pairs(table: pd.DataFrame) -> pd.Series:
    """Correct over pairs of styles: A against B and B against A are one test."""
    once = table["bot"] < table["opponent"]
    adjusted = pd.Series(holm(table["p"].where(once)), index=table.index)
    names = ["players", "bot", "opponent"]
    turned = table[names].assign(p=adjusted)[once].rename(columns={"bot": "opponent", "opponent": "bot"})
    return adjusted.where(once, table[names].merge(turned, how="left", on=names)["p"])


def clearly_ahead(duels: pd.DataFrame) -> pd.Series:
    return (duels["p_adjusted"] <= ALPHA) & (duels["share"] >= 0.5 + CLEAR_MARGIN)


def clearly_behind(duels: pd.DataFrame) -> pd.Series:
    return (duels["p_adjusted"] <= ALPHA) & (duels["share"] <= 0.5 - CLEAR_MARGIN)


def _verdict(duels: pd.DataFrame, players: int, bot: str) -> str:
    own = duels[(duels["players"] == players) & (duels["bot"] == bot)]
    if own.empty:
        return ""
    if clearly_ahead(own).all():
        return "dominant"
    return "dominated" if clearly_behind(own).all() else ""


def _circles(edges: Collection[tuple[str, str]]) -> Iterator[list[str]]:
    """Closed ways along the edges that are not too long, each from the first of its styles by name."""
    waiting = [[bot] for bot in {bot for bot, _ in edges}]
    while waiting:
        way = waiting.pop()
        ahead = [other for bot, other in edges if bot == way[-1]]
        if way[0] in ahead:
            yield [*way, way[0]]
        if len(way) < LONGEST_CYCLE:
            waiting += [[*way, other] for other in ahead if other > way[0] and other not in way]


def bradley_terry(wins: Floats) -> Estimate:
    """Rate K styles, with mean 0, from `wins` (G, K, K): by group, of the row's style over the column's.

    Fitted to the sums and, for the jackknife, to the sums without each group in turn. Missing where some styles
    never met, not even through others: no scale joins them.
    """
    total = wins.sum(axis=0)
    met = (total + total.T) > 0
    groups = (wins.sum(axis=2) + wins.sum(axis=1) > 0).sum(axis=0)
    trials = total.sum(axis=1) + total.sum(axis=0)
    if len(total) < 2 or not _is_joined(met):
        missing = np.full(len(total), np.nan)
        return Estimate(missing, np.tile(missing, (len(wins), 1)), groups, trials)
    ratings = _fit(total[None] + PRIOR * met, np.zeros((1, len(total))))
    deleted = _fit(total - wins + PRIOR * met, np.repeat(ratings, len(wins), axis=0))
    return Estimate(ratings[0] * ELO, deleted * ELO, groups, trials)


def _is_joined(met: NDArray[np.bool_]) -> bool:
    """Do all styles meet all others, be it through third ones?"""
    one_step = (met | np.eye(len(met), dtype=bool)).astype(float)
    return bool(np.linalg.matrix_power(one_step, len(met)).all())


def _fit(wins: Floats, ratings: Floats) -> Floats:
    """Take Newton's steps to the largest likelihood, for many tables of wins (B, K, K) at once."""
    games = wins + wins.transpose(0, 2, 1)
    won = wins.sum(axis=2)
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(ratings[:, None, :] - ratings[:, :, None]))
        gradient = won - (games * expected).sum(axis=2)
        step = np.linalg.solve(_curvature(games * expected * (1 - expected)), gradient[..., None])[..., 0]
        ratings = ratings + np.clip(step, -2, 2)  # far from the top a full step overshoots
        if np.abs(step).max() < 1e-10:
            break
    centered: Floats = ratings - ratings.mean(axis=1, keepdims=True)
    return centered


def _curvature(weights: Floats) -> Floats:
    """Curvature of the log-likelihood, with ones that remove the freedom to add a constant to all ratings."""
    diagonal: NDArray[np.float64] = weights.sum(axis=2)[:, :, None] * np.eye(weights.shape[1])
    return diagonal - weights + 1.0
