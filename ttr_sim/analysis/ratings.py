"""Bradley-Terry ratings: one number a style, so that differences tell the odds between any two."""

from __future__ import annotations

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ttr_sim.analysis.jackknife import Estimate, Floats

ELO = 400 / np.log(10)  # rating points of one unit of log odds
PRIOR = 0.5  # wins lent to both sides of each pair that met: keeps the rating of the unbeaten finite
MOST_STEPS = 50


def bradley_terry(wins: Floats) -> Estimate:
    """Ratings of K styles with mean 0, from `wins` (G, K, K): by group, of the row's style over the column's.

    Fitted to the sums and, for the jackknife, to the sums without each group in turn. Missing where some styles
    never met, not even through others: no scale joins them.
    """
    total = wins.sum(axis=0)
    met = (total + total.T) > 0
    groups = (wins.sum(axis=2) + wins.sum(axis=1) > 0).sum(axis=0)
    trials = total.sum(axis=1) + total.sum(axis=0)
    if len(total) < 2 or not nx.is_connected(nx.from_numpy_array(met)):
        missing = np.full(len(total), np.nan)
        return Estimate(missing, np.tile(missing, (len(wins), 1)), groups, trials)
    ratings = _fit(total[None] + PRIOR * met, np.zeros((1, len(total))))
    deleted = _fit(total - wins + PRIOR * met, np.repeat(ratings, len(wins), axis=0))
    return Estimate(ratings[0] * ELO, deleted * ELO, groups, trials)


def _fit(wins: Floats, ratings: Floats) -> Floats:
    """Newton's steps to the largest likelihood, for many tables of wins (B, K, K) at once."""
    games = wins + wins.transpose(0, 2, 1)
    won = wins.sum(axis=2)
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(ratings[:, None, :] - ratings[:, :, None]))
        gradient = won - (games * expected).sum(axis=2)
        step = np.linalg.solve(_curvature(games * expected * (1 - expected)), gradient[..., None])[..., 0]
        ratings = ratings + np.clip(step, -2, 2)  # far from the top a full step overshoots
        if np.abs(step).max() < 1e-10:
            break
    centered: Floats = ratings - ratings.mean(axis=1, keepdims=True)
    return centered


def _curvature(weights: Floats) -> Floats:
    """Of the log-likelihood; a constant added to all ratings changes nothing, which the ones take out."""
    diagonal: NDArray[np.float64] = weights.sum(axis=2)[:, :, None] * np.eye(weights.shape[1])
    return diagonal - weights + 1.0
