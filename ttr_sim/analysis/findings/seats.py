"""Turn order: does a seat win more than its share?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from ttr_sim.analysis.findings.finding import Finding, leaders, notable, nothing
from ttr_sim.analysis.findings.words import of_those, percent, rate, with_players
from ttr_sim.analysis.thresholds import ALPHA, SEAT_MARGIN
from ttr_sim.edition.model import Edition

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def find(_edition: Edition, tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    seats = tables["seats"]
    seats = seats.assign(
        gap=(seats["win_share"] - seats["fair"]).abs().round(9), gains=seats["win_share"] > seats["fair"]
    )
    clear = seats[(seats["p_adjusted"] <= ALPHA) & (seats["gap"] >= SEAT_MARGIN)]
    for row, counts in leaders(clear, "gap", "seat", "gains"):
        sentence = (
            f"The {ORDINALS[int(row['seat'])]} to move wins {'more' if row['gains'] else 'less'} than its share "
            f"{with_players(counts)}: {of_those(counts, row['players'])}it wins {percent(row, 'win_share')} of the "
            f"games, where {rate(row['fair'])} is fair."
        )
        yield notable("seat_advantage", "seats", row, "win_share", sentence)
    if clear.empty:
        yield nothing("seats", "seats", _bound(seats))


def _bound(seats: pd.DataFrame) -> str:
    """How far off a seat may still be: the farthest end of any interval."""
    ends = seats[["win_share_low", "win_share_high"]]
    if ends.isna().to_numpy().any():
        return "Whether the place in turn order matters cannot be told from so few blocks."
    off = float(ends.sub(seats["fair"], axis=0).abs().to_numpy().max())
    return f"No seat is clearly off its fair share; none by more than {off * 100:.1f} percentage points either way."
