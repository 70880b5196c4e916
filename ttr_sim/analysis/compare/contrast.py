"""B minus A: deal by deal when both were played on the same deals, else as two independent samples."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from ttr_sim.analysis.jackknife import FEW_GROUPS, Estimate, Floats, difference
from ttr_sim.analysis.thresholds import FEW_TRIALS, LEVEL

NUMBERS = ("a", "b", "difference", "low", "high", "p")


def contrast(a: Estimate, b: Estimate, paired: bool) -> pd.DataFrame:
    """Both numbers of each key, their difference with its 95 % interval, and p of no difference."""
    gap = b.value - a.value
    error, freedom = _of_pairs(a, b) if paired else _of_independent(a, b)
    agree_by_chance = (error == 0) & (np.minimum(a.groups, b.groups) < FEW_GROUPS)
    too_few = np.minimum(a.trials, b.trials) < FEW_TRIALS
    error = np.where(agree_by_chance | too_few, np.nan, error)
    reach = stats.t.ppf(0.5 + LEVEL / 2, freedom) * error
    told = (a.value, b.value, gap, gap - reach, gap + reach, _p_value(gap, error, freedom))
    return pd.DataFrame(dict(zip(NUMBERS, told, strict=True)))


def _of_pairs(a: Estimate, b: Estimate) -> tuple[Floats, Floats]:
    """Standard error and degrees of freedom; what both share, such as the luck of the deal, cancels."""
    gap = difference(b, a)
    return gap.error, np.maximum(gap.groups - 1.0, 1.0)


def _of_independent(a: Estimate, b: Estimate) -> tuple[Floats, Floats]:
    """The same by Welch and Satterthwaite."""
    variances = np.stack([_variance(a, b), _variance(b, a)])
    own = np.stack([a.groups, b.groups]) - 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        freedom = variances.sum(axis=0) ** 2 / (variances**2 / own).sum(axis=0)
    return np.sqrt(variances.sum(axis=0)), np.where(freedom > 0, freedom, np.maximum(own.min(axis=0), 1.0))


def _variance(side: Estimate, other: Estimate) -> Floats:
    """Of a share of exactly 0 or 1, which shows none: what it would be if both sides were alike."""
    trials = np.maximum(side.trials + other.trials, 1.0)
    together = (side.value * side.trials + other.value * other.trials) / trials
    if_alike = together * (1 - together) / np.maximum(side.trials, 1.0)
    shows_none = (side.error == 0) & ((side.value == 0) | (side.value == 1)) & (if_alike >= 0)
    return np.where(shows_none, if_alike, side.error**2)


def _p_value(gap: Floats, error: Floats, freedom: Floats) -> Floats:
    """Two-sided; 1 where nothing varies and nothing differs."""
    with np.errstate(invalid="ignore", divide="ignore"):
        p: Floats = 2 * stats.t.sf(np.abs(gap) / error, freedom)
    return np.where((error == 0) & np.isclose(gap, 0), 1.0, p)
