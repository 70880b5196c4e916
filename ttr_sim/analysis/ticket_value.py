"""What is it worth to be dealt a ticket?

Who is dealt which ticket at setup is chance, so the difference it makes is cause and effect. Who keeps a ticket is not:
the win share of those who kept it, printed beside, mixes the ticket with the hands that fit it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ttr_sim.analysis.expectation import expect
from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.jackknife import Estimate, Floats, benjamini_hochberg, derive, difference, divide, ratio
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums, stack
from ttr_sim.analysis.tables import TICKET_VALUE
from ttr_sim.analysis.thresholds import ALPHA, LEAST_SENSITIVITY, MISPRICED_POINTS, MISPRICED_WIN_SHARE
from ttr_sim.edition.model import Edition

BY_TICKET = """
    SELECT grp, ticket, count_if(turn = -1) AS n, sum(win) FILTER (turn = -1) AS win,
        sum(points) FILTER (turn = -1) AS points, count_if(turn = -1 AND kept AND completed) AS done,
        count_if(turn = -1 AND kept AND NOT completed) AS failed, count_if(kept) AS kept,
        sum(win_share) FILTER (kept) AS kept_wins
    FROM tickets JOIN valued USING (game, seat) GROUP BY ALL
"""
BY_STRATUM_AND_TICKET = """
    SELECT stratum, ticket, count(*) AS n
    FROM tickets JOIN valued USING (game, seat) WHERE tickets.turn = -1 GROUP BY ALL
"""


@dataclass(frozen=True)
class Deals:
    """Outcomes of being dealt each of T tickets, less the mean of their stratum (players, bot, seat, mix).

    Within a stratum all seats are dealt as many tickets of a deck, so the mean over its seats is the mean over the
    deck's tickets.
    """

    tickets: Sums
    shifts: Mapping[str, Floats]  # by outcome (GROUPS, T): how far leaving out a group moves the stratum means

    def __add__(self, other: Deals) -> Deals:
        """Both together, the shifts weighted by deals."""
        own, others = self.tickets.total("n"), other.tickets.total("n")
        return Deals(
            self.tickets + other.tickets,
            {
                outcome: np.nan_to_num(divide(shift * own + other.shifts[outcome] * others, own + others))
                for outcome, shift in self.shifts.items()
            },
        )

    def effect(self, outcome: str) -> Estimate:
        """Mean over the ticket's deals of outcome less stratum mean: the weighted sum over strata of the difference
        between the ticket's mean and its deck's."""
        plain = self.tickets.mean(outcome)
        return replace(plain, deleted=plain.deleted - self.shifts[outcome])


def ticket_value(sources: Sequence[Source]) -> pd.DataFrame:
    """Effect of being dealt each ticket on win share and points, fair value, and the naive figure beside them.

    Compared are seats with the same number of players, bot, seat and, where mixes are announced, mix, against the mean
    ticket of the same deck. The fair value is first-order: it takes for granted that a printed point more is worth
    P(completed) - P(failed) points to who is dealt the ticket, as if nobody chose otherwise because of it.
    """
    edition = sources[0].edition
    deals = [_deals(source) for source in sources]
    measured = [
        _measure(edition, source.players, of_source, source.blocks)
        for source, of_source in zip(sources, deals, strict=True)
    ]
    if len(sources) > 1:
        together = deals[0]
        for more in deals[1:]:
            together = together + more
        measured.insert(0, _measure(edition, 0, together, max(source.blocks for source in sources)))
    table = stack(TICKET_VALUE, measured)
    table["p_adjusted"] = benjamini_hochberg(table["p"])
    return table.assign(verdict=_verdicts(table, edition.is_race))


def measure_ticket_value(source: Source) -> Measured:
    return _measure(source.edition, source.players, _deals(source), source.blocks)


def _deals(source: Source) -> Deals:
    facts = ticket_facts(source.edition)
    expectation = expect(source, by_mix=source.edition.ticket_rules.mix)
    by_ticket, cells = source.several_rows([BY_TICKET, BY_STRATUM_AND_TICKET], expectation.statements)
    counts = np.zeros((len(expectation.strata.keys), len(facts)))
    np.add.at(counts, (cells["stratum"].to_numpy(), cells["ticket"].to_numpy()), cells["n"].to_numpy())
    weights = np.nan_to_num(divide(counts, counts.sum(axis=0)))
    shifts = {outcome: _shift(expectation.strata.mean(outcome)) @ weights for outcome in ("win", "points")}
    return Deals(Sums.of(by_ticket, ["ticket"]).spread_over(facts[["ticket"]]), shifts)


def _shift(means: Estimate) -> Floats:
    """By group and stratum; a stratum within a single group has no mean without it."""
    return np.nan_to_num(means.deleted - means.value)


def _measure(edition: Edition, players: int, deals: Deals, blocks: int) -> Measured:
    tickets = ticket_facts(edition)
    win_effect = deals.effect("win")
    estimates = {"win_effect": win_effect, **_naive(deals, tickets)}
    if edition.is_race:
        p = win_effect.p_value()
    else:
        estimates["points_effect"] = deals.effect("points")
        estimates["fair_points"] = _fair_points(edition, deals, estimates["points_effect"])
        p = estimates["points_effect"].p_value()
    n, kept_n = (deals.tickets.total(name).astype(np.int64) for name in ("n", "kept"))
    return Measured(tickets.assign(players=players, n=n, kept_n=kept_n, p=p), estimates, blocks)


def _naive(deals: Deals, tickets: pd.DataFrame) -> dict[str, Estimate]:
    of_decks, deck = deals.tickets.by(tickets["deck_number"])
    win_share = deals.tickets.mean("kept_wins", of="kept")
    gap = difference(win_share, of_decks.mean("kept_wins", of="kept").pick(deck))
    return {"kept_win_share": win_share, "kept_win_gap": gap}


def _fair_points(edition: Edition, deals: Deals, effect: Estimate) -> Estimate:
    printed = np.array([ticket.points for ticket in edition.tickets], float)
    lost = deals.tickets["failed"] * edition.ticket_rules.failed_subtract
    sensitivity = ratio(deals.tickets["done"] - lost, deals.tickets["n"])
    fair = derive(lambda gap, step: printed - divide(gap, step), effect, sensitivity)
    too_flat = sensitivity.value < LEAST_SENSITIVITY
    return Estimate(np.where(too_flat, np.nan, fair.value), fair.deleted, fair.groups, fair.trials)


def _verdicts(table: pd.DataFrame, is_race: bool) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """Sure that it differs, and by enough to matter."""
    if is_race:
        gap, least = table["win_effect"], MISPRICED_WIN_SHARE
    else:
        gap, least = (table["points"] - table["fair_points"]).fillna(table["points_effect"]), MISPRICED_POINTS
    matters = (table["p_adjusted"] <= ALPHA) & (gap.abs() >= least)
    return np.where(matters & (gap > 0), "overpriced", np.where(matters, "underpriced", ""))
