"""What does the board reward? A change of taste, or a simple style, in one seat among strong players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import holm
from ttr_sim.analysis.tables import Measured
from ttr_sim.analysis.thresholds import ALPHA, REWARD_MARGIN
from ttr_sim.run.fields import STRONG_BOT, variants
from ttr_sim.run.read import Run

BY_VARIANT = f"""
SELECT grp, players, bot, count(*) AS n, sum(win_share) AS wins FROM seat WHERE bot <> '{STRONG_BOT}' GROUP BY ALL"""
BLOCKS_OF_VARIANT = f"""
SELECT players, bot, count(*) AS blocks
FROM (
    SELECT DISTINCT players, bot, run, block FROM seat JOIN game USING (run, game, players) WHERE bot <> '{STRONG_BOT}'
) GROUP BY ALL ORDER BY ALL"""


def rewards(runs: Sequence[Run]) -> pd.DataFrame:
    """Win share of each variant's seat, with the p-value of its being the fair one."""
    with Database(runs) as games:
        sums, blocks = games.sums(BY_VARIANT, "players", "bot"), games.frame(BLOCKS_OF_VARIANT)["blocks"].to_numpy()
    share, fair = sums.mean("wins"), 1 / sums.keys["players"].to_numpy()
    share = replace(share, trials=np.minimum(share.trials, blocks))
    names = {bot: name for name, bot in variants(runs[0].edition).items()}
    variant = [names.get(bot, bot) for bot in sums.keys["bot"]]
    p = share.p_value(fair)
    keys = sums.keys.assign(variant=variant, n=sums.total("n"), fair=fair, p=p)
    return Measured(keys, {"win_share": share}, blocks).table("rewards").assign(p_adjusted=holm(p))


def clearly_pay_or_cost(rewards: pd.DataFrame) -> pd.Series:
    """Variants that surely win more or less than their share, by enough to matter."""
    gap = (rewards["win_share"] - rewards["fair"]).abs()
    return (rewards["p_adjusted"] <= ALPHA) & (gap >= REWARD_MARGIN)
