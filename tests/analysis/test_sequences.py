"""Forty looks at each of many studies with a known truth, by simulation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, difference, ratio
from ttr_sim.analysis.sequences import SHARPEST_AT, p_at_any_look, reach, widening

STUDIES, LOOKS, BLOCKS = 1_000, 40, 500  # blocks between two looks
GAMES = 4  # of a block
PRECISION = 0.012


def looks(truth: float, other: float | None = None) -> Iterator[tuple[int, Estimate]]:
    """Yield the share of games won, or its difference from another's on the same deals, every 500 blocks."""
    chance = np.random.default_rng(11)
    shape = (GROUPS, STUDIES)
    sums = {"n": np.zeros(shape), "a": np.zeros(shape), "b": np.zeros(shape)}
    for look in range(LOOKS):
        first = look * BLOCKS % GROUPS
        here = slice(first, first + BLOCKS)
        luck = chance.normal(0, 0.1, (BLOCKS, STUDIES))
        games = chance.integers(1, GAMES + 1, (BLOCKS, STUDIES))  # ratios: blocks differ in size
        for name, share in (("a", truth), ("b", other)):
            if share is not None:
                sums[name][here] += chance.binomial(games, np.clip(share + luck, 0, 1))
        sums["n"][here] += games
        of_a = ratio(sums["a"], sums["n"])
        yield (look + 1) * BLOCKS, of_a if other is None else difference(of_a, ratio(sums["b"], sums["n"]))


def sequence(estimate: Estimate, blocks: int) -> tuple[Floats, Floats]:
    """Return the interval of each number that holds at every look."""
    half_widths = reach(estimate, blocks)
    return estimate.value - half_widths, estimate.value + half_widths


def ever_wrong(truth: float, intervals: Iterator[tuple[Floats, Floats]]) -> float:
    wrong = np.zeros(STUDIES, bool)
    for low, high in intervals:
        wrong |= (truth < low) | (high < truth)
    return float(wrong.mean())


def test_forty_looks_at_a_share_are_seldom_wrong_where_usual_intervals_often_are() -> None:
    assert ever_wrong(0.25, (sequence(estimate, blocks) for blocks, estimate in looks(0.25))) <= 0.05
    assert ever_wrong(0.25, (estimate.interval() for _, estimate in looks(0.25))) >= 0.25


def test_forty_looks_at_no_difference_are_seldom_wrong() -> None:
    assert ever_wrong(0.0, (sequence(estimate, blocks) for blocks, estimate in looks(0.3, 0.3))) <= 0.05
    smallest = np.ones(STUDIES)
    for blocks, estimate in looks(0.3, 0.3):
        smallest = np.minimum(smallest, p_at_any_look(estimate.value, estimate.error, blocks))
    assert np.mean(smallest <= 0.05) <= 0.05


def test_stopping_at_a_precision_keeps_both_intervals_true() -> None:
    """The width does not depend on what is found, so after stopping by it a usual interval is right as well."""
    stopped = np.zeros(STUDIES, bool)
    wrong = {"sequence": np.zeros(STUDIES, bool), "usual": np.zeros(STUDIES, bool)}
    for blocks, estimate in looks(0.25):
        now = ~stopped & (reach(estimate, blocks) <= PRECISION)
        for name, (low, high) in {"sequence": sequence(estimate, blocks), "usual": estimate.interval()}.items():
            wrong[name] |= now & ((low > 0.25) | (high < 0.25))
        stopped |= now
    assert stopped.all()
    assert wrong["sequence"].mean() <= 0.01
    assert wrong["usual"].mean() <= 0.065


def test_a_difference_is_found_as_soon_as_it_shows() -> None:
    found = [np.mean(sequence(estimate, blocks)[0] > 0) for blocks, estimate in looks(0.3, 0.28)]
    assert found[0] < 0.1
    assert found[-1] > 0.95


def test_the_interval_and_p_agree() -> None:
    estimate = ratio(np.random.default_rng(2).normal(0.1, 1, (GROUPS, 50)), np.ones((GROUPS, 50)))
    low, high = sequence(estimate, GROUPS)
    p = p_at_any_look(estimate.value, estimate.error, GROUPS)
    assert (
        ((low > 0) | (high < 0)) == (p < 0.05)
    ).mean() >= 0.98  # Student's t, of a thousand groups, is almost normal


def test_the_sequence_is_narrowest_beside_the_usual_interval_where_it_should_be() -> None:
    at = np.array([10, 100, 1_000, SHARPEST_AT, 10 * SHARPEST_AT, 100 * SHARPEST_AT])
    widths = [widening(int(blocks)) for blocks in at]
    assert int(np.argmin(widths)) == 3
    assert widths[3] == pytest.approx(3.04, abs=0.01)


def test_what_is_not_known_has_no_sequence() -> None:
    nothing = ratio(np.zeros((5, 1)), np.zeros((5, 1)))
    assert np.isnan(reach(nothing, 5)).all()
    assert np.isnan(p_at_any_look(nothing.value, nothing.error, 5)).all()
