"""What is it worth to be dealt a ticket, and how are tickets used, from the offer to completion?

Who is dealt which ticket at setup is chance, so the difference it makes is cause and effect. Who keeps a ticket is not:
the win share of those who kept it, printed beside, mixes the ticket with the hands that fit it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import reduce
from operator import add
from types import MappingProxyType

import numpy as np
import pandas as pd

from ttr_sim.analysis.drawn import Drawn, together, with_drawn
from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.jackknife import Estimate, Floats, derive, difference, divide, ratio
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums, stack
from ttr_sim.analysis.tables import TICKET_VALUE, TICKET_VALUE_BY_BOT, TICKETS
from ttr_sim.analysis.thresholds import FAIR_REACH, LEAST_FAIR, LEAST_SENSITIVITY, SERIOUS, SLIGHT
from ttr_sim.analysis.verdicts import classes, how_far, judge
from ttr_sim.edition.model import Edition

BY_TICKET_DEALT = """
    SELECT grp, bot, ticket, count_if(turn = -1) AS n, sum(win) FILTER (turn = -1) AS win,
        sum(points) FILTER (turn = -1) AS points, count_if(turn = -1 AND kept AND completed) AS done,
        count_if(turn = -1 AND kept AND NOT completed) AS failed, count_if(kept) AS kept,
        count_if(kept AND completed) AS all_done, count_if(kept AND NOT completed) AS all_failed,
        sum(win_share) FILTER (kept) AS kept_wins
    FROM tickets JOIN valued USING (game, seat) GROUP BY ALL
"""
BY_STRATUM_AND_TICKET = """
    SELECT 0 AS grp, stratum, bot, ticket, count(*) AS n
    FROM tickets JOIN valued USING (game, seat) WHERE tickets.turn = -1 GROUP BY ALL
"""
BY_TICKET_OFFERED = """
    SELECT grp, ticket, count(*) AS n,
        count_if(turn < 0) AS dealt, count_if(turn < 0 AND kept) AS dealt_kept,
        count_if(turn >= 0) AS drawn, count_if(turn >= 0 AND kept) AS drawn_kept,
        count_if(kept) AS kept, count_if(kept AND completed) AS done, count_if(kept AND NOT completed) AS failed,
        count(completed_turn) AS met, sum((completed_turn - greatest(turn, 0)) / players) AS rounds,
        count(completed_turn) FILTER (turn < 0) AS dealt_met,
        sum(completed_turn / players) FILTER (turn < 0) AS dealt_rounds
    FROM tickets JOIN (SELECT game, grp, players FROM played) USING (game) GROUP BY ALL
"""


class Deals:
    """Outcomes of being dealt each ticket, less the mean of the stratum, summed by bot and ticket.

    A stratum is a number of players, bot, seat and mix. All its seats are dealt as many tickets of a deck, so the mean
    over its seats is the mean over the deck's tickets.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        expectation = source.expect(by_mix=source.edition.ticket_rules.mix)
        sums, cells = source.several_sums(
            {BY_TICKET_DEALT: ["bot", "ticket"], BY_STRATUM_AND_TICKET: ["stratum", "bot", "ticket"]},
            expectation.statements,
        )
        tickets = pd.DataFrame({"ticket": range(len(source.edition.tickets))})
        keys = expectation.strata.keys[["bot"]].drop_duplicates().merge(tickets, how="cross")
        shifts = {f"{name}_shift": _shifts(expectation.strata.mean(name), cells, keys) for name in ("win", "points")}
        held, _ = expectation.strata.over(["bot"])
        seats = held["n"][:, held.keys.reset_index().merge(keys, on="bot", how="right")["index"].to_numpy()]
        self.sums = Sums(keys, {**sums.spread_over(keys).arrays, **shifts, "seats": seats})

    def of(self, bots: Collection[str]) -> Deals:
        """Return the deals to these bots alone."""
        chosen = self.sums.keys["bot"].isin(list(bots)).to_numpy()
        part = copy(self)
        keys = self.sums.keys[chosen].reset_index(drop=True)
        part.sums = Sums(keys, {name: array[:, chosen] for name, array in self.sums.arrays.items()})
        return part


def ticket_value(
    deals: Sequence[Deals],
    others: Mapping[str, pd.DataFrame] = MappingProxyType({}),
    drawn: Sequence[Drawn] = (),
) -> pd.DataFrame:
    """Return the effect of being dealt each ticket on win share and points, its fair value, and the naive number beside
    them.

    Compared are seats with the same number of players, bot, seat and, where mixes are announced, mix, against the mean
    ticket of the same deck: a sum over those strata, weighted by deals. The fair value is first-order: it takes for
    granted that a printed point more is worth P(completed) - P(failed) points to who is dealt the ticket, as if nobody
    chose otherwise because of it.
    """
    edition = deals[0].source.edition
    measured = [_measure(edition, of.source.players, of.sums, of.source.blocks) for of in deals]
    if len(deals) > 1:
        measured.insert(0, measure_values(deals))
        drawn = [together(drawn), *drawn] if drawn else ()
    if drawn:
        measured = [with_drawn(dealt, late, edition.is_race) for dealt, late in zip(measured, drawn, strict=True)]
    table = judge(stack(TICKET_VALUE, measured))
    return table.assign(holds=how_far(table, others))


def measure_values(deals: Sequence[Deals]) -> Measured:
    """Return the same estimates for all player counts together."""
    return _measure(deals[0].source.edition, 0, *_together(deals))


def ticket_value_by_bot(deals: Sequence[Deals]) -> pd.DataFrame:
    """Return the same for each style by itself, all player counts together."""
    edition = deals[0].source.edition
    sums, blocks = _together(deals)
    keys = sums.keys.merge(ticket_facts(edition), how="left", on="ticket")
    players = 0 if len(deals) > 1 else deals[0].source.players
    keys = keys.assign(players=players, n=sums.total("n"))
    return stack(TICKET_VALUE_BY_BOT, [Measured(keys, _effects(edition, sums, keys["points"]), blocks)])


def _together(deals: Sequence[Deals]) -> tuple[Sums, int]:
    return reduce(add, (of.sums for of in deals)), max(of.source.blocks for of in deals)


def _shifts(means: Estimate, cells: Sums, keys: pd.DataFrame) -> Floats:
    """Return by group, bot and ticket how far leaving out the group moves the stratum means, times the deals in
    them."""
    counts = np.zeros((len(means.value), len(keys)))
    column = cells.keys.merge(keys.assign(column=keys.index), how="left", on=["bot", "ticket"])["column"]
    counts[cells.keys["stratum"], column] = cells.total("n")
    moved: Floats = np.nan_to_num(means.deleted - means.value)  # 0 for a stratum that lies within a single group
    return moved @ counts


def _effect(sums: Sums, outcome: str) -> Estimate:
    """Return the mean over a ticket's deals of the outcome less the stratum's mean."""
    plain = sums.mean(outcome)
    return replace(plain, deleted=plain.deleted - divide(sums[f"{outcome}_shift"], sums.total("n")))


def _effects(edition: Edition, sums: Sums, printed: pd.Series) -> dict[str, Estimate]:
    effects = {"win_effect": _effect(sums, "win")}
    if not edition.is_race:
        effects["points_effect"] = _effect(sums, "points")
        effects["fair_points"] = _fair_points(
            printed.to_numpy(float), effects["points_effect"], _slope(sums, edition.ticket_rules.failed_subtract)
        )
    return effects


def _slope(sums: Sums, failed_subtract: bool) -> Estimate:
    """Return what a printed point more adds to the effect: the net completions of a seat dealt the ticket, less those
    of all seats, as the deck's mean rises with it."""
    dealt, everyone = (
        ratio(sums[done] - sums[failed] * failed_subtract, sums[of])
        for done, failed, of in (("done", "failed", "n"), ("all_done", "all_failed", "seats"))
    )
    return difference(dealt, everyone)


def _fair_points(printed: Floats, effect: Estimate, slope: Estimate) -> Estimate:
    """Return the printed value less the effect over the slope, where a straight line may reach so far."""
    fair = derive(lambda gap, step: printed - divide(gap, step), effect, slope)
    usable = (slope.interval()[0] >= LEAST_SENSITIVITY) & (np.abs(fair.value - printed) <= FAIR_REACH)
    return replace(fair, value=np.where(usable & (fair.value >= LEAST_FAIR), fair.value, np.nan))


def _measure(edition: Edition, players: int, sums: Sums, blocks: int) -> Measured:
    facts = ticket_facts(edition)
    facts["class"] = classes(facts, edition.is_race)
    tickets, _ = sums.over(["ticket"])
    estimates = _effects(edition, tickets, facts["points"])
    of_class, column = tickets.by((facts["deck"] + " " + facts["class"]).rename("class"))
    estimates["class_effect"] = _effect(of_class, "win").pick(column)
    estimates["excess"] = difference(estimates["win_effect"], estimates["class_effect"])
    keys = facts.assign(
        players=players,
        n=tickets.total("n"),
        kept_n=tickets.total("kept"),
        drawn_n=0,
        p=estimates["excess"].p_beyond(SLIGHT),
        p_serious=estimates["excess"].p_beyond(SERIOUS),
    )
    return Measured(keys, {**estimates, **_naive(tickets, facts)}, blocks)


def _naive(tickets: Sums, facts: pd.DataFrame) -> dict[str, Estimate]:
    of_decks, deck = tickets.by(facts["deck_number"])
    win_share = tickets.mean("kept_wins", of="kept")
    gap = difference(win_share, of_decks.mean("kept_wins", of="kept").pick(deck))
    return {"kept_win_share": win_share, "kept_win_gap": gap}


def tickets(sources: Sequence[Source]) -> pd.DataFrame:
    """Return shares of offers kept and of kept tickets completed, net points by the printed value, and rounds to
    completion among those completed (slow ones that never were are left out, so it flatters hard tickets)."""
    return stack(TICKETS, [measure_tickets(source) for source in sources])


def measure_tickets(source: Source) -> Measured:
    facts = ticket_facts(source.edition)
    sums = source.sums(BY_TICKET_OFFERED, ["ticket"]).spread_over(facts[["ticket"]])
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
    printed = facts["points"].to_numpy(float)
    least = -printed if source.edition.ticket_rules.failed_subtract else 0.0
    return Measured(keys, estimates, source.blocks, {"net_points": (least, printed)})


def _net_points(sums: Sums, facts: pd.DataFrame, failed_subtract: bool) -> Estimate:
    printed = facts["points"].to_numpy(float)
    share = ratio(sums["done"] - sums["failed"] * failed_subtract, sums["kept"])
    return derive(lambda net: net * printed, share)


def _rounds_beside_deck(sums: Sums, facts: pd.DataFrame) -> Estimate:
    of_decks, deck = sums.by(facts["deck_number"])
    own, decks = (part.mean("dealt_rounds", of="dealt_met") for part in (sums, of_decks))
    return difference(own, decks.pick(deck))
