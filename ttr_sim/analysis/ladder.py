"""How much does skill decide? A bot of each rung of the ladder of skill among bots of the rung below."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ttr_sim.analysis.rewards import sources_of_lineups, win_shares
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, stack
from ttr_sim.analysis.tables import SHAPE_SKILL
from ttr_sim.run.fields import STEPS
from ttr_sim.run.opened import Run


def skill(runs: Sequence[Run]) -> pd.DataFrame:
    """Return the stronger bot's win share, step by step."""
    sources = sources_of_lineups(runs)
    table = stack(SHAPE_SKILL, [_measured(sources)])
    return table.sort_values(["players", "step"], ignore_index=True)


def _measured(sources: Sequence[Source]) -> Measured:
    share, keys = win_shares(sources)
    lineups = [source.runs[0].plan.bots[:2] for source in sources]
    keys = keys.assign(step=[STEPS.index(bots) + 1 for bots in lineups], opponent=[bots[1] for bots in lineups])
    return Measured(keys, {"win_share": share}, int(share.trials.max()))
