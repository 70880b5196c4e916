"""Which play styles win, against whom, and is there one that beats all others?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, permutations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, holm, ratio
from ttr_sim.analysis.rows import Rows
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import AT_LEAST_0, Measured, Sums, every, stack, tally
from ttr_sim.analysis.tables import CYCLES, MATCHUPS, STRATEGIES
from ttr_sim.analysis.thresholds import ALPHA, CLEAR_MARGIN, LONGEST_CYCLE

ELO = 400 / np.log(10)  # rating points of one unit of log odds
PRIOR = 0.5  # wins lent to both sides of each pair that met: keeps the rating of the unbeaten finite
MOST_STEPS = 50
BEATS = " > "


def by_style(rows: Rows) -> Sums:
    seats, outcomes = rows.seats, rows.outcomes
    measures = {"wins": seats["win_share"], "score": seats["score"], "plans": seats["plans"] == 1}
    measures |= {name: outcomes[name] for name in ("tickets_completed", "routes")}
    return tally(every(bot=rows.bots), seats.grp, seats["bot"], n=None, **measures)


def by_pair(rows: Rows) -> Sums:
    """Add up the pairs of seats of two styles in a game, and the wins of either, shared ones in parts."""
    bots, groups = len(rows.bots), rows.games.grp
    holder = rows.seats.game * bots + rows.seats["bot"]
    held, wins = (
        np.bincount(holder, values, len(groups) * bots).reshape(-1, bots) for values in (None, rows.seats["win_share"])
    )
    pairs = list(permutations(range(bots), 2))
    products = {"n": (held, held), "wins": (wins, held), "losses": (held, wins)}
    sums = {
        name: np.array([np.bincount(groups, own[:, a] * others[:, b], GROUPS) for a, b in pairs], float)
        for name, (own, others) in products.items()
    }
    keys = pd.DataFrame([(rows.bots[a], rows.bots[b]) for a, b in pairs], columns=["bot", "opponent"])
    return Sums(keys, {name: array.reshape(-1, GROUPS).T for name, array in sums.items()})


def matchups(sources: Sequence[Source]) -> pd.DataFrame:
    """Return the first style's share of the wins that fall to one of two styles at the same table.

    With two players this is the plain win share between them; with more it shows which of the two is likelier to win,
    whoever else plays. Pairs of seats count each, so a style that sits twice at a table has no advantage from it.
    """
    table = stack(MATCHUPS, [measure_matchups(source) for source in sources])
    return table.assign(p_adjusted=_holm_over_pairs(table))


def strategies(sources: Sequence[Source], duels: pd.DataFrame) -> pd.DataFrame:
    """Return mean win share and score per seat held, Bradley-Terry rating, and the verdict from `matchups`.

    Assumes that the lineups in the runs are the field one cares about: a share is against those opponents.
    """
    table = stack(STRATEGIES, [measure_strategies(source) for source in sources])
    verdicts = [_verdict(duels, players, bot) for players, bot in zip(table["players"], table["bot"], strict=True)]
    return table.assign(verdict=verdicts)


def cycles(duels: pd.DataFrame) -> pd.DataFrame:
    """Return circles of styles, each clearly ahead of the next in `matchups`: the clearest first, of these the short
    ones. They are found in any order."""
    rows = [row for players, pairs in duels.groupby("players") for row in _cycles_of(int(str(players)), pairs)]
    rows.sort(key=lambda row: (row[0], -row[2], row[1].count(BEATS), row[1]))
    return pd.DataFrame(rows, columns=CYCLES.column_names)


def measure_matchups(source: Source) -> Measured:
    sums = _pair_sums(source)
    share = _share(sums)
    keys = sums.keys.assign(players=source.players, n=sums.total("n"), p=share.p_value(0.5))
    return Measured(keys, {"share": share}, source.blocks)


def measure_strategies(source: Source) -> Measured:
    sums = source.ask(by_style)
    keys = sums.keys.assign(
        players=source.players, n=sums.total("n"), fair=1 / source.players, plans=sums.total("plans") > 0
    )
    means = {name: sums.mean(name) for name in ("score", "tickets_completed", "routes")}
    rating = bradley_terry(_win_table(_pair_sums(source), list(sums.keys["bot"])))
    bounds = dict.fromkeys(("tickets_completed", "routes"), AT_LEAST_0)
    return Measured(keys, {"win_share": sums.mean("wins"), "rating": rating, **means}, source.blocks, bounds)


def _pair_sums(source: Source) -> Sums:
    return source.ask(by_pair)


def _share(sums: Sums) -> Estimate:
    return ratio(sums["wins"], sums["wins"] + sums["losses"])


def _win_table(sums: Sums, bots: list[str]) -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
    wins = np.zeros((len(sums["wins"]), len(bots), len(bots)))
    row, column = (pd.Index(bots).get_indexer(pd.Index(sums.keys[name])) for name in ("bot", "opponent"))
    wins[:, row, column] = sums["wins"]
    return wins


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


def _cycles_of(players: int, duels: pd.DataFrame) -> Iterator[tuple[int, str, float]]:
    ahead = duels[clearly_ahead(duels)]
    margins = dict(zip(zip(ahead["bot"], ahead["opponent"], strict=True), ahead["share"] - 0.5, strict=True))
    for circle in _circles(set(margins)):
        yield players, BEATS.join(circle), min(margins[edge] for edge in pairwise(circle))


def _circles(edges: Collection[tuple[str, str]]) -> Iterator[list[str]]:
    """Return closed ways along the edges that are not too long, each from the first of its styles by name."""
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
    """Return whether everybody met everybody, be it through others."""
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
    """Return the log-likelihood's curvature; adding a constant to all ratings changes nothing, and the ones take
    that freedom out."""
    diagonal: NDArray[np.float64] = weights.sum(axis=2)[:, :, None] * np.eye(weights.shape[1])
    return diagonal - weights + 1.0
