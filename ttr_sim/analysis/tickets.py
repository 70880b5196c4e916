"""How are tickets used, from the offer to completion?"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.jackknife import Estimate, derive, difference, ratio
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums, stack
from ttr_sim.analysis.tables import TICKETS

BY_TICKET = """
    SELECT grp, ticket, count(*) AS n,
        count_if(turn < 0) AS dealt, count_if(turn < 0 AND kept) AS dealt_kept,
        count_if(turn >= 0) AS drawn, count_if(turn >= 0 AND kept) AS drawn_kept,
        count_if(kept) AS kept, count_if(kept AND completed) AS done, count_if(kept AND NOT completed) AS failed,
        count(completed_turn) AS met, sum((completed_turn - greatest(turn, 0)) / players) AS rounds,
        count(completed_turn) FILTER (turn < 0) AS dealt_met,
        sum(completed_turn / players) FILTER (turn < 0) AS dealt_rounds
    FROM tickets JOIN (SELECT game, grp, players FROM played) USING (game) GROUP BY ALL
"""


def tickets(sources: Sequence[Source]) -> pd.DataFrame:
    """Shares of offers kept and of kept tickets completed, net points by the printed value, and rounds to completion
    among those completed (slow ones that never were are left out, so it flatters hard tickets)."""
    return stack(TICKETS, [measure_tickets(source) for source in sources])


def measure_tickets(source: Source) -> Measured:
    facts = ticket_facts(source.edition)
    sums = source.sums(BY_TICKET, ["ticket"]).spread_over(facts[["ticket"]])
    estimates = {
        "dealt_kept": sums.mean("dealt_kept", of="dealt"),
        "drawn_kept": sums.mean("drawn_kept", of="drawn"),
        "completed": sums.mean("done", of="kept"),
        "rounds": sums.mean("rounds", of="met"),
        "race_rounds": _rounds_beside_deck(sums, facts),
    }
    if not source.edition.is_race:
        estimates["net_points"] = _net_points(sums, facts, source.edition.ticket_rules.failed_subtract)
    keys = facts.assign(players=source.players, n=sums.total("n"))
    return Measured(keys, estimates, source.blocks)


def _net_points(sums: Sums, facts: pd.DataFrame, failed_subtract: bool) -> Estimate:
    printed = facts["points"].to_numpy(float)
    share = ratio(sums["done"] - sums["failed"] * failed_subtract, sums["kept"])
    return derive(lambda net: net * printed, share)


def _rounds_beside_deck(sums: Sums, facts: pd.DataFrame) -> Estimate:
    of_decks, deck = sums.by(facts["deck_number"])
    own, decks = (part.mean("dealt_rounds", of="dealt_met") for part in (sums, of_decks))
    return difference(own, decks.pick(deck))
