"""Numbers of a whole board that no table has: how many tickets are misvalued, how far a route locks out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ttr_sim.report.numbers import ALL

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis

HEADLINES = "headlines"  # stands where ranges name a table
MISVALUED, LOCKED_OUT = "misvalued", "locked_out"


def headline_numbers(analysis: Analysis) -> Iterator[tuple[int, str, float]]:
    """Yield player count, key and number."""
    tickets = judged_tickets(analysis)
    if len(tickets):
        yield ALL, MISVALUED, float((tickets["verdict"] != "").mean())
    for players, routes in analysis.tables["routes"].groupby("players"):
        known = routes["denial"].dropna()
        if len(known):
            yield int(str(players)), LOCKED_OUT, float(known.max())


def judged_tickets(analysis: Analysis) -> pd.DataFrame:
    """Return the tickets that are dealt at setup: rows of all player counts together, or of the only one."""
    return listed_tickets(analysis).dropna(subset=["win_effect_low"])


def listed_tickets(analysis: Analysis) -> pd.DataFrame:
    tickets = analysis.tables["ticket_value"]
    listed: pd.DataFrame = tickets[tickets["players"] == tickets["players"].min()]
    return listed


def games_by_count(analysis: Analysis) -> float:
    """Return the mean number of games at a player count, on which it depends how many tickets are clearly misvalued."""
    runs = analysis.main_runs
    return sum(run.games for run in runs) / max(1, len({run.players for run in runs}))
