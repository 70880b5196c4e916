"""The shape of a game: is it decided early, do tickets hide the winner, are wins shared?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from ttr_sim.analysis.findings.finding import Finding, bottom, notable, nothing, top
from ttr_sim.analysis.findings.words import percent, with_players
from ttr_sim.analysis.thresholds import DECIDED_EARLY, HIDDEN_WINNER, SHARED_WINS
from ttr_sim.edition.model import Edition


def find(_edition: Edition, tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    pace = tables["pace"]
    found = [
        *_told(
            pace,
            "decided",
            -DECIDED_EARLY,
            "early_decision",
            "the winner leads alone from {} of the game on, on average",
        ),
        *_told(
            pace,
            "hidden",
            HIDDEN_WINNER,
            "hidden_winner",
            "in {} of the games the winner was not in front in open points",
        ),
        *_told(pace, "shared", SHARED_WINS, "shared_wins", "{} of the games end with several winners"),
    ]
    quiet = "Games are neither decided early, nor by hidden tickets alone, nor often shared."
    yield from found or [nothing("shape", "pace", quiet)]


def _told(pace: pd.DataFrame, measure: str, limit: float, rule: str, tells: str) -> Iterator[Finding]:
    """One finding for the player counts beyond the limit; a negative limit is one to stay under."""
    rows = pace[pace["measure"] == measure]
    beyond = rows[rows["mean_high"] < -limit] if limit < 0 else rows[rows["mean_low"] > limit]
    if beyond.empty:
        return
    row = bottom(beyond, "mean") if limit < 0 else top(beyond, "mean")
    sentence = f"{with_players(beyond['players'])}, {tells.format(percent(row, 'mean'))}"
    if len(beyond) > 1:
        sentence += f" (with {row['players']:.0f}, where it is most marked)"
    yield notable(rule, "pace", row, "mean", f"{sentence[0].upper()}{sentence[1:]}.")
