"""B minus A: deal by deal when both were played on the same deals, else as two independent samples.

Which runs can be compared, which of them deal by deal, and which bots stand for each other, is decided here too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import special

from ttr_sim.analysis.jackknife import FEW_GROUPS, Estimate, Floats, difference
from ttr_sim.analysis.queries import query
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.thresholds import FEW_TRIALS, LEVEL
from ttr_sim.bots.api import without_values
from ttr_sim.errors import UserError, no_games
from ttr_sim.run.opened import Run

NUMBERS = ("a", "b", "difference", "low", "high", "p")
BLOCKS = "SELECT DISTINCT block FROM {games}"
OUTCOMES = """
    SELECT game, any_value(block) AS block,
        bit_xor(hash(seat, score, rank, routes, tickets_completed, trains_left, seats.turns, "end")) AS outcome
    FROM {games} games JOIN {seats} seats USING (game) GROUP BY game ORDER BY game
"""


def refuse_nonsense(a: Run, b: Run) -> None:
    if a.plan.players != b.plan.players:
        raise UserError(
            f"{a.path} has {a.plan.players} players and {b.path} has {b.plan.players}; "
            "compare runs with the same number of players"
        )
    for run in (a, b):
        if not run.finished_games:
            raise no_games(run.path)


def why_unpaired(a: Run, b: Run) -> str:
    """Return why the runs were not played on the same deals; empty when they were."""
    if a.plan.seed != b.plan.seed:
        return f"their seeds are {a.plan.seed} and {b.plan.seed}"
    if len(a.plan.bots) != len(b.plan.bots):
        return f"{len(a.plan.bots)} bots played on one side and {len(b.plan.bots)} on the other"
    return ""


def keep_common_blocks(a: Source, b: Source) -> int:
    """Leave out what only one side has played; return the number of blocks that are left."""
    first, second = (query(source.runs[0], BLOCKS)["block"].to_numpy() for source in (a, b))
    common = np.intersect1d(first, second)
    if not len(common):
        raise UserError("the two runs have no finished deal in common yet; resume both")
    for source, blocks in ((a, first), (b, second)):
        if len(blocks) > len(common):
            source.keep_blocks(common)
    return len(common)


def are_same_games(a: Run, b: Run) -> bool:
    """Return whether every game of the blocks that both played went the same way: for each seat the same score, rank,
    routes and turns."""
    first, second = (query(run, OUTCOMES) for run in (a, b))
    both = (rows[rows["block"].isin(other["block"])] for rows, other in ((first, second), (second, first)))
    one, other = (rows.reset_index(drop=True) for rows in both)
    return one.equals(other)


def match_styles(a: Run, b: Run) -> pd.DataFrame:
    """Match bots by position in `--bots` (by name when there are not as many): `name` of the headline, `a` and `b`."""
    old, new = a.plan.bots, b.plan.bots
    pairs = zip(old, new, strict=True) if len(old) == len(new) else ((bot, bot) for bot in old if bot in new)
    alone = len(set(old)) == len(set(new)) == 1  # then its share is fair by design
    short = _short_names([*old, *new])
    rows = [] if alone else [(_name(short[pair[0]], short[pair[1]]), *pair) for pair in dict.fromkeys(pairs)]
    return pd.DataFrame(rows, columns=["name", "a", "b"])


def _short_names(bots: Sequence[str]) -> dict[str, str]:
    """Leave out parameters where the style alone shows which bot is meant."""
    styles = Counter(without_values(bot) for bot in set(bots))
    return {bot: without_values(bot) if styles[without_values(bot)] == 1 else bot for bot in bots}


def _name(old: str, new: str) -> str:
    return f"Wins of {old}" if old == new else f"Wins of {new} in place of {old}"


def contrast(a: Estimate, b: Estimate, paired: bool) -> pd.DataFrame:
    """Return both numbers of each key, their difference with its 95 % interval, and p of no difference."""
    gap = b.value - a.value
    error, freedom = _of_pairs(a, b) if paired else _of_independent(a, b)
    agree_by_chance = (error == 0) & (np.minimum(a.groups, b.groups) < FEW_GROUPS)
    too_few = np.minimum(a.trials, b.trials) < FEW_TRIALS
    error = np.where(agree_by_chance | too_few, np.nan, error)
    reach, p = special.stdtrit(freedom, 0.5 + LEVEL / 2) * error, _p_value(gap, error, freedom)
    numbers = (a.value, b.value, gap, gap - reach, gap + reach, p)
    return pd.DataFrame(dict(zip(NUMBERS, numbers, strict=True)))


def _of_pairs(a: Estimate, b: Estimate) -> tuple[Floats, Floats]:
    """Return standard error and degrees of freedom; what both share, such as the luck of the deal, cancels."""
    gap = difference(b, a)
    return gap.error, np.maximum(gap.groups - 1.0, 1.0)


def _of_independent(a: Estimate, b: Estimate) -> tuple[Floats, Floats]:
    """Return the same by Welch and Satterthwaite."""
    variances = np.stack([_variance(a, b), _variance(b, a)])
    own = np.stack([a.groups, b.groups]) - 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        freedom = variances.sum(axis=0) ** 2 / (variances**2 / own).sum(axis=0)
    return np.sqrt(variances.sum(axis=0)), np.where(freedom > 0, freedom, np.maximum(own.min(axis=0), 1.0))


def _variance(side: Estimate, other: Estimate) -> Floats:
    """Return the variance; for a share of exactly 0 or 1, which shows none, what it would be if both sides were
    alike."""
    trials = np.maximum(side.trials + other.trials, 1.0)
    together = (side.value * side.trials + other.value * other.trials) / trials
    if_alike = together * (1 - together) / np.maximum(side.trials, 1.0)
    shows_none = (side.error == 0) & ((side.value == 0) | (side.value == 1)) & (if_alike >= 0)
    return np.where(shows_none, if_alike, side.error**2)


def _p_value(gap: Floats, error: Floats, freedom: Floats) -> Floats:
    """Return the two-sided p; 1 where nothing varies and nothing differs."""
    with np.errstate(invalid="ignore", divide="ignore"):
        p: Floats = 2 * special.stdtr(freedom, -np.abs(gap) / error)
    return np.where((error == 0) & np.isclose(gap, 0), 1.0, p)
