"""Win shares: by seat, by style against style, and of variants that one seat plays among strong players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, difference, holm, ratio
from ttr_sim.analysis.tables import AT_LEAST_0, TABLES, Measured
from ttr_sim.analysis.thresholds import ALPHA, CLEAR_MARGIN, LONGEST_CYCLE, REWARD_MARGIN, SEAT_MARGIN
from ttr_sim.run.lineups import STRONG_BOT, variants
from ttr_sim.run.read import Run

ELO = 400 / np.log(10)  # rating points of one unit of log odds
PRIOR = 0.5  # wins lent to both sides of each pair that met: keeps the rating of the unbeaten finite
MOST_STEPS = 50
BEATS = " > "

BY_SEAT = """
SELECT grp, players, bot, seat, count(*) AS n, sum(win_share) AS wins, sum(score) AS score,
    sum(score * win_share) AS winning
FROM seat GROUP BY ALL"""
BY_VARIANT = f"""
SELECT grp, players, bot, count(*) AS n, sum(win_share) AS wins FROM seat WHERE bot <> '{STRONG_BOT}' GROUP BY ALL"""
BLOCKS_OF_VARIANT = f"""
SELECT players, bot, count(*) AS blocks
FROM (
    SELECT DISTINCT players, bot, run, block FROM seat JOIN game USING (run, game, players) WHERE bot <> '{STRONG_BOT}'
) GROUP BY ALL ORDER BY ALL"""
BY_STYLE = """
SELECT seat.grp, seat.players, seat.bot, count(*) AS n, sum(seat.win_share) AS wins, sum(seat.score) AS score,
    sum(seat.plans::INT) AS plans, sum(tickets_completed) AS tickets_completed, sum(routes) AS routes
FROM seat JOIN seats USING (run, game, seat) GROUP BY ALL"""
# Pairs of seats of two styles in a game. A shared win counts in parts.
BY_PAIR = """
SELECT own.grp, own.players, own.bot, other.bot AS opponent, count(*) AS n, sum(own.win_share) AS wins,
    sum(other.win_share) AS losses
FROM seat AS own JOIN seat AS other USING (run, game) WHERE own.bot <> other.bot GROUP BY ALL"""


def seats(games: Database) -> pd.DataFrame:
    """Mean win share and score by seat.

    Each block plays all distinct rotations of its lineup, so every bot sits in every seat with the same deal, and the
    seat alone makes the difference.
    """
    sums, _ = games.sums(BY_SEAT, "players", "bot", "seat").over("players", "seat")
    win_share, fair = sums.mean("wins"), 1 / sums.keys["players"]
    keys = sums.keys.assign(n=sums.total("n"), fair=fair, p=win_share.p_value(fair.to_numpy()))
    estimates = {"win_share": win_share, "score": sums.mean("score")}
    table = Measured(keys, estimates, games.blocks(keys)).table("seats")
    return table.assign(p_adjusted=holm(table["p"]))


def clearly_off(seats: pd.DataFrame) -> pd.Series:
    """Seats that are surely off their fair share, by enough to matter."""
    gap = (seats["win_share"] - seats["fair"]).abs().round(9)
    return (seats["p_adjusted"] <= ALPHA) & (gap >= SEAT_MARGIN)


def rewards(runs: Sequence[Run]) -> pd.DataFrame:
    with Database(runs) as games:
        sums, blocks = games.sums(BY_VARIANT, "players", "bot"), games.frame(BLOCKS_OF_VARIANT)["blocks"].to_numpy()
    share, fair = sums.mean("wins"), 1 / sums.keys["players"].to_numpy()
    share = replace(share, trials=np.minimum(share.trials, blocks))
    names = {bot: name for name, bot in variants(runs[0].edition).items()}
    variant = [names.get(bot, bot) for bot in sums.keys["bot"]]
    p = share.p_value(fair)
    keys = sums.keys.assign(variant=variant, n=sums.total("n"), fair=fair, p=p)
    return Measured(keys, {"win_share": share}, blocks).table("rewards").assign(p_adjusted=holm(p))


def clearly_pay_or_cost(rewards: pd.DataFrame) -> pd.Series:
    """Variants that surely win more or less than their share, by enough to matter."""
    gap = (rewards["win_share"] - rewards["fair"]).abs()
    return (rewards["p_adjusted"] <= ALPHA) & (gap >= REWARD_MARGIN)


def of_styles(games: Database) -> dict[str, pd.DataFrame]:
    duels = matchups(games)
    return {
        "strategies": strategies(games, duels),
        "matchups": duels,
        "cycles": cycles(duels),
        "seats_by_bot": seats_by_bot(games),
    }


def seats_by_bot(games: Database) -> pd.DataFrame:
    sums = games.sums(BY_SEAT, "players", "bot", "seat")
    of_bots, bot = sums.over("players", "bot")
    win_share = sums.mean("wins")
    gain = difference(win_share, of_bots.mean("wins").pick(bot))
    keys = sums.keys.assign(n=sums.total("n"))
    return Measured(keys, {"win_share": win_share, "gain": gain}, games.blocks(keys)).table("seats_by_bot")


def matchups(games: Database) -> pd.DataFrame:
    """The first style's share of the wins of either at one table.

    With more than two players it shows which of the two is likelier to win, no matter the others. Pairs of seats count
    each, so a style that sits twice at a table has no advantage from it.
    """
    sums = games.sums(BY_PAIR, "players", "bot", "opponent")
    share = ratio(sums["wins"], sums["wins"] + sums["losses"])
    keys = sums.keys.assign(n=sums.total("n"), p=share.p_value(0.5))
    table = Measured(keys, {"share": share}, games.blocks(keys)).table("matchups")
    # A against B and B against A are one test, so half of the pairs are corrected and the others take their values.
    once = table["bot"] < table["opponent"]
    adjusted = pd.Series(holm(table["p"].where(once)), index=table.index)
    names = ["players", "bot", "opponent"]
    turned = table[names].assign(p=adjusted)[once].rename(columns={"bot": "opponent", "opponent": "bot"})
    return table.assign(p_adjusted=adjusted.where(once, table[names].merge(turned, how="left", on=names)["p"]))


def clearly_ahead(duels: pd.DataFrame) -> pd.Series:
    return (duels["p_adjusted"] <= ALPHA) & (duels["share"] >= 0.5 + CLEAR_MARGIN)


def strategies(games: Database, duels: pd.DataFrame) -> pd.DataFrame:
    """Mean win share and score, Bradley-Terry rating, and verdict of each style.

    A share is against the opponents of these runs: the lineups are taken as the field one cares about.
    """
    sums, pairs = games.sums(BY_STYLE, "players", "bot"), games.sums(BY_PAIR, "players", "bot", "opponent")
    behind = (duels["p_adjusted"] <= ALPHA) & (duels["share"] <= 0.5 - CLEAR_MARGIN)
    judged = duels[["players", "bot"]].assign(dominant=clearly_ahead(duels), dominated=behind)
    judged = judged.groupby(["players", "bot"], as_index=False).all()
    judged = sums.keys.merge(judged, how="left", on=["players", "bot"])
    verdict = np.select([judged[name].eq(True) for name in ("dominant", "dominated")], ["dominant", "dominated"], "")
    keys = sums.keys.assign(
        n=sums.total("n"), fair=1 / sums.keys["players"], plans=sums.total("plans") > 0, verdict=verdict.astype(object)
    )
    ratings = []
    for players, rows in sums.keys.groupby("players"):
        bots = pd.Index(rows["bot"])
        here = pairs.keys["players"].to_numpy() == players
        wins = np.zeros((GROUPS, len(bots), len(bots)))
        row, column = (bots.get_indexer(pd.Index(pairs.keys[name][here])) for name in ("bot", "opponent"))
        wins[:, row, column] = pairs["wins"][:, here]
        ratings.append(bradley_terry(wins))
    estimates = {name: sums.mean(name) for name in ("score", "tickets_completed", "routes")}
    estimates |= {"win_share": sums.mean("wins"), "rating": Estimate.join(ratings)}
    bounds = dict.fromkeys(("tickets_completed", "routes"), AT_LEAST_0)
    return Measured(keys, estimates, games.blocks(keys), bounds).table("strategies")


def cycles(duels: pd.DataFrame) -> pd.DataFrame:
    """Circles of styles, each clearly ahead of the next, the clearest first."""
    from networkx import DiGraph, simple_cycles

    rows = []
    for players, pairs in duels.groupby("players"):
        margins = (pairs[clearly_ahead(pairs)].set_index(["bot", "opponent"])["share"] - 0.5).to_dict()
        for circle in simple_cycles(DiGraph(list(margins)), length_bound=LONGEST_CYCLE):
            first = circle.index(min(circle))
            closed = [*circle[first:], *circle[: first + 1]]
            rows.append((players, BEATS.join(closed), min(margins[edge] for edge in pairwise(closed))))
    rows.sort(key=lambda row: (row[0], -row[2], row[1].count(BEATS), row[1]))
    return pd.DataFrame(rows, columns=TABLES["cycles"].column_names)


def bradley_terry(wins: Floats) -> Estimate:
    """Rate K styles, with mean 0, from their wins (G, K, K) over each other.

    Fitted to the sums and, for the jackknife, to the sums without each group in turn. Missing where some styles
    never met, not even through others: no scale joins them.
    """
    total = wins.sum(axis=0)
    met = (total + total.T) > 0
    groups = (wins.sum(axis=2) + wins.sum(axis=1) > 0).sum(axis=0)
    trials = total.sum(axis=1) + total.sum(axis=0)
    # A power of the matrix of single steps shows the styles that any others lead to.
    one_step = (met | np.eye(len(met), dtype=bool)).astype(float)
    if len(total) < 2 or not np.linalg.matrix_power(one_step, len(met)).all():
        missing = np.full(len(total), np.nan)
        return Estimate(missing, np.tile(missing, (len(wins), 1)), groups, trials)
    # Newton's steps to the largest likelihood, for all tables of wins at once.
    each = np.concatenate([total[None], total - wins]) + PRIOR * met
    games, won = each + each.transpose(0, 2, 1), each.sum(axis=2)
    ratings = np.zeros(won.shape)
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(ratings[:, None, :] - ratings[:, :, None]))
        gradient = won - (games * expected).sum(axis=2)
        weights = games * expected * (1 - expected)
        diagonal = weights.sum(axis=2)[:, :, None] * np.eye(len(total))
        # The ones remove the freedom to add a constant to all ratings.
        step = np.linalg.solve(diagonal - weights + 1.0, gradient[..., None])[..., 0]
        ratings = ratings + np.clip(step, -2, 2)  # far from the top a full step overshoots
        if np.abs(step).max() < 1e-10:
            break
    ratings = (ratings - ratings.mean(axis=1, keepdims=True)) * ELO
    return Estimate(ratings[0], ratings[1:], groups, trials)
