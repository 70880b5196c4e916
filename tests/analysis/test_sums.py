"""Sums and measured numbers: what a table says does not depend on the order of adding up."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ttr_sim.analysis.jackknife import Estimate
from ttr_sim.analysis.sums import Measured
from ttr_sim.analysis.tables import SEATS


def test_a_table_has_no_negative_zero() -> None:
    """Where numbers cancel, the order of adding up decides on which side of 0 the rest lies."""
    values = np.array([-1e-17, 1e-17])
    estimate = Estimate(values, np.tile(values, (100, 1)), np.full(2, 100), np.full(2, 100.0))
    keys = pd.DataFrame({"players": 2, "seat": [0, 1], "n": 100, "fair": 0.5, "p": 1.0, "p_adjusted": 1.0})
    table = Measured(keys, {"score": estimate}, blocks=100).table(SEATS)
    assert table["score"].tolist() == [0.0, 0.0]
    assert not np.signbit(table["score"].to_numpy(float)).any()
