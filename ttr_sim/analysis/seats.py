"""Does turn order matter?"""

from __future__ import annotations

import pandas as pd

from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import difference, holm
from ttr_sim.analysis.tables import Measured
from ttr_sim.analysis.thresholds import ALPHA, SEAT_MARGIN

BY_SEAT = """
SELECT grp, players, bot, seat, count(*) AS n, sum(win_share) AS wins, sum(score) AS score,
    sum(score * win_share) AS winning
FROM seat GROUP BY ALL"""


def seats(games: Database) -> pd.DataFrame:
    """Mean win share and score by seat.

    Each block plays all distinct rotations of its lineup, so every bot sits in every seat with the same deal, and the
    seat alone makes the difference.
    """
    sums, _ = games.sums(BY_SEAT, "players", "bot", "seat").over("players", "seat")
    win_share, fair = sums.mean("wins"), 1 / sums.keys["players"]
    keys = sums.keys.assign(n=sums.total("n"), fair=fair, p=win_share.p_value(fair.to_numpy()))
    estimates = {"win_share": win_share, "score": sums.mean("score")}
    table = Measured(keys, estimates, games.blocks(keys)).table("seats")
    return table.assign(p_adjusted=holm(table["p"]))


def seats_by_bot(games: Database) -> pd.DataFrame:
    """The same for each bot, and the gain of a seat over the bot's mean of all seats."""
    sums = games.sums(BY_SEAT, "players", "bot", "seat")
    of_bots, bot = sums.over("players", "bot")
    win_share = sums.mean("wins")
    gain = difference(win_share, of_bots.mean("wins").pick(bot))
    keys = sums.keys.assign(n=sums.total("n"))
    return Measured(keys, {"win_share": win_share, "gain": gain}, games.blocks(keys)).table("seats_by_bot")


def clearly_off(seats: pd.DataFrame) -> pd.Series:
    """Seats that are surely off their fair share, by enough to matter."""
    gap = (seats["win_share"] - seats["fair"]).abs().round(9)
    return (seats["p_adjusted"] <= ALPHA) & (gap >= SEAT_MARGIN)
