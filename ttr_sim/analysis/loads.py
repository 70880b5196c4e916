"""Does the board play as it looks? The load that tickets put on each connection, beside how often it is fought over."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ttr_sim.analysis.tables import SHAPE_LOADS
from ttr_sim.analysis.thresholds import CONTESTED, HARDLY_FOUGHT
from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics import statics

CROWDED, QUIET = "crowded on paper, hardly fought over", "quiet on paper, fought over"


def loads(edition: Edition, connections: pd.DataFrame) -> pd.DataFrame:
    """Return each connection's load on the empty board beside its contention in play, and which do not match."""
    board = statics(edition)
    of_group = pd.DataFrame(
        {
            "group": range(len(board.loads)),
            "load": [load.per_lane for load in board.loads],
            "crowded": [load.crowded for load in board.loads],
        }
    )
    table = connections.merge(of_group, on="group")
    quiet = table["load"] < table["load"].mean()
    stands_out = np.select(
        [table["crowded"] & (table["contention_high"] < HARDLY_FOUGHT), quiet & (table["contention_low"] >= CONTESTED)],
        [CROWDED, QUIET],
        "",
    )
    return table.assign(stands_out=stands_out)[SHAPE_LOADS.column_names]
