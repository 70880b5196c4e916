"""The one mechanism of intervals: sums by group of blocks, delete-a-group jackknife, Student's t.

A block is one deal played with all distinct rotations of a lineup. Blocks are independent, games of a block are not.
Leaving out one group of blocks at a time shows how much an estimate would move with other deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ttr_sim.analysis.thresholds import LEVEL

GROUPS = 1_000  # enough for a stable error, few enough that sums by group and key fit in memory
ROUNDING = 1e-12  # an error this small is the arithmetic's
FEW_GROUPS = 10  # without any spread among fewer groups nothing is said about the spread

Floats = NDArray[np.float64]
Interval = tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Numbers for K keys: `value` (K), `deleted` (G, K) without group g, `groups` (K) that hold data, and the number of
    `trials` (K) that was divided by."""

    value: Floats
    deleted: Floats
    groups: NDArray[np.int64]
    trials: Floats

    @property
    def error(self) -> Floats:
        """Standard error, or NaN with fewer than two groups."""
        moved = np.nansum((self.deleted - self.value) ** 2, axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            error = np.sqrt(moved * (self.groups - 1) / self.groups)
        error = np.where(error < ROUNDING, 0.0, error)
        return np.where((self.groups > 1) & np.isfinite(self.value), error, np.nan)

    @property
    def freedom(self) -> NDArray[np.int64]:
        """Degrees of freedom: the groups with data, less one."""
        return np.maximum(self.groups - 1, 1)

    @property
    def quantile(self) -> Floats:
        return np.asarray(special.stdtrit(self.freedom, 0.5 + LEVEL / 2))

    def interval(self) -> Interval:
        reach = self.quantile * self._spread((self.value <= 0) | (self.value >= 1))
        return self.value - reach, self.value + reach

    def bounded_interval(
        self, blocks: int | NDArray[np.int64], floor: float | Floats = 0.0, ceiling: float | Floats = 1.0
    ) -> Interval:
        """Wilson's interval of a number between bounds, or of a Poisson count.

        Its sample size is the one that the jackknife's error corresponds to. A number at a bound shows no spread: it
        counts as seen in as many independent trials as there were trials, at most one a block.
        """
        room = np.subtract(ceiling, floor) * np.ones_like(self.value)
        above = self.value - floor
        at_bound = (above <= 0) | (above >= room)
        error, quantile = self._spread(at_bound), self.quantile
        with np.errstate(invalid="ignore", divide="ignore"):
            size = np.where(error > 0, above * np.maximum(1 - above / room, 0) / error**2, np.inf)
            size = np.where(at_bound, np.minimum(self.trials, blocks) / np.where(np.isinf(room), 1, room), size)
            pull = quantile**2 / size
            shrink = 1 + pull / room
            center = (above + pull / 2) / shrink
            half = np.sqrt(pull * np.maximum(above * (1 - above / room), 0) + pull**2 / 4) / shrink
            # Near a bound Wilson's own end is too narrow for rare events.
            low = np.fmin(np.clip(center - half, 0, room), _least_rate(above, room, size))
            least_below = np.where(np.isinf(room), -np.inf, room - _least_rate(room - above, room, size))
            high = np.fmax(np.clip(center + half, 0, room), least_below)
        known = np.isfinite(error)
        return np.where(known, floor + low, np.nan), np.where(known, floor + high, np.nan)

    def p_value(self, null: float | Floats = 0.0) -> Floats:
        """Two-sided p, or 1 where nothing varies and nothing differs."""
        error = self._spread((self.value <= 0) | (self.value >= 1))
        with np.errstate(invalid="ignore", divide="ignore"):
            p = 2 * special.stdtr(self.freedom, -np.abs(self.value - null) / error)
        p = np.where((error == 0) & np.isclose(self.value, null), 1.0, p)
        return np.where(np.isfinite(error), p, np.nan)

    def _spread(self, at_bound: NDArray[np.bool_]) -> Floats:
        """Error, or NaN where a handful of groups all agree."""
        error = self.error
        return np.where((error == 0) & (self.groups < FEW_GROUPS) & ~at_bound, np.nan, error)

    def pick(self, keys: NDArray[np.int64]) -> Estimate:
        return Estimate(self.value[keys], self.deleted[:, keys], self.groups[keys], self.trials[keys])

    @classmethod
    def join(cls, parts: Sequence[Estimate]) -> Estimate:
        numbers = [(part.value, part.deleted, part.groups, part.trials) for part in parts]
        return cls(*(np.concatenate(column, axis=-1) for column in zip(*numbers, strict=True)))


def _least_rate(rate: Floats, room: Floats, size: Floats) -> Floats:
    """Exact lower bound of a rate (Brown, Cai and DasGupta 2001)."""
    # From ten events on it is above Wilson's end.
    events, none = np.maximum(rate * size, 0), np.maximum((room - rate) * size, 0)
    of_shares = room * special.betaincinv(events, none + 1, 1 - LEVEL)
    of_counts = special.gammaincinv(events, 1 - LEVEL) / size
    least: Floats = np.where(np.isinf(room), of_counts, of_shares)
    return least


def ratio(numerators: Floats, denominators: Floats) -> Estimate:
    """Ratio of sums, both (G, K), with its jackknife. Means and shares are ratios."""
    top, bottom = numerators.sum(axis=0), denominators.sum(axis=0)
    deleted = divide(top - numerators, bottom - denominators)
    return Estimate(divide(top, bottom), deleted, (denominators != 0).sum(axis=0), bottom)


def derive(function: Callable[..., Floats], *estimates: Estimate) -> Estimate:
    """Apply a smooth function to estimates, with its own jackknife.

    The estimate with the fewest groups sets the degrees of freedom.
    """
    return Estimate(
        function(*(estimate.value for estimate in estimates)),
        function(*(estimate.deleted for estimate in estimates)),
        np.minimum.reduce([estimate.groups for estimate in estimates]),
        np.minimum.reduce([estimate.trials for estimate in estimates]),
    )


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Subtract group by group, so that the luck of shared deals cancels."""
    return derive(np.subtract, first, second)


def divide(top: Floats, bottom: Floats) -> Floats:
    """Divide element by element, with NaN where the divisor is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(bottom != 0, top / bottom, np.nan)


def holm(p_values: ArrayLike) -> Floats:
    """Adjust p-values to bound the chance of any false alarm."""
    return _adjust(p_values, lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)))


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """Adjust p-values to bound the share of false alarms."""
    return _adjust(p_values, lambda p: np.minimum.accumulate((p * len(p) / np.arange(1, len(p) + 1))[::-1])[::-1])


def _adjust(p_values: ArrayLike, adjusted_of_sorted: Callable[[Floats], Floats]) -> Floats:
    adjusted = np.array(p_values, float)
    known = np.flatnonzero(~np.isnan(adjusted))
    order = known[np.argsort(adjusted[known], kind="stable")]
    adjusted[order] = np.minimum(adjusted_of_sorted(adjusted[order]), 1.0)
    return adjusted
