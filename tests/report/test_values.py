"""Bands of a map's scale: round, all-covering, and from light to dark."""

from __future__ import annotations

import numpy as np
import pytest

from ttr_sim.report.board.values import MOST_BANDS, STEPS, BandScale


@pytest.mark.parametrize("most", [0.004, 0.07, 0.31, 1.0, 9.3, 47.0])
def test_bands_cover_all_values_and_have_round_ends(most: float) -> None:
    scale = BandScale.over({4: np.array([0.0, most / 3, most])}, 0.0)
    assert scale.bands <= MOST_BANDS
    assert scale.edges()[0] == 0.0
    assert scale.edges()[-1] >= most > scale.edges()[-2]
    assert float(f"{scale.size:.2g}") == pytest.approx(scale.size)
    assert scale.step(0.0) == 0
    assert scale.step(most) == STEPS - 1
    assert scale.step(float("nan")) is None


def test_a_scale_without_numbers_or_without_spread_has_one_band() -> None:
    assert BandScale.over({2: np.array([np.nan])}).bands == 1
    assert BandScale.over({2: np.array([5.0, 5.0])}).step(5.0) == 0
