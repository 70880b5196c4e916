"""Where a player that looks ahead surely values something otherwise: the sentence that a finding adds."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd

from ttr_sim.analysis.stronger.opinions import CLASS, EXCESS, FIRST_PLAYER, OTHER, PLANNER
from ttr_sim.analysis.thresholds import MOST_NAMED
from ttr_sim.analysis.words import listed, percent, wins

BESIDE = {CLASS: ", compared with the mean of the deck", EXCESS: ", compared with its class"}
OWN_GAMES = "that come with ttr-sim"  # those of the study were played by others


@dataclass(frozen=True, slots=True)
class Opinions:
    """What players that look ahead make of a board; without a table, nobody asked them."""

    table: pd.DataFrame | None = None

    def otherwise(self, measure: str, rows: Collection[int]) -> str:
        """Return a sentence on those of the rows that a stronger player surely values otherwise; nothing for none."""
        found = self.differing(measure, rows)
        if found.empty:
            return ""
        first = found.iloc[0]
        does, write = ("wins", percent) if measure == FIRST_PLAYER else ("gives", wins)
        each = [
            f"{row['name']} {does} {write(row, OTHER)} instead of {write(row, PLANNER)}" for _, row in found.iterrows()
        ]
        who = f"{first['bot']}, {first['games']:,} games with {first['players']} players {OWN_GAMES}"
        return f" Where all look ahead ({who}), {listed(each, MOST_NAMED)}{BESIDE.get(measure, '')}."

    def differing(self, measure: str, rows: Collection[int]) -> pd.DataFrame:
        """Return those of the rows, the most different first."""
        if self.table is None:
            return pd.DataFrame()
        asked = (self.table["measure"] == measure) & self.table["row"].isin(list(rows)) & self.table["is_other"]
        found = self.table[asked]
        apart = (found[OTHER] - found[PLANNER]).abs()
        return found.loc[apart.sort_values(ascending=False, kind="stable").index]


NOBODY_ASKED = Opinions()
