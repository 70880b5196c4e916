"""Does turn order matter?"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ttr_sim.analysis.jackknife import difference, holm
from ttr_sim.analysis.rows import Rows
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums, every, stack, tally
from ttr_sim.analysis.tables import SEATS, SEATS_BY_BOT
from ttr_sim.analysis.thresholds import ALPHA, SEAT_MARGIN


def by_bot_and_seat(rows: Rows) -> Sums:
    seats = rows.seats
    score, win_share = seats["score"], seats["win_share"]
    key = seats["bot"] * rows.players + seats["seat"]
    keys = every(bot=rows.bots, seat=range(rows.players))
    return tally(keys, seats.grp, key, n=None, wins=win_share, score=score, winning=score * win_share)


def seats(sources: Sequence[Source]) -> pd.DataFrame:
    """Return mean win share and score by seat.

    Each block plays all distinct rotations of its lineup, so every bot sits in every seat with the same deal, and the
    seat alone makes the difference.
    """
    table = stack(SEATS, [measure_seats(source) for source in sources])
    return table.assign(p_adjusted=holm(table["p"]))


def seats_by_bot(sources: Sequence[Source]) -> pd.DataFrame:
    """Return the same for each bot, and what a seat gains it over its mean of all seats."""
    return stack(SEATS_BY_BOT, [measure_seats_by_bot(source) for source in sources])


def clearly_off(seats: pd.DataFrame) -> pd.Series:
    """Return which seats are surely off their fair share, by enough to matter."""
    gap = (seats["win_share"] - seats["fair"]).abs().round(9)
    return (seats["p_adjusted"] <= ALPHA) & (gap >= SEAT_MARGIN)


def measure_seats(source: Source) -> Measured:
    sums, _ = source.ask(by_bot_and_seat).over(["seat"])
    fair = 1 / source.players
    win_share = sums.mean("wins")
    keys = sums.keys.assign(players=source.players, n=sums.total("n"), fair=fair, p=win_share.p_value(fair))
    return Measured(keys, {"win_share": win_share, "score": sums.mean("score")}, source.blocks)


def measure_seats_by_bot(source: Source) -> Measured:
    sums = source.ask(by_bot_and_seat)
    of_bots, bot = sums.over(["bot"])
    win_share = sums.mean("wins")
    gain = difference(win_share, of_bots.mean("wins").pick(bot))
    keys = sums.keys.assign(players=source.players, n=sums.total("n"))
    return Measured(keys, {"win_share": win_share, "gain": gain}, source.blocks)
