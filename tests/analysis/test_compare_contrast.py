"""The statistics of a comparison by simulation: intervals hold, and nothing is found where there is nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ttr_sim.analysis.compare import contrast
from ttr_sim.analysis.jackknife import Estimate, Floats, benjamini_hochberg, ratio

GROUPS = 150
TRIALS = 400
KEYS = 60
MOST_ALARMS = 0.06


def test_independent_groups_give_welchs_test() -> None:
    generator = np.random.default_rng(1)
    first, second = generator.normal(0, 1, (60, 1)), generator.normal(0.3, 3, (35, 1))
    found = contrast(_means(first), _means(second), paired=False).iloc[0]
    welch = stats.ttest_ind(second[:, 0], first[:, 0], equal_var=False)
    assert found["difference"] == pytest.approx(second.mean() - first.mean())
    assert found["p"] == pytest.approx(welch.pvalue)


def test_paired_groups_give_the_paired_test() -> None:
    generator = np.random.default_rng(2)
    first = generator.normal(0, 5, (30, 1))
    second = first + generator.normal(0.2, 1, (30, 1))
    found = contrast(_means(first), _means(second), paired=True).iloc[0]
    assert found["p"] == pytest.approx(stats.ttest_rel(second[:, 0], first[:, 0]).pvalue)


def test_a_difference_that_never_varies_is_certain_only_with_many_groups() -> None:
    few, many = (contrast(_means(x), _means(x + 1), paired=True).iloc[0] for x in (np.ones((5, 1)), np.ones((50, 1))))
    assert np.isnan(few["p"])
    assert (many["low"], many["high"], many["p"]) == (1, 1, 0)


def test_nothing_against_nothing_is_nothing() -> None:
    found = contrast(_means(np.zeros((50, 2))), _means(np.zeros((50, 2))), paired=False)
    assert found["p"].tolist() == [1, 1]


def test_a_share_never_met_is_not_known_to_the_last_digit() -> None:
    """None of 40 against 200 of 1,000: a test of the two counts says about 0.003."""
    never = ratio(np.zeros((40, 1)), np.ones((40, 1)))
    often = ratio(np.tile([[1.0], [0.0], [0.0], [0.0], [0.0]], (200, 1)), np.ones((1000, 1)))
    p = contrast(never, often, paired=False)["p"].item()
    assert 0.0005 < p < 0.01


def test_of_a_handful_of_trials_nothing_is_said() -> None:
    generator = np.random.default_rng(4)
    few, many = (_means(generator.normal(0, 1, (groups, 1))) for groups in (12, 400))
    assert contrast(few, many, paired=False)["p"].isna().all()


@pytest.mark.parametrize("paired", [True, False])
def test_corrected_lists_raise_few_false_alarms(paired: bool) -> None:
    """Shares from rare to usual, counted in games that share their deal's luck by block."""
    generator = np.random.default_rng(5)
    chances = np.geomspace(0.0005, 0.5, KEYS)
    alarms = [_raises_alarm(generator, chances, paired) for _ in range(TRIALS)]
    assert np.mean(alarms) <= MOST_ALARMS


def _raises_alarm(generator: np.random.Generator, chances: Floats, paired: bool) -> bool:
    luck = generator.beta(20, 20, (GROUPS, 1)) * 2
    other = luck if paired else generator.beta(20, 20, (GROUPS, 1)) * 2
    games = np.full((GROUPS, KEYS), 20.0)
    first, second = (ratio(generator.binomial(20, chances * part).astype(float), games) for part in (luck, other))
    adjusted = benjamini_hochberg(contrast(first, second, paired)["p"])
    return bool((pd.Series(adjusted) <= 0.05).any())


def _means(values: Floats) -> Estimate:
    return ratio(values, np.ones_like(values))
