"""A small model of the chance to win: one weighted sum of looks per seat, chances in proportion to its exponential.

The weights change over the game, in straight lines between fixed points of its clock, and again in the final round.
The chances of a game's seats sum to 1 (a conditional logit). Games it was not fitted to then show
where it is too sure or not sure enough, and bend its chances a little.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ttr_sim.analysis.chances.courses import Floats, Ints
from ttr_sim.analysis.chances.features import Moments

KNOTS = np.array([0.0, 0.2, 0.4, 0.6, 0.8, 0.95])
ROUGHNESS, SIZE = 20.0, 2.0  # how much bent and how much large weights cost: few games carry few weights
STEPS = 10  # of Newton's method; it settles after five or so
SETTLED = 1e-3
LEAST_CHANCE = 1e-6


@dataclass(frozen=True)
class Weights:
    """By phase and look; looks are divided by their spread."""

    weights: Floats
    spread: Floats

    def chances(self, phases: Floats, looks: Floats) -> Floats:
        scaled = _centered(looks) / self.spread
        return _softmax(np.asarray((scaled * (phases @ self.weights)[:, None, :]).sum(axis=2)))


@dataclass(frozen=True)
class ChanceModel:
    looks: Weights
    bend: Weights

    def chances(self, moments: Moments) -> Floats:
        """Return each seat's chance to win, by moment and seat."""
        chances = self.looks.chances(_phases(moments), moments.looks)
        return self.bend.chances(_throughout(chances), _bends(chances))


def fit(moments: Moments, wins: Floats, games: Ints) -> ChanceModel:
    """Fit the weights to who won, `wins` by moment and seat; `games` is the game of each moment."""
    kept = games % 2 == 0
    phases = _phases(moments)
    looks = _fit(phases[kept], moments.looks[kept], wins[kept], games[kept], _penalty(moments.looks.shape[2]))
    chances = looks.chances(phases[~kept], moments.looks[~kept])
    bends = _bends(chances)
    size = SIZE * np.eye(bends.shape[2])
    return ChanceModel(looks, _fit(_throughout(chances), bends, wins[~kept], games[~kept], size))


def _fit(phases: Floats, looks: Floats, wins: Floats, games: Ints, cost: Floats) -> Weights:
    """Make who won likeliest by Newton's method, less what the weights cost; only whole games are independent."""
    per_moment = len(np.unique(games)) / len(wins)
    centered = _centered(looks)
    spread = np.sqrt((centered**2).mean(axis=(0, 1)))
    spread = np.where(spread > 0, spread, 1.0)
    design = (phases[:, None, :, None] * (centered / spread)[:, :, None, :]).reshape(*looks.shape[:2], -1)
    flat = design.reshape(-1, design.shape[2])
    weights = np.zeros(design.shape[2])
    for _ in range(STEPS):
        chances = _softmax((flat @ weights).reshape(wins.shape))
        slope = per_moment * (flat.T @ (chances - wins).ravel()) + cost @ weights
        mean = np.matmul(chances[:, None, :], design)
        spun = ((design - mean) * np.sqrt(chances)[:, :, None]).reshape(flat.shape)
        step = np.linalg.solve(per_moment * (spun.T @ spun) + cost, slope)
        weights -= step
        if np.abs(step).max() < SETTLED:
            break
    return Weights(weights.reshape(phases.shape[1], -1), spread)


def _penalty(looks: int) -> Floats:
    """Return the cost of weights that are large or bend over the clock, as a matrix."""
    bends = np.diff(np.eye(len(KNOTS) + 1)[: len(KNOTS)], 2, axis=0)
    return np.asarray(np.kron(SIZE * np.eye(len(KNOTS) + 1) + ROUGHNESS * bends.T @ bends, np.eye(looks)), float)


def _throughout(chances: Floats) -> Floats:
    return np.ones((len(chances), 1))


def _bends(chances: Floats) -> Floats:
    """Return functions of a chance; the first alone, weighed by its spread, leaves it as it is."""
    logs = np.log(np.maximum(chances, LEAST_CHANCE))
    return np.stack([logs, chances, chances**2], axis=2)


def _phases(moments: Moments) -> Floats:
    """Return by moment how much each point of the clock counts, and the final round."""
    hats = np.stack([np.interp(moments.clock, KNOTS, row) for row in np.eye(len(KNOTS))], axis=1)
    return np.column_stack([hats, moments.final])


def _centered(looks: Floats) -> Floats:
    return np.asarray(looks - looks.mean(axis=1, keepdims=True))


def _softmax(sums: Floats) -> Floats:
    powers = np.exp(sums - sums.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
