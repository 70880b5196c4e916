"""What is it worth to be dealt a ticket, and how are tickets used, from the offer to completion?

Who is dealt which ticket at setup is chance, so the difference it makes is cause and effect. Who keeps a ticket is not:
the win share of those who kept it, printed beside, mixes the ticket with the hands that fit it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from types import MappingProxyType

import numpy as np
import pandas as pd

from ttr_sim.analysis.columns import Flags, Ints
from ttr_sim.analysis.expectation import Expectation, expect
from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.jackknife import Estimate, Floats, derive, difference, divide, ratio
from ttr_sim.analysis.rows import Rows
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums, every, stack, tally
from ttr_sim.analysis.tables import TICKET_VALUE, TICKET_VALUE_BY_BOT, TICKETS
from ttr_sim.analysis.thresholds import FAIR_REACH, LEAST_FAIR, LEAST_SENSITIVITY, SERIOUS, SLIGHT
from ttr_sim.analysis.verdicts import HIGH, classes, how_far, judge
from ttr_sim.edition.model import Edition

OF_WINS = ("n", "win", "win_shift")  # measures that the effect on wins rests on
OF_EXCESS = ("players", "ticket", "class_effect", "excess")
EXCESS = replace(TICKET_VALUE, columns=tuple(column for column in TICKET_VALUE.columns if column.name in OF_EXCESS))


@dataclass(frozen=True)
class Dealt:
    """Adds up what is left of the outcomes of the seats that were dealt each ticket, by bot and ticket."""

    expectation: Expectation

    def __call__(self, rows: Rows) -> Sums:
        left, tickets = self.expectation.left(rows), rows.tickets
        holder = rows.row_of_seat(tickets.game, tickets["seat"])
        keys = every(bot=rows.bots, ticket=range(len(rows.edition.tickets)))
        key = rows.seats["bot"][holder] * len(rows.edition.tickets) + tickets["ticket"]

        def added(chosen: Flags, **measures: Floats | None) -> Sums:
            at = np.flatnonzero(chosen)
            of_seats = {name: None if values is None else values[holder[at]] for name, values in measures.items()}
            return tally(keys, tickets.grp[at], key[at], **of_seats)

        dealt, kept = tickets["turn"] == -1, tickets["kept"] == 1
        done, failed = kept & (tickets["completed"] == 1), kept & (tickets["completed"] == 0)
        return (
            added(dealt, n=None, win=left.win, points=left.points)
            | added(dealt & done, done=None)
            | added(dealt & failed, failed=None)
            | added(kept, kept=None, kept_wins=rows.seats["win_share"])
            | added(done, all_done=None)
            | added(failed, all_failed=None)
        )


@dataclass(frozen=True)
class DealtByStratum:
    """Counts the seats that were dealt each ticket, by stratum and ticket."""

    expectation: Expectation

    def __call__(self, rows: Rows) -> Floats:
        dealt, shape = rows.tickets.where(rows.tickets["turn"] == -1), self.shape(rows.edition)
        stratum = self.expectation.left(rows).stratum[rows.row_of_seat(dealt.game, dealt["seat"])]
        counts = np.bincount(stratum * shape[1] + dealt["ticket"], minlength=shape[0] * shape[1])
        return counts.reshape(shape).astype(float)

    def shape(self, edition: Edition) -> tuple[int, int]:
        return len(self.expectation.strata.keys), len(edition.tickets)


def by_ticket_offered(rows: Rows) -> Sums:
    tickets, keys = rows.tickets, every(ticket=range(len(rows.edition.tickets)))
    key, turn, met = tickets["ticket"].astype(np.int64), tickets["turn"], tickets["completed_turn"]

    def added(chosen: Flags, **measures: Floats | None) -> Sums:
        at = np.flatnonzero(chosen)
        of_rows = {name: None if values is None else values[at] for name, values in measures.items()}
        return tally(keys, tickets.grp[at], key[at], **of_rows)

    dealt, kept, is_met = turn < 0, tickets["kept"] == 1, ~np.isnan(met)
    rounds = {"met": None, "rounds": (met - np.maximum(turn, 0)) / rows.players}
    dealt_rounds = {"dealt_met": None, "dealt_rounds": met / rows.players}
    return (
        added(dealt, dealt=None)
        | added(dealt & kept, dealt_kept=None)
        | added(~dealt, drawn=None)
        | added(~dealt & kept, drawn_kept=None)
        | added(kept & (tickets["completed"] == 1), done=None)
        | added(kept & (tickets["completed"] == 0), failed=None)
        | added(is_met, **rounds)
        | added(is_met & dealt, **dealt_rounds)
    )


class Deals:
    """Outcomes of being dealt each ticket, less the mean of the stratum, summed by bot and ticket.

    A stratum is a number of players, bot, seat and mix. All its seats are dealt as many tickets of a deck, so the mean
    over its seats is the mean over the deck's tickets.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        expectation, dealt, by_stratum = questions_of_deals(source)
        source.answer([dealt, by_stratum])
        strata, tickets = expectation.strata, len(source.edition.tickets)
        held, bot = strata.over(["bot"])
        keys = every(bot=held.keys["bot"], ticket=range(tickets))
        counts = source.take(by_stratum)
        shifts = {f"{name}_shift": _shifts(strata.mean(name), counts, bot) for name in ("win", "points")}
        seats = np.repeat(held["n"], tickets, axis=1)
        self.sums = Sums(keys, {**source.take(dealt).spread_over(keys).arrays, **shifts, "seats": seats})

    def of(self, bots: Collection[str], measures: Collection[str] | None = None) -> Deals:
        """Return the deals to these bots alone, with all measures or some."""
        chosen = self.sums.keys["bot"].isin(list(bots)).to_numpy()
        part = copy(self)
        keys = self.sums.keys[chosen].reset_index(drop=True)
        part.sums = Sums(keys, {name: self.sums[name][:, chosen] for name in measures or self.sums.arrays})
        return part


def questions_of_deals(source: Source) -> tuple[Expectation, Dealt, DealtByStratum]:
    expectation = expect(source, source.edition.ticket_rules.mix)
    return expectation, Dealt(expectation), DealtByStratum(expectation)


def ticket_value(deals: Sequence[Deals], others: Mapping[str, pd.DataFrame] = MappingProxyType({})) -> pd.DataFrame:
    """Return the effect of being dealt each ticket on win share and points, its fair value, and the naive number beside
    them.

    Compared are seats with the same number of players, bot, seat and, where mixes are announced, mix, against the mean
    ticket of the same deck: a sum over those strata, weighted by deals. The fair value is first-order: it takes for
    granted that a printed point more is worth P(completed) - P(failed) points to who is dealt the ticket, as if nobody
    chose otherwise because of it.
    """
    edition = deals[0].source.edition
    measured = [_measure(edition, *part) for part in _parts(deals)]
    table = judge(stack(TICKET_VALUE, measured))
    return table.assign(holds=how_far(table, others))


def ticket_excess(deals: Sequence[Deals]) -> pd.DataFrame:
    """Return of `ticket_value` only what says how far it holds: effects of classes, and what tickets give beyond."""
    return stack(EXCESS, [_measure_excess(deals[0].source.edition, *part) for part in _parts(deals)])


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


def _parts(deals: Sequence[Deals]) -> list[tuple[int, Sums, int]]:
    """Return players, sums and blocks: of all player counts together first, where there are several."""
    each = [(of.source.players, of.sums, of.source.blocks) for of in deals]
    return [(0, *_together(deals)), *each] if len(deals) > 1 else each


def _together(deals: Sequence[Deals]) -> tuple[Sums, int]:
    return reduce(add, (of.sums for of in deals)), max(of.source.blocks for of in deals)


def _shifts(means: Estimate, counts: Floats, bot: Ints) -> Floats:
    """Return by group, bot and ticket how far leaving out the group moves the means of the bot's strata, times the
    deals in them."""
    moved: Floats = np.nan_to_num(means.deleted - means.value)  # 0 for a stratum that lies within a single group
    own_strata = [np.flatnonzero(bot == number) for number in range(bot.max() + 1)]
    return np.hstack([moved[:, own] @ counts[own] for own in own_strata])


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
    facts = _facts_and_classes(edition)
    tickets, _ = sums.over(["ticket"])
    estimates = _effects(edition, tickets, facts["points"])
    estimates |= _beyond_class(tickets, facts, estimates["win_effect"])
    keys = facts.assign(
        players=players,
        n=tickets.total("n"),
        kept_n=tickets.total("kept"),
        p=estimates["excess"].p_beyond(SLIGHT),
        p_serious=estimates["excess"].p_beyond(SERIOUS),
    )
    return Measured(keys, {**estimates, **_naive(tickets, facts)}, blocks)


def _measure_excess(edition: Edition, players: int, sums: Sums, blocks: int) -> Measured:
    facts = _facts_and_classes(edition)
    tickets, _ = sums.over(["ticket"])
    return Measured(facts.assign(players=players), _beyond_class(tickets, facts, _effect(tickets, "win")), blocks)


def _facts_and_classes(edition: Edition) -> pd.DataFrame:
    facts = ticket_facts(edition)
    return facts.assign(**{"class": classes(facts, edition.is_race)})


def _beyond_class(tickets: Sums, facts: pd.DataFrame, win_effect: Estimate) -> dict[str, Estimate]:
    """Return the effect of each ticket's class, and what the ticket gives beyond it."""
    is_high = facts["class"].to_numpy() == HIGH
    of_class, column = tickets.by(facts["deck_number"].to_numpy() * 2 + is_high)
    class_effect = _effect(of_class, "win").pick(column)
    return {"class_effect": class_effect, "excess": difference(win_effect, class_effect)}


def _naive(tickets: Sums, facts: pd.DataFrame) -> dict[str, Estimate]:
    of_decks, deck = tickets.by(facts["deck_number"].to_numpy())
    win_share = tickets.mean("kept_wins", of="kept")
    gap = difference(win_share, of_decks.mean("kept_wins", of="kept").pick(deck))
    return {"kept_win_share": win_share, "kept_win_gap": gap}


def tickets(sources: Sequence[Source]) -> pd.DataFrame:
    """Return shares of offers kept and of kept tickets completed, net points by the printed value, and rounds to
    completion among those completed (slow ones that never were are left out, so it flatters hard tickets)."""
    return stack(TICKETS, [measure_tickets(source) for source in sources])


def measure_tickets(source: Source) -> Measured:
    facts = ticket_facts(source.edition)
    sums = source.ask(by_ticket_offered).spread_over(facts[["ticket"]])
    kept, n = (sums[one] + sums[other] for one, other in (("dealt_kept", "drawn_kept"), ("dealt", "drawn")))
    sums |= Sums(sums.keys, {"kept": kept, "n": n})
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
    of_decks, deck = sums.by(facts["deck_number"].to_numpy())
    own, decks = (part.mean("dealt_rounds", of="dealt_met") for part in (sums, of_decks))
    return difference(own, decks.pick(deck))
