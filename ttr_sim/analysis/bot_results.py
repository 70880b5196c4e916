"""Results of the bots of one run: the few numbers that `run` prints at its end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ttr_sim.analysis.db import Database
from ttr_sim.run.read import Run

BY_BOT = """
SELECT block % 1000 AS grp, bot, count(*) AS n, sum(win_share) AS wins, sum(score) AS score
FROM seats JOIN games USING (run, game) GROUP BY ALL"""
ENDS = 'SELECT "end", count(*) AS n FROM games GROUP BY ALL'


@dataclass(frozen=True, slots=True)
class BotResult:
    """Means over the seats a bot held. None means "no estimate" (too few blocks, or never drawn)."""

    bot: str
    place: int  # position in `--bots`, of the first of its name; a key of `run --json`
    seats: int
    win_share: float | None
    low: float | None
    high: float | None
    score: float | None


@dataclass(frozen=True, slots=True)
class RunOutcome:
    bots: tuple[BotResult, ...]
    stalled: int
    capped: int


def outcome(run: Run) -> RunOutcome:
    names = list(dict.fromkeys(run.plan.bots))
    with Database([run]) as games:
        sums = games.sums(BY_BOT, "bot").reindex(pd.DataFrame({"bot": names}))
        ends = games.frame(ENDS).set_index("end")["n"]
    share, results = sums.mean("wins"), []
    numbers = np.array([share.value, *share.bounded_interval(run.record.size.blocks), sums.mean("score").value])
    for name, seats, row in zip(names, sums.total("n"), numbers.T, strict=True):
        known = [None if np.isnan(estimate) else float(estimate) for estimate in row]
        results.append(BotResult(name, run.plan.bots.index(name), int(seats), *known))
    return RunOutcome(tuple(results), int(ends.get("stalled", 0)), int(ends.get("capped", 0)))
