"""B minus A: deal by deal when both were played on the same deals, else as two independent samples."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ttr_sim.analysis.jackknife import FEW_GROUPS, Estimate, Floats, difference

NUMBERS = ("a", "b", "difference", "low", "high", "p")


def contrast(a: Estimate, b: Estimate, paired: bool) -> pd.DataFrame:
    """Both numbers of each key, their difference with its 95 % interval, and p of no difference."""
    gap = difference(b, a) if paired else independent_difference(b, a)
    unknown = (gap.error == 0) & (gap.groups < FEW_GROUPS)  # a handful of deals that agree by chance
    low, high = gap.interval()
    told = [np.where(unknown, np.nan, number) for number in (low, high, gap.p_value())]
    return pd.DataFrame(dict(zip(NUMBERS, [a.value, b.value, gap.value, *told], strict=True)))


def independent_difference(first: Estimate, second: Estimate) -> Estimate:
    """First minus second: the groups of both one below the other, with Welch's and Satterthwaite's freedom."""
    variances = np.stack([first.error**2, second.error**2])
    own = np.stack([first.groups, second.groups])
    with np.errstate(invalid="ignore", divide="ignore"):
        freedom = variances.sum(axis=0) ** 2 / (variances**2 / (own - 1)).sum(axis=0)
    poorest = own.min(axis=0)
    groups = np.where(np.isfinite(freedom), np.floor(freedom), poorest - 1).astype(np.int64) + 1
    value = first.value - second.value
    moved = [_moved(estimate, groups) for estimate in (first, second)]
    return Estimate(
        value, value + np.concatenate([moved[0], -moved[1]]), groups, np.minimum(first.trials, second.trials)
    )


def _moved(estimate: Estimate, groups: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    """How far leaving out each group moves it, in the measure of a jackknife over that many groups."""
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.sqrt((estimate.groups - 1) / estimate.groups * groups / (groups - 1))
    moved: Floats = (estimate.deleted - estimate.value) * scale
    return moved
