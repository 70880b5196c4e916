"""How often is a turn a choice? Turns at which a second action wins nearly as often as the best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ttr_sim.analysis.jackknife import GROUPS
from ttr_sim.analysis.sums import AT_LEAST_0, Measured, Sums, stack
from ttr_sim.analysis.tables import SHAPE_CHOICES
from ttr_sim.analysis.thresholds import CLOSE_CHOICE
from ttr_sim.run.choices import Choice, read_choices
from ttr_sim.run.opened import Run


def choices(runs: Sequence[Run]) -> pd.DataFrame:
    """Return how often a choice was close, by player count, from the turns that a study looked at."""
    found = {run.plan.players: read_choices(run) for run in runs}
    return stack(
        SHAPE_CHOICES, [measure_choices(players, found[players]) for players in sorted(found) if found[players]]
    )


def measure_choices(players: int, turns: Sequence[Choice]) -> Measured:
    """Measure turns of different games, each of which stands for itself."""
    gaps = np.array([np.nan if turn.gap is None else turn.gap for turn in turns])
    frame = pd.DataFrame(
        {
            "grp": np.arange(len(turns)) % GROUPS,
            "n": 1.0,
            "close": (np.abs(gaps) <= CLOSE_CHOICE).astype(float),
            "actions": [float(turn.actions) for turn in turns],
            "gap": np.nan_to_num(gaps),
            "chosen": np.isfinite(gaps).astype(float),
        }
    )
    sums = Sums.of(frame, [])
    estimates = {
        "genuine": sums.mean("close"),
        "actions": sums.mean("actions"),
        "gap": sums.mean("gap", of="chosen"),
    }
    keys = pd.DataFrame({"players": [players], "n": [len(turns)]})
    return Measured(keys, estimates, len(turns), {"actions": AT_LEAST_0})
