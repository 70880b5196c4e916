from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.standings import ELO, bradley_terry, cycles


def duels(strengths: Floats, groups: int, games: int, chance: np.random.Generator) -> Floats:
    """Wins of each style over each other, by group, when the ratings are true."""
    odds = 1 / (1 + np.exp((strengths[None, :] - strengths[:, None]) / ELO))
    wins = np.zeros((groups, len(strengths), len(strengths)))
    for first in range(len(strengths)):
        for second in range(first):
            won = chance.binomial(games, odds[first, second], groups)
            wins[:, first, second], wins[:, second, first] = won, games - won
    return wins


def test_true_strengths_are_covered() -> None:
    truth = np.array([-120.0, -20.0, 30.0, 110.0])
    chance = np.random.default_rng(1)
    hits = []
    for _ in range(300):
        low, high = bradley_terry(duels(truth, 40, 12, chance)).interval()
        hits.append((low <= truth) & (truth <= high))
    assert 0.93 <= np.mean(hits) <= 0.97


def test_unbeaten_style_has_a_finite_rating_on_top() -> None:
    wins = np.zeros((10, 3, 3))
    wins[:, 0, 1:] = 5
    wins[:, 1, 2], wins[:, 2, 1] = 3, 2
    ratings = bradley_terry(wins)
    assert np.isfinite(ratings.value).all()
    assert np.isfinite(ratings.interval()).all()
    assert ratings.value.argmax() == 0


def test_styles_that_never_met_or_play_alone_have_no_common_scale() -> None:
    wins = np.zeros((5, 4, 4))
    wins[:, 0, 1] = wins[:, 1, 0] = wins[:, 2, 3] = wins[:, 3, 2] = 4
    assert np.isnan(bradley_terry(wins).value).all()
    assert np.isnan(bradley_terry(wins[:, :1, :1]).value).all()


def test_circles_have_one_order() -> None:
    """The clearest first, of equally clear ones the short ones; they are found in any order."""
    shares = {("a", "b"): 0.6, ("b", "c"): 0.65, ("c", "a"): 0.6, ("c", "d"): 0.7, ("d", "a"): 0.6, ("d", "b"): 0.8}
    rows = [(2, bot, opponent, share, 0.001) for (bot, opponent), share in shares.items()]
    expected = ["b > c > d > b", "a > b > c > a", "a > b > c > d > a"]
    for order in (rows, rows[::-1]):
        found = cycles(pd.DataFrame(order, columns=["players", "bot", "opponent", "share", "p_adjusted"]))
        assert found["cycle"].tolist() == expected
        assert found["margin"].tolist() == pytest.approx([0.15, 0.1, 0.1])
