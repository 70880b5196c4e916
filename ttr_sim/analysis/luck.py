"""How much does the opening decide? The same hands, row and tickets, played on with other cards.

Two games of one opening have nothing in common but the opening and the players. So the covariance of a seat's win share
between them, over its variance, is the share of the variance that the opening explains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import numpy as np
import pandas as pd

from ttr_sim.analysis.columns import Column, Flags, Ints, read_columns, with_places
from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, derive
from ttr_sim.analysis.sums import Measured, Sums, every, stack, tally
from ttr_sim.analysis.tables import SHAPE_LUCK
from ttr_sim.run.fields import STRONG_BOT
from ttr_sim.run.opened import Run

EITHER_WAY = (-1.0, 1.0)  # by chance alone games of one opening can also differ more than others do


@dataclass(frozen=True)
class Replays:
    """Win shares of seats, a column for each replay; a place is a seat in a rotation of the lineup."""

    deal: Ints
    place: Ints
    bot: Column
    won: Floats

    def where(self, chosen: Flags | Ints) -> Replays:
        return Replays(self.deal[chosen], self.place[chosen], self.bot[chosen], self.won[chosen])

    def beside(self, other: Replays) -> Replays:
        """Return what was played in both, side by side."""
        places = max(of.place.max(initial=0) for of in (self, other)) + 1
        case, case_of_other = (of.deal * places + of.place for of in (self, other))
        _, own, others = np.intersect1d(case, case_of_other, assume_unique=True, return_indices=True)
        both = self.where(own)
        return Replays(both.deal, both.place, both.bot, np.hstack([both.won, other.won[others]]))

    def sums(self, **measures: Floats | Flags | None) -> Sums:
        return tally(every(all=[0]), self.deal % GROUPS, np.zeros_like(self.deal), **measures)


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
            estimates["opening_weaker"] = explained(mixed.where(mixed.bot == STRONG_BOT))
            estimates["skill"] = _explained_by_skill(mixed, players)
        deals = len(np.unique(strong.deal))
        keys = pd.DataFrame({"players": [players], "n": [deals]})
        yield Measured(keys, estimates, deals, dict.fromkeys(("opening", "opening_weaker"), EITHER_WAY))


def _replays(runs: Sequence[Run], players: int, *, weaker: bool) -> Replays | None:
    """Return what was played in all replays, if there are several."""
    redealt = [run for run in runs if run.plan.redeal and run.plan.players == players and run.finished_games]
    redealt = [run for run in redealt if (set(run.plan.bots) != {STRONG_BOT}) == weaker]
    if not redealt:
        return None
    first = redealt[0].plan
    plain = (run for run in runs if not run.plan.redeal and (run.plan.players, run.plan.seed) == (players, first.seed))
    plain = (run for run in plain if run.finished_games and set(run.plan.bots) == set(first.bots))
    all_of_them = [*plain, *redealt]
    together = reduce(Replays.beside, map(_played, all_of_them))
    return together if len(all_of_them) > 1 and len(together.deal) else None


def _played(run: Run) -> Replays:
    games = read_columns(run, "games", ("game", "deal"))
    seats = with_places(read_columns(run, "seats", ("game", "seat", "bot", "win_share")), games["game"])
    rotation = _times_before(games["deal"])
    place = rotation[seats["game"]] * run.plan.players + seats["seat"]
    return Replays(games["deal"][seats["game"]], place, seats["bot"], seats["win_share"][:, None])


def _times_before(numbers: Ints) -> Ints:
    """Return how many times each number stood there before."""
    order = np.argsort(numbers, kind="stable")
    times = np.empty_like(order)
    times[order] = np.arange(len(order)) - np.searchsorted(numbers[order], numbers[order])
    return times


def explained(replays: Replays) -> Estimate:
    """Return the covariance between replays over the variance; numbers are taken from the mean of their place."""
    of_place = np.bincount(replays.place, replays.won.mean(axis=1)) / np.maximum(np.bincount(replays.place), 1)
    off = replays.won - of_place[replays.place, None]
    together = np.mean([off[:, a] * off[:, b] for a, b in combinations(range(off.shape[1]), 2)], axis=0)
    return replays.sums(together=together, alone=(off**2).mean(axis=1)).mean("together", of="alone")


def _explained_by_skill(replays: Replays, players: int) -> Estimate:
    """Return the share of the variance of the win share that lies between the stronger players and the weaker one."""
    won, weak = replays.won, replays.bot != STRONG_BOT
    sums = replays.sums(n=None, games=weak, wins=won.mean(axis=1) * weak, squares=(won**2).mean(axis=1))

    def share(wins: Floats, squares: Floats) -> Floats:
        between = (wins - 1 / players) ** 2 * (1 + 1 / (players - 1)) / players
        return np.asarray(between / (squares - 1 / players**2))

    return derive(share, sums.mean("wins", of="games"), sums.mean("squares"))
