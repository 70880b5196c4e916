"""Play styles: does one beat all others, does one lose to all, do they go in a circle?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from ttr_sim.analysis.findings.finding import Finding, notable, nothing, top
from ttr_sim.analysis.findings.words import of_those, percent, rate, with_players
from ttr_sim.analysis.thresholds import ALWAYS_WINS
from ttr_sim.edition.model import Edition

TELLS = {"dominant": "is clearly ahead of every other style", "dominated": "is clearly behind every other style"}


def find(_edition: Edition, tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    if tables["matchups"].empty:
        return
    found = [*_verdicts(tables["strategies"]), *_cycles(tables["cycles"])]
    quiet = (
        "No style is clearly ahead of, or clearly behind, all others at any player count, and no styles go in a circle."
    )
    yield from found or [nothing("styles", "strategies", quiet)]


def _verdicts(strategies: pd.DataFrame) -> Iterator[Finding]:
    """One a style and verdict; the number is from the player count with the largest gap to the fair share."""
    for (bot, verdict), rows in strategies[strategies["verdict"] != ""].groupby(["bot", "verdict"]):
        row = top(rows.assign(gap=(rows["win_share"] / rows["fair"] - 1).abs()), "gap")
        counts = rows["players"]
        sentence = (
            f"{bot} {TELLS[str(verdict)]} {with_players(counts)}: {of_those(counts, row['players'])}it wins "
            f"{percent(row, 'win_share')} of its seats, where {rate(row['fair'])} is fair."
        )
        if verdict == "dominant" and row["win_share_low"] >= ALWAYS_WINS:
            sentence += " Against these opponents other styles hardly have a chance."
        yield notable(f"{verdict}_style", "strategies", row, "win_share", sentence)


def _cycles(cycles: pd.DataFrame) -> Iterator[Finding]:
    for label, row in cycles.iterrows():
        margin = float(row["margin"])
        sentence = (
            f"Styles go in a circle {with_players([row['players']])}: {row['cycle']}; "
            f"each wins at least {(0.5 + margin) * 100:.1f} % against the next."
        )
        yield Finding("style_cycle", int(row["players"]), sentence, True, "cycles", int(str(label)), margin)
