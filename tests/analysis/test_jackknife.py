"""Intervals are tested by simulation: each of many keys is a study of its own with a known truth."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from ttr_sim.analysis.jackknife import GROUPS, Floats, benjamini_hochberg, derive, difference, divide, holm, ratio

STUDIES = 4_000


def in_groups(rows: Floats) -> Floats:
    """Blocks (B, K) added up by block number modulo the number of groups."""
    sums = np.zeros((GROUPS, rows.shape[1]))
    np.add.at(sums, np.arange(len(rows)) % GROUPS, rows)
    return sums


def coverage(interval: tuple[Floats, Floats], truth: float) -> float:
    low, high = interval
    return float(np.mean((low <= truth) & (truth <= high)))


def test_ratio_and_its_error_by_hand() -> None:
    wins, seats = np.array([[1.0], [3.0], [2.0]]), np.array([[2.0], [4.0], [2.0]])
    estimate = ratio(wins, seats)
    assert estimate.value[0] == 6 / 8
    assert estimate.deleted[:, 0] == pytest.approx([5 / 6, 3 / 4, 4 / 6])
    error = np.sqrt(2 / 3 * ((5 / 6 - 6 / 8) ** 2 + 0 + (4 / 6 - 6 / 8) ** 2))
    assert estimate.error[0] == pytest.approx(error)
    low, high = estimate.interval()
    assert high[0] - low[0] == pytest.approx(2 * stats.t.ppf(0.975, 2) * error)


def test_mean_of_blocks_has_the_textbook_error() -> None:
    values = np.random.default_rng(1).normal(size=(25, 1))
    estimate = ratio(values, np.ones((25, 1)))
    assert estimate.error[0] == pytest.approx(values.std(ddof=1) / 5)


@pytest.mark.parametrize("blocks", [5, 12, 40, 1_500])
def test_means_are_covered_though_games_of_a_block_hang_together(blocks: int) -> None:
    chance = np.random.default_rng(blocks)
    studies = STUDIES if blocks < GROUPS else 1_000
    games = chance.integers(1, 5, (blocks, studies))
    shared = chance.normal(0, 1, (blocks, studies))
    total = games * (10 + shared) + np.sqrt(games) * chance.normal(0, 1, (blocks, studies))
    estimate = ratio(in_groups(total), in_groups(games.astype(float)))
    assert 0.93 <= coverage(estimate.interval(), 10.0) <= 0.97


@pytest.mark.parametrize(("truth", "blocks"), [(0.5, 12), (0.25, 40), (0.05, 300), (0.01, 900)])
def test_shares_are_covered(truth: float, blocks: int) -> None:
    chance = np.random.default_rng(int(truth * 100))
    events = chance.binomial(4, truth, (blocks, STUDIES)).astype(float)
    estimate = ratio(in_groups(events), in_groups(np.full_like(events, 4)))
    assert 0.93 <= coverage(estimate.bounded_interval(blocks), truth) <= 0.975


@pytest.mark.parametrize("events", [0.05, 0.2, 1.0, 4.0, 30.0])
def test_rare_counts_are_covered_and_never_certain(events: float) -> None:
    chance = np.random.default_rng(int(events * 100))
    counts = chance.poisson(events / 400, (400, STUDIES)).astype(float)
    low, high = ratio(in_groups(counts), in_groups(np.ones_like(counts))).bounded_interval(400, 0.0, np.inf)
    assert coverage((low, high), events / 400) >= 0.93
    assert (high > low).all()


def test_counts_of_two_routes_stay_between_none_and_both() -> None:
    always = ratio(np.full((50, 2), [2.0, 0.0]), np.ones((50, 2)))
    low, high = always.bounded_interval(50, 0.0, np.array([2.0, 2.0]))
    assert 1.7 < low[0] < high[0] == 2.0
    assert 0.0 == low[1] < high[1] < 0.3


def test_share_never_seen_is_bounded_by_the_number_of_blocks() -> None:
    never = ratio(in_groups(np.zeros((500, 1))), in_groups(np.full((500, 1), 2.0)))
    low, high = never.bounded_interval(500)
    assert low[0] == pytest.approx(0, abs=1e-12)
    assert 0.005 < high[0] < 0.01  # about 3.8 / 500


def test_share_fixed_by_design_has_no_width_but_a_handful_of_blocks_is_no_proof() -> None:
    by_design = ratio(np.full((20, 1), 1.0), np.full((20, 1), 3.0))
    assert np.allclose(by_design.bounded_interval(20), 1 / 3)
    handful = ratio(np.full((3, 1), 1.0), np.full((3, 1), 3.0))
    assert np.isnan(handful.bounded_interval(3)).all()


def test_one_group_gives_a_number_without_an_interval_and_none_nothing() -> None:
    single = ratio(in_groups(np.array([[3.0]])), in_groups(np.array([[4.0]])))
    assert single.value[0] == 0.75
    for missing in (single.interval(), single.bounded_interval(1), single.p_value(0.5)):
        assert np.isnan(missing).all()
    assert np.isnan(ratio(np.zeros((5, 1)), np.zeros((5, 1))).value).all()


def test_sparse_key_takes_its_degrees_of_freedom_from_the_groups_that_hold_it() -> None:
    chance = np.random.default_rng(3)
    there = chance.random((200, STUDIES)) < 0.05
    values = np.where(there, chance.normal(10, 1, there.shape), 0)
    estimate = ratio(in_groups(values), in_groups(there.astype(float)))
    assert 0.93 <= coverage(estimate.interval(), 10.0) <= 0.97


def test_paired_difference_is_covered_and_narrower_than_its_parts() -> None:
    chance = np.random.default_rng(4)
    shared = chance.normal(0, 3, (60, STUDIES))
    first, second = (ratio(in_groups(shared + chance.normal(mean, 1, shared.shape)), in_groups(np.ones_like(shared)))
                     for mean in (2.0, 0.0))  # fmt: skip
    paired = difference(first, second)
    assert 0.93 <= coverage(paired.interval(), 2.0) <= 0.97
    assert np.median(paired.error) < 0.6 * np.median(first.error)


def test_smooth_function_of_ratios_is_covered() -> None:
    chance = np.random.default_rng(5)
    ones = in_groups(np.ones((80, STUDIES)))
    top, bottom = (ratio(in_groups(chance.normal(mean, 1, (80, STUDIES))), ones) for mean in (3.0, 6.0))
    assert 0.93 <= coverage(derive(divide, top, bottom).interval(), 0.5) <= 0.97


def test_p_values_are_uniform_under_the_null_and_certain_where_nothing_varies() -> None:
    values = np.random.default_rng(6).normal(size=(30, STUDIES))
    p = ratio(in_groups(values), in_groups(np.ones_like(values))).p_value()
    assert 0.035 <= np.mean(p <= 0.05) <= 0.065
    assert stats.kstest(p, "uniform").pvalue > 0.001
    fixed = ratio(np.full((20, 1), 1.0), np.full((20, 1), 2.0))
    assert (fixed.p_value(0.5)[0], fixed.p_value(0.4)[0]) == (1, 0)


@pytest.mark.parametrize(
    ("correct", "p", "adjusted"),
    [
        (holm, [0.01, 0.04, np.nan, 0.03], [0.03, 0.06, np.nan, 0.06]),
        (benjamini_hochberg, [0.01, 0.04, 0.03, np.nan, 0.5], [0.04, 0.16 / 3, 0.16 / 3, np.nan, 0.5]),
    ],
)
def test_corrections_by_hand(correct: Callable[[list[float]], Floats], p: list[float], adjusted: list[float]) -> None:
    assert correct(p) == pytest.approx(adjusted, nan_ok=True)


def test_corrected_lists_raise_false_alarms_in_at_most_six_percent_of_studies() -> None:
    p = np.random.default_rng(7).random((STUDIES, 30))
    for correct in (holm, benjamini_hochberg):
        assert np.mean([np.min(correct(study)) <= 0.05 for study in p]) <= 0.06
