"""Oddities: stalled and capped games, empty decks, with games to replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote

import pandas as pd

from ttr_sim.analysis.findings.finding import Finding, notable, nothing
from ttr_sim.analysis.findings.words import percent
from ttr_sim.analysis.thresholds import ODD_SHARE
from ttr_sim.edition.model import Edition

ALWAYS_TOLD = ("stalled", "capped")
TELLS = {
    "stalled": "stalled: nobody could move any more",
    "capped": "had to be cut short at the turn limit",
    "stuck_row": "had a row full of wilds that could not be replaced",
    "no_claim": "had a player who claimed no route at all",
    "passed": "had a player without a legal action",
    "short_draw": "ran out of cards in the middle of a draw",
    "short_offer": "ran out of tickets to offer",
}


def find(_edition: Edition, tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    oddities = tables["oddities"]
    told = oddities[(oddities["games"] > 0) & oddities["kind"].isin(ALWAYS_TOLD) | (oddities["share_low"] >= ODD_SHARE)]
    for _, row in told.iterrows():
        first = str(row["examples"]).split(",", maxsplit=1)[0]
        sentence = (
            f"With {row['players']:.0f} players {row['games']:,.0f} of {row['n']:,.0f} games {TELLS[row['kind']]}, "
            f"{percent(row, 'share')}; see `ttr-sim replay {quote(row['run'])} {first}`."
        )
        yield notable(f"oddity_{row['kind']}", "oddities", row, "share", sentence)
    if told.empty:
        yield nothing("oddities", "oddities", "No game stalled or was cut short, and nothing else odd was frequent.")
