"""The model of the chance to win: chances that are right where the truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from ttr_sim.analysis.chances.model import KNOTS, ChanceModel, Lesson, _centered, _chances, fit, joined

Floats = NDArray[np.float64]
PLAYERS, LOOKS = 3, 2
WEIGHTS = np.array([1.2, -0.6])


def made_up(games: int, seed: int, weights: Floats = WEIGHTS) -> Lesson:
    """One moment of each game, with looks that weigh twice as much at the end as at the beginning."""
    chance = np.random.default_rng(seed)
    looks = chance.normal(size=(games, PLAYERS, LOOKS)) * (10.0, 0.1)
    clock = chance.random(games)
    sums = (looks / (10.0, 0.1)) @ weights * (1 + clock)[:, None]
    true = np.exp(sums) / np.exp(sums).sum(axis=1, keepdims=True)
    winner = (chance.random((games, 1)) > true.cumsum(axis=1)).sum(axis=1)
    phases = np.stack([*(np.interp(clock, KNOTS, row) for row in np.eye(len(KNOTS))), np.zeros(games)], axis=1)
    return Lesson(looks, phases, np.eye(PLAYERS)[winner], np.arange(games))


def said(model: ChanceModel, lesson: Lesson) -> Floats:
    from ttr_sim.analysis.chances.model import _bends

    first = _chances(lesson.phases, _centered(lesson.looks) / model.spread, model.weights)
    return _chances(lesson.phases, _bends(first), model.bend)


def test_chances_of_new_games_are_right_in_every_bin() -> None:
    model, fresh = fit(made_up(6_000, 1)), made_up(40_000, 2)
    chances = said(model, fresh)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    bins = np.minimum((chances * 10).astype(int), 9)
    for number in range(10):
        of_bin = bins == number
        assert of_bin.sum() > 2_000
        assert abs(fresh.wins[of_bin].mean() - chances[of_bin].mean()) < 0.02


def test_looks_that_mean_nothing_leave_everybody_the_same_chance() -> None:
    model, fresh = fit(made_up(6_000, 1, 0 * WEIGHTS)), made_up(2_000, 2)
    assert np.abs(said(model, fresh) - 1 / PLAYERS).max() < 0.1


def test_few_games_give_careful_chances() -> None:
    lesson = made_up(20, 1)
    assert said(fit(lesson), lesson).max() < 0.95


def test_lessons_are_joined_in_order() -> None:
    first, second = made_up(5, 1), made_up(7, 2)
    both = joined([first, second])
    assert len(both.wins) == 12
    assert np.array_equal(both.part(np.arange(12) >= 5).looks, second.looks)
