"""Intervals that hold however often one looks, for runs that play on until they know enough.

A usual interval is right 95 times in 100 when it is looked at once. Who looks again and again, and stops as soon as it
excludes nothing, is wrong far more often. Here the interval is a confidence sequence: 95 of 100 studies never leave it,
at no number of blocks. It is Robbins' normal mixture with the estimated error in place of the true one, valid for many
blocks (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas: time-uniform central limit theory). An estimate's error comes
from the influence of its groups of blocks, as everywhere, so ratios and stratified effects have their sequences too.
"""

from __future__ import annotations

import math

import numpy as np

from ttr_sim.analysis.jackknife import Estimate, Floats
from ttr_sim.analysis.thresholds import LEVEL

SHARPEST_AT = 10_000  # blocks at which the sequence is narrowest, beside the usual interval; fixed ahead of any look
ALPHA = 1 - LEVEL
MIXTURE = (-2 * math.log(ALPHA) + math.log(-2 * math.log(ALPHA)) + 1) / SHARPEST_AT  # variance of the normal mixture


def widening(blocks: int) -> float:
    """Return half the width in standard errors, where the usual interval has 1.96: about 3 from thousands on."""
    spread = blocks * MIXTURE
    return math.sqrt((1 + 1 / spread) * math.log((spread + 1) / ALPHA**2))


def reach(estimate: Estimate, blocks: int) -> Floats:
    """Return half the width of each number's sequence; NaN where nothing is known of it yet."""
    _, high = estimate.interval()
    half_widths: Floats = (high - estimate.value) / estimate.quantile * widening(blocks)
    return half_widths


def p_at_any_look(difference: Floats, error: Floats, blocks: int) -> Floats:
    """Return the p-value of no difference that holds at every look: the level whose sequence just excludes 0."""
    spread = blocks * MIXTURE
    with np.errstate(invalid="ignore", divide="ignore"):
        evidence = np.square(difference / error) / (2 * (1 + 1 / spread))
    p: Floats = np.minimum(np.exp(0.5 * math.log(spread + 1) - np.where(np.isnan(evidence), 0.0, evidence)), 1.0)
    return np.where(np.isnan(error), np.nan, p)
