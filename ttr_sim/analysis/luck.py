"""How much does the opening decide? The same hands, row and tickets, played on with other cards.

Two games of one opening have nothing in common but the opening and the players. So the covariance of a seat's win share
between them, over its variance, is the share of the variance that the opening explains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, derive
from ttr_sim.analysis.sums import Measured, Sums, stack
from ttr_sim.analysis.tables import SHAPE_LUCK
from ttr_sim.run.fields import STRONG_BOT
from ttr_sim.run.opened import Run

EITHER_WAY = (-1.0, 1.0)  # by chance alone games of one opening can also differ more than others do
CASE = ["deal", "rotation", "seat"]


def luck(runs: Sequence[Run]) -> pd.DataFrame:
    """Return what the opening explains, among strong players and beside a weaker one, and what skill explains there."""
    return stack(SHAPE_LUCK, list(_measured(runs)))


def _measured(runs: Sequence[Run]) -> Iterator[Measured]:
    for players in sorted({run.plan.players for run in runs}):
        strong, mixed = _replays(runs, players, weaker=False), _replays(runs, players, weaker=True)
        if strong is None:
            continue
        estimates = {"opening": explained(strong)}
        if mixed is not None:
            estimates["opening_weaker"] = explained(mixed[mixed["bot"] == STRONG_BOT])
            estimates["skill"] = _explained_by_skill(mixed, players)
        deals = strong["deal"].nunique()
        keys = pd.DataFrame({"players": [players], "n": [deals]})
        yield Measured(keys, estimates, deals, dict.fromkeys(("opening", "opening_weaker"), EITHER_WAY))


def _replays(runs: Sequence[Run], players: int, *, weaker: bool) -> pd.DataFrame | None:
    """Return win shares by deal, rotation and seat, a column for each replay; only what was played in all of them."""
    redealt = [run for run in runs if run.plan.redeal and run.plan.players == players and run.finished_games]
    redealt = [run for run in redealt if (set(run.plan.bots) != {STRONG_BOT}) == weaker]
    if not redealt:
        return None
    first = redealt[0].plan
    plain = (run for run in runs if not run.plan.redeal and (run.plan.players, run.plan.seed) == (players, first.seed))
    plain = (run for run in plain if run.finished_games and set(run.plan.bots) == set(first.bots))
    tables = [_win_shares(run).rename(columns={"win_share": f"replay {n}"}) for n, run in enumerate([*plain, *redealt])]
    both, *others = tables
    for table in others:
        both = both.merge(table.drop(columns="bot"), on=CASE)
    return both if others and len(both) else None


def _win_shares(run: Run) -> pd.DataFrame:
    games = run.games(["game", "deal"])
    games["rotation"] = games.groupby("deal").cumcount()
    return games.merge(run.seats(["game", "seat", "bot", "win_share"]), on="game").drop(columns="game")


def explained(replays: pd.DataFrame) -> Estimate:
    """Return the covariance between replays over the variance; numbers are taken from the mean of their seat."""
    columns = [name for name in replays.columns if str(name).startswith("replay")]
    of_seat = replays.groupby(["rotation", "seat"])[columns].transform("mean").mean(axis=1)
    off = replays[columns].to_numpy(float) - of_seat.to_numpy(float)[:, None]
    together = np.mean([off[:, a] * off[:, b] for a, b in combinations(range(len(columns)), 2)], axis=0)
    frame = pd.DataFrame({"grp": replays["deal"] % GROUPS, "together": together, "alone": (off**2).mean(axis=1)})
    return Sums.of(frame, []).mean("together", of="alone")


def _explained_by_skill(replays: pd.DataFrame, players: int) -> Estimate:
    """Return the share of the variance of the win share that lies between the stronger players and the weaker one."""
    columns = [name for name in replays.columns if str(name).startswith("replay")]
    won = replays[columns].to_numpy(float)
    weak = (replays["bot"] != STRONG_BOT).to_numpy()
    frame = pd.DataFrame(
        {
            "grp": replays["deal"] % GROUPS,
            "n": 1.0,
            "games": weak.astype(float),
            "wins": won.mean(axis=1) * weak,
            "squares": (won**2).mean(axis=1),
        }
    )
    sums = Sums.of(frame, [])

    def share(wins: Floats, squares: Floats) -> Floats:
        between = (wins - 1 / players) ** 2 * (1 + 1 / (players - 1)) / players
        return np.asarray(between / (squares - 1 / players**2))

    return derive(share, sums.mean("wins", of="games"), sums.mean("squares"))
