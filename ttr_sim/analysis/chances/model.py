"""A small model of the chance to win: one weighted sum of looks per seat, chances in proportion to its exponential.

The weights change over the game, in straight lines between fixed points of its clock, and again in the final round.
The chances of a game's seats sum to 1 (a conditional logit). It is fitted to one half of the games and to the other;
each shows where, and how late in a game, the other is too sure or not sure enough, and their mean is bent accordingly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from ttr_sim.analysis.chances.courses import Floats
from ttr_sim.analysis.chances.features import Moments
from ttr_sim.analysis.columns import Ints

KNOTS = np.array([0.0, 0.2, 0.4, 0.6, 0.8, 0.95])
ROUGHNESS, SIZE = 20.0, 2.0  # how much bent and how much large weights cost: few games carry few weights
STEPS = 10  # of Newton's method; it settles after five or so
SETTLED = 1e-3
LEAST_CHANCE = 1e-6


@dataclass(frozen=True)
class Lesson:
    """Moments of games that are over: looks and phases, who won, and the game of each moment."""

    looks: Floats
    phases: Floats
    wins: Floats
    games: Ints

    @classmethod
    def of(cls, moments: Moments, first_game: int) -> Lesson:
        courses, games = moments.courses, moments.courses.game_of_step[moments.steps]
        return cls(moments.looks, phases_of(moments), courses.wins[games], first_game + games)

    def part(self, kept: NDArray[np.bool_]) -> Lesson:
        return Lesson(self.looks[kept], self.phases[kept], self.wins[kept], self.games[kept])


def joined(lessons: Sequence[Lesson]) -> Lesson:
    columns = (np.concatenate([getattr(each, field.name) for each in lessons]) for field in fields(Lesson))
    return Lesson(*columns)


@dataclass(frozen=True)
class ChanceModel:
    """Weights by phase and look; looks are divided by their spread. `bend` weighs functions of the chance by phase."""

    weights: Floats
    spread: Floats
    bend: Floats

    def chances(self, moments: Moments) -> Floats:
        """Return each seat's chance to win, by moment and seat."""
        phases = phases_of(moments)
        chances = _chances(phases, _centered(moments.looks) / self.spread, self.weights)
        return _chances(phases, _bends(chances), self.bend)


def fit(lesson: Lesson) -> ChanceModel:
    """Fit the weights to who won."""
    scaled = _centered(lesson.looks)
    spread = np.sqrt((scaled**2).mean(axis=(0, 1)))
    spread = np.where(spread > 0, spread, 1.0)
    lesson = replace(lesson, looks=scaled / spread)
    cost, half = _penalty(scaled.shape[2]), lesson.games % 2 == 0
    both = [_fit(lesson.part(kept), cost) for kept in (half, ~half)]
    chances = np.empty_like(lesson.wins)
    for weights, others in zip(both, (~half, half), strict=True):
        chances[others] = _chances(lesson.phases[others], lesson.looks[others], weights)
    bends = replace(lesson, looks=_bends(chances))
    bend = _fit(bends, SIZE * np.eye(bends.phases.shape[1] * bends.looks.shape[2]))
    return ChanceModel((both[0] + both[1]) / 2, spread, bend)


def _fit(lesson: Lesson, cost: Floats) -> Floats:
    """Make who won likeliest by Newton's method, less what the weights cost; only whole games are independent."""
    per_moment = len(np.unique(lesson.games)) / len(lesson.wins)
    stages, looks = list(_stages(lesson)), lesson.looks.shape[2]
    weights = np.zeros(len(cost))
    for _ in range(STEPS):
        slope, bend = cost @ weights, cost.copy()
        for stage in stages:
            gained, bent = stage.newton(weights[stage.places])
            slope[stage.places] += per_moment * gained
            bend[np.ix_(stage.places, stage.places)] += per_moment * bent
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < SETTLED:
            break
    return np.asarray(weights.reshape(-1, looks))


@dataclass(frozen=True)
class Stage:
    """The moments to which the same phases apply: between two points of the clock only their weights count. `places`
    are where these weights lie among all of them."""

    places: Ints
    design: NDArray[np.float32]  # by moment, seat and weight
    wins: NDArray[np.float32]

    def newton(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return slope and curvature of the cost of what the weights get wrong."""
        flat = self.design.reshape(-1, len(self.places))
        sums = (flat @ weights.astype(np.float32)).reshape(self.wins.shape)
        chances = _softmax(sums.astype(float)).astype(np.float32)
        mean = np.matmul(chances[:, None, :], self.design)
        spun = self.design - mean
        spun *= np.sqrt(chances)[:, :, None]
        spun = spun.reshape(flat.shape)
        return flat.T @ (chances - self.wins).ravel(), spun.T @ spun


def _stages(lesson: Lesson) -> Iterator[Stage]:
    """Sort the moments by the phases that apply to them: a tenth of the work of weighing all phases at each."""
    bits = 1 << np.arange(lesson.phases.shape[1])
    patterns = (lesson.phases > 0) @ bits
    looks = lesson.looks.shape[2]
    for pattern in np.flatnonzero(np.bincount(patterns)):
        at, phases = np.flatnonzero(patterns == pattern), np.flatnonzero(pattern & bits)
        share = lesson.phases[np.ix_(at, phases)].astype(np.float32)
        design = share[:, None, :, None] * lesson.looks[at].astype(np.float32)[:, :, None, :]
        places = (phases[:, None] * looks + np.arange(looks)).ravel()
        yield Stage(places, design.reshape(*design.shape[:2], -1), lesson.wins[at].astype(np.float32))


def _penalty(looks: int) -> Floats:
    """Return the cost of weights that are large or bend over the clock, as a matrix."""
    bends = np.diff(np.eye(len(KNOTS) + 1)[: len(KNOTS)], 2, axis=0)
    return np.asarray(np.kron(SIZE * np.eye(len(KNOTS) + 1) + ROUGHNESS * bends.T @ bends, np.eye(looks)), float)


def _bends(chances: Floats) -> Floats:
    """Return functions of a chance, of which the first alone leaves it as it is, less their means."""
    logs = np.log(np.maximum(chances, LEAST_CHANCE))
    return _centered(np.stack([logs, chances, chances**2], axis=2))


def phases_of(moments: Moments) -> Floats:
    """Return by moment how much each point of the clock counts, and the final round."""
    hats = np.stack([np.interp(moments.clock, KNOTS, row) for row in np.eye(len(KNOTS))], axis=1)
    return np.column_stack([hats, moments.final])


def _centered(looks: Floats) -> Floats:
    return np.asarray(looks - (_sum_of_seats(looks) / looks.shape[1])[:, None])


def _chances(phases: Floats, looks: Floats, weights: Floats) -> Floats:
    return _softmax(np.einsum("msl,ml->ms", looks, phases @ weights))


def _softmax(sums: Floats) -> Floats:
    powers = np.exp(sums - reduce(np.maximum, sums.T)[:, None])
    return np.asarray(powers / _sum_of_seats(powers)[:, None])


def _sum_of_seats(values: Floats) -> Floats:
    """Add up the few seats one by one: many moments at a time, where numpy would add up moment by moment."""
    return reduce(np.add, values.swapaxes(0, 1))
