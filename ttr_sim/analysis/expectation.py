"""What a seat could expect: its outcomes less the mean of the seats in the same place.

A stratum is one bot in one seat at one number of players; where mixes of tickets are announced, with one mix.
"""

from __future__ import annotations

from dataclasses import dataclass

from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Sums

STRATUM = ["bot", "seat", "mix"]
# The mix is the number of tickets of each deck dealt at setup, four bits a deck.
MIXES = """
    CREATE OR REPLACE TEMP VIEW seats_and_mixes AS
    SELECT * FROM seats JOIN (
        SELECT game, seat, sum(1 << (4 * deck_number)) AS mix FROM tickets JOIN ticket_facts USING (ticket)
        WHERE turn = -1 GROUP BY ALL
    ) USING (game, seat)
"""
ONE_MIX = "CREATE OR REPLACE TEMP VIEW seats_and_mixes AS SELECT *, 0 AS mix FROM seats"
BY_STRATUM = """
    SELECT grp, bot, seat, mix, count(*) AS n, sum(win_share) AS win, sum(score) AS points
    FROM seats_and_mixes JOIN played USING (game) GROUP BY ALL
"""
VALUED = """
    CREATE OR REPLACE TEMP TABLE valued AS
    SELECT game, grp, seat, bot, stratum, win_share, win_share - mean_win AS win, score - mean_points AS points
    FROM seats_and_mixes JOIN strata USING (bot, seat, mix) JOIN (SELECT game, grp FROM played) USING (game)
"""


@dataclass(frozen=True)
class Expectation:
    """The sums of each stratum, and the statements that make the temporary table `valued` in a batch."""

    strata: Sums
    statements: tuple[str, ...]


def expect(source: Source, by_mix: bool) -> Expectation:
    """Means of the strata in a first pass, so that a second one can look at what is left after them."""
    if by_mix:
        source.add_table("ticket_facts", ticket_facts(source.edition)[["ticket", "deck_number"]])
    mixes = MIXES if by_mix else ONE_MIX
    (strata,) = source.several_sums({BY_STRATUM: STRATUM}, [mixes])
    means = {f"mean_{outcome}": strata.mean(outcome).value for outcome in ("win", "points")}
    source.add_table("strata", strata.keys.assign(stratum=strata.keys.index, **means))
    return Expectation(strata, (mixes, VALUED))
