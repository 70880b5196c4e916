"""Sums and measured numbers: what a table says does not depend on the order of adding up."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ttr_sim.analysis.jackknife import Estimate
from ttr_sim.analysis.sums import Counts, Measured, every, stack, tally
from ttr_sim.analysis.tables import SEATS


def test_a_table_has_no_negative_zero() -> None:
    """Where numbers cancel, the order of adding up decides on which side of 0 the rest lies."""
    values = np.array([-1e-17, 1e-17])
    estimate = Estimate(values, np.tile(values, (100, 1)), np.full(2, 100), np.full(2, 100.0))
    keys = pd.DataFrame({"players": 2, "seat": [0, 1], "n": 100, "fair": 0.5, "p": 1.0, "p_adjusted": 1.0})
    table = stack(SEATS, [Measured(keys, {"score": estimate}, blocks=100)])
    assert table["score"].tolist() == [0.0, 0.0]
    assert not np.signbit(table["score"].to_numpy(float)).any()


def test_rows_are_added_up_by_group_and_key() -> None:
    keys = every(bot=["A", "B"], seat=range(2))
    assert keys.to_numpy().tolist() == [["A", 0], ["A", 1], ["B", 0], ["B", 1]]
    group, key = np.array([0, 0, 7]), np.array([1, 1, 3])
    sums = tally(keys, group, key, n=None, points=np.array([2.0, 3.0, 4.0]))
    assert sums["points"][[0, 7]].tolist() == [[0, 5, 0, 0], [0, 0, 0, 4]]
    assert sums.met().keys.to_numpy().tolist() == [["A", 1], ["B", 1]]
    assert (sums.met() | tally(sums.met().keys, group, key // 2, wins=None)).total("wins").tolist() == [2, 1]


def test_counts_of_batches_are_added_up() -> None:
    one, other = (Counts.of(score=np.array(scores), n=np.array([1, 2])) for scores in ([5, 6], [6, 9]))
    assert (one + other).rows.to_numpy().tolist() == [[5, 1], [6, 3], [9, 2]]
