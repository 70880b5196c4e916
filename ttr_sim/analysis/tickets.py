"""What is it worth to be dealt a ticket, and how are tickets used, from the offer to completion?

Who is dealt which ticket at setup is chance, so the difference it makes is cause and effect. Who keeps a ticket is not:
the win share of those who kept it, printed beside, mixes the ticket with the hands that fit it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from ttr_sim.analysis.db import Database, Sums, product
from ttr_sim.analysis.jackknife import Estimate, Floats, benjamini_hochberg, derive, difference, divide, ratio
from ttr_sim.analysis.tables import Measured, parse_layouts
from ttr_sim.analysis.thresholds import (
    ALPHA,
    FAIR_REACH,
    HIGH_CLASS,
    LEAST_CLASS,
    LEAST_FAIR,
    LEAST_SENSITIVITY,
    SERIOUS,
    SLIGHT,
)
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import UNREACHABLE, fewest_trains

TABLES = parse_layouts(
    """
ticket_value | What a ticket is worth
  = The effect of being dealt a ticket at setup, against the mean ticket of its deck; n counts the seats dealt it. The
      verdict goes by what it gives beyond its class. A race has no points: there those are missing.
  players ticket from to deck points copy
  class              text     high (printed points at least 1.5 times the deck's mean; in a race, trains) or low
  n                  count    seats dealt it at setup
  class_effect       ~change  win_effect of all tickets of its deck and class together
  excess             ~change  win_effect minus class_effect
  win_effect         ~change  win share of those dealt it minus that of those dealt the deck's mean ticket
  points_effect      ~points  final score, likewise
  fair_points        ~points  first-order fair value, shown within 3 points of the printed one: printed value - points
      effect / (net completions of a seat dealt it - those of all seats)
  kept_n             count    seats that kept it at any time
  kept_win_share     ~share   the naive number: win share of the seats that kept it, mixed up with who keeps what
  kept_win_gap       ~change  the same minus the mean over all kept tickets of the deck
  p                  p        p-value of the excess being at most 2 wins in 100
  p_adjusted         p        the same after Benjamini and Hochberg's correction over the whole table
  p_serious          p        the same of at most 5 wins in 100, corrected
  verdict            text     generous (certainly gives more than its class), stingy (gives less), or empty
  grade              text     slight (beyond 2 wins in 100), serious (beyond 5), or empty
  holds              text     how far the excess holds: all (clearly the same sign for the same style in the other
      fields), strong, or depends (clearly the opposite in one)

ticket_value_by_bot | What a ticket is worth to each style
  = The same style by style, all player counts together: a ticket is worth what a style can make of it.
  players bot ticket from to deck points copy
  n                  count    seats dealt it at setup
  win_effect         ~change  win share, against the deck's mean ticket
  points_effect      ~points  final score, likewise
  fair_points        ~points  first-order fair value for this style

tickets | How tickets are used
  = From offer to completion, setup and later offers together; n counts offers.
  players ticket from to deck points copy
  trains             number   trains of the shortest path on the empty board; missing when there is none
  n                  count    offers
  dealt_kept         ~share   kept when dealt at setup
  drawn_kept         ~share   kept when drawn during the game
  completed          ~share   completed among those kept
  net_points         ~points  mean points gained or lost by keeping it, as printed
  rounds             ~rounds  rounds from the offer to completion by own routes
  race_rounds        ~rounds  rounds to completion, setup tickets only, minus the deck's mean
"""
)

HIGH, LOW = "high", "low"  # classes
GENEROUS, STINGY = "generous", "stingy"
SERIOUS_GRADE, SLIGHT_GRADE = "serious", "slight"
OF_EXCESS = ("players", "ticket", "class_effect", "excess")

# By player count or by bot, the key in braces.
DEALT = """
SELECT grp, {key}, ticket,
    count(*) FILTER (turn = -1) AS n,
    sum(win) FILTER (turn = -1) AS win,
    sum(points) FILTER (turn = -1) AS points,
    count(*) FILTER (turn = -1 AND kept AND completed) AS done,
    count(*) FILTER (turn = -1 AND kept AND NOT completed) AS failed,
    count(*) FILTER (kept) AS kept,
    sum(win_share) FILTER (kept) AS kept_wins,
    count(*) FILTER (kept AND completed) AS all_done,
    count(*) FILTER (kept AND NOT completed) AS all_failed
FROM offer WHERE bot IN (SELECT unnest($bots)) GROUP BY ALL"""
OF_STRATA = """
SELECT grp, players, bot, seat, mix, count(*) AS n, sum(win_share) AS win, sum(score) AS points
FROM seat WHERE bot IN (SELECT unnest($bots)) GROUP BY ALL"""
DEALT_IN_STRATA = """
SELECT players, bot, seat, mix, ticket, count(*) AS n
FROM offer WHERE turn = -1 AND bot IN (SELECT unnest($bots)) GROUP BY ALL"""
OFFERED = """
SELECT grp, players, ticket, count(*) AS n,
    count(*) FILTER (turn < 0) AS dealt,
    count(*) FILTER (turn < 0 AND kept) AS dealt_kept,
    count(*) FILTER (turn >= 0) AS drawn,
    count(*) FILTER (turn >= 0 AND kept) AS drawn_kept,
    count(*) FILTER (kept) AS kept,
    count(*) FILTER (kept AND completed) AS done,
    count(*) FILTER (kept AND NOT completed) AS failed,
    count(completed_turn) AS timed,
    sum(completed_turn - greatest(turn, 0)) AS turns,
    count(completed_turn) FILTER (turn < 0) AS dealt_timed,
    sum(completed_turn) FILTER (turn < 0) AS dealt_turns
FROM offer GROUP BY ALL"""


def ticket_facts(edition: Edition) -> pd.DataFrame:
    """One row per ticket, with its class and the trains of its shortest path on the empty board."""
    rows = []
    for row, ticket in enumerate(edition.tickets):
        trains = fewest_trains(edition, ticket)
        length = np.nan if trains == UNREACHABLE else trains
        deck = edition.decks[ticket.deck].name
        rows.append((row, ticket.a, ticket.b, deck, ticket.deck, ticket.points, ticket.copy, length))
    facts = pd.DataFrame(rows, columns=["ticket", "from", "to", "deck", "deck_number", "points", "copy", "trains"])
    return facts.assign(**{"class": classes(facts, edition.is_race)})


def classes(tickets: pd.DataFrame, is_race: bool) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """Class of each ticket in its deck: high from 1.5 times the mean on, of points or, in a race, of trains.

    A deck with fewer than three tickets of either class is one class.
    """
    size = tickets["trains" if is_race else "points"].to_numpy(float)
    deck, known = tickets["deck_number"].to_numpy(), ~np.isnan(size)
    mean = np.bincount(deck, np.where(known, size, 0)) / np.maximum(np.bincount(deck, known), 1)
    high = known & (size >= HIGH_CLASS * mean[deck])
    of_high = np.bincount(deck, high)
    of_low = np.bincount(deck) - of_high
    return np.where(high & (np.minimum(of_high, of_low) >= LEAST_CLASS)[deck], HIGH, LOW).astype(object)


class Deals:
    """Outcomes of being dealt each ticket, less the mean of the stratum, by `key` (`players` or `bot`) and ticket.

    A stratum is a number of players, bot, seat and mix. All its seats are dealt as many tickets of a deck, so the mean
    over its seats is the mean over the deck's tickets.
    """

    def __init__(self, games: Database, bots: Collection[str] = (), key: str = "players") -> None:
        self.games, self.edition = games, games.edition
        bots = {"bots": list(bots) or sorted({bot for run in games.runs for bot in run.plan.bots})}
        strata = games.sums(OF_STRATA, "players", "bot", "seat", "mix", parameters=bots)
        held, _ = strata.over(key)
        keys = product(**{key: held.keys[key]}, ticket=range(len(self.edition.tickets)))
        dealt = games.sums(DEALT.format(key=key), key, "ticket", parameters=bots).reindex(keys)
        counts = games.frame(DEALT_IN_STRATA, bots).merge(strata.keys.assign(stratum=range(len(strata.keys))))
        column = pd.MultiIndex.from_frame(keys).get_indexer(pd.MultiIndex.from_frame(counts[[key, "ticket"]]))
        matrix = np.zeros((len(strata.keys), len(keys)))
        matrix[counts["stratum"], column] = counts["n"]
        shifts = {}
        for outcome in ("win", "points"):
            # How far each group's deletion moves the means of strata, times the deals in them. A stratum within a
            # single group has no mean without it, and does not move.
            means = strata.mean(outcome)
            shifts[f"{outcome}_shift"] = np.nan_to_num(means.deleted - means.value) @ matrix
        seats = np.repeat(held["n"], len(self.edition.tickets), axis=1)
        self.sums = Sums(keys, {**dealt.arrays, **shifts, "seats": seats})

    def parts(self) -> Iterator[tuple[int, Sums]]:
        """Sums by ticket: of all player counts together first, where there are several, then of each."""
        counts = self.sums.keys["players"].to_numpy()
        together, _ = self.sums.over("ticket")
        if len(self.games.counts) > 1:
            yield 0, together
        for players in self.games.counts:
            of_count = {name: array[:, counts == players] for name, array in self.sums.arrays.items()}
            yield players, Sums(together.keys, of_count)


def of_board(games: Database) -> dict[str, pd.DataFrame]:
    return {"ticket_value": ticket_value(Deals(games)), "tickets": tickets(games)}


def of_styles(games: Database) -> dict[str, pd.DataFrame]:
    """Ticket values by style, with all player counts combined."""
    sums = Deals(games, key="bot").sums
    keys = sums.keys.merge(ticket_facts(games.edition), how="left", on="ticket")
    keys = keys.assign(players=0 if len(games.counts) > 1 else games.counts[0], n=sums.total("n"))
    effects = _effects(games.edition, sums, keys["points"].to_numpy(float))
    return {"ticket_value_by_bot": Measured(keys, effects, games.blocks(keys)).table(TABLES["ticket_value_by_bot"])}


def ticket_value(deals: Deals) -> pd.DataFrame:
    """Effect of being dealt each ticket on wins and points, its fair value, and the naive number beside them.

    Compared are seats with the same number of players, bot, seat and, where mixes are announced, mix, against the mean
    ticket of the same deck: a sum over those strata, weighted by deals. `holds` stays empty without other fields.
    """
    facts = ticket_facts(deals.edition)
    tables = []
    for players, sums in deals.parts():
        estimates = _effects(deals.edition, sums, facts["points"].to_numpy(float)) | _beyond_class(sums, facts)
        of_decks, deck = sums.by(deck=facts["deck_number"].to_numpy())
        kept = sums.mean("kept_wins", of="kept")
        estimates["kept_win_share"] = kept
        estimates["kept_win_gap"] = difference(kept, of_decks.mean("kept_wins", of="kept").pick(deck))
        keys = facts.assign(
            players=players,
            n=sums.total("n"),
            kept_n=sums.total("kept"),
            p=estimates["excess"].p_beyond(SLIGHT),
            p_serious=estimates["excess"].p_beyond(SERIOUS),
        )
        tables.append(Measured(keys, estimates, deals.games.blocks(keys)).table(TABLES["ticket_value"]))
    table = pd.concat(tables, ignore_index=True)
    slight, serious = (benjamini_hochberg(table[name]) for name in ("p", "p_serious"))
    verdict = np.where(slight <= ALPHA, np.where(table["excess"] > 0, GENEROUS, STINGY), "")
    grade = np.where(verdict == "", "", np.where(serious <= ALPHA, SERIOUS_GRADE, SLIGHT_GRADE))
    return table.assign(p_adjusted=slight, p_serious=serious, verdict=verdict, grade=grade)


def ticket_excess(deals: Deals) -> pd.DataFrame:
    """Of `ticket_value` only the effects of classes, and each ticket's excess over its class."""
    facts = ticket_facts(deals.edition)
    tables = []
    for players, sums in deals.parts():
        keys = facts.assign(players=players)
        measured = Measured(keys, _beyond_class(sums, facts), deals.games.blocks(keys))
        tables.append(measured.table(TABLES["ticket_value"], OF_EXCESS))
    return pd.concat(tables, ignore_index=True)


def excess(deals: Deals) -> Estimate:
    """Each ticket's excess over its class, all player counts together."""
    return _beyond_class(deals.sums.over("ticket")[0], ticket_facts(deals.edition))["excess"]


def _beyond_class(tickets: Sums, facts: pd.DataFrame) -> dict[str, Estimate]:
    """Effect of each ticket's class, and the ticket's excess over it."""
    is_high = facts["class"].to_numpy() == HIGH
    of_class, column = tickets.by(deck=facts["deck_number"].to_numpy(), is_high=is_high)
    class_effect = _effect(of_class, "win").pick(column)
    return {"class_effect": class_effect, "excess": difference(_effect(tickets, "win"), class_effect)}


def _effect(sums: Sums, outcome: str) -> Estimate:
    """Mean over a ticket's deals of the outcome less the stratum's mean, which moves with a deleted group."""
    plain = sums.mean(outcome)
    return replace(plain, deleted=plain.deleted - divide(sums[f"{outcome}_shift"], sums.total("n")))


def _effects(edition: Edition, sums: Sums, printed: Floats) -> dict[str, Estimate]:
    """Effect on wins and points, and the fair value, which is first-order.

    It takes for granted that a printed point more is worth P(completed) - P(failed) points to the seat dealt the
    ticket, as if nobody chose differently because of it.
    """
    effects = {"win_effect": _effect(sums, "win")}
    if edition.is_race:
        return effects
    fails = float(edition.ticket_rules.failed_subtract)
    dealt = ratio(sums["done"] - sums["failed"] * fails, sums["n"])
    # The deck's mean rises with a ticket's points too, by the net completions of all seats.
    everyone = ratio(sums["all_done"] - sums["all_failed"] * fails, sums["seats"])
    slope, effects["points_effect"] = difference(dealt, everyone), _effect(sums, "points")
    fair = derive(lambda gap, step: printed - divide(gap, step), effects["points_effect"], slope)
    # A straight line reaches only so far.
    usable = (slope.interval()[0] >= LEAST_SENSITIVITY) & (np.abs(fair.value - printed) <= FAIR_REACH)
    effects["fair_points"] = replace(fair, value=np.where(usable & (fair.value >= LEAST_FAIR), fair.value, np.nan))
    return effects


def tickets(games: Database) -> pd.DataFrame:
    """Shares of offers kept and of kept tickets completed, net points by the printed value, and rounds to completion.

    Rounds are of completed tickets. Slow ones that never were are left out, which flatters hard tickets.
    """
    edition, facts = games.edition, ticket_facts(games.edition)
    keys = product(players=games.counts, ticket=facts["ticket"]).merge(facts, on="ticket")
    sums = games.sums(OFFERED, "players", "ticket").reindex(keys[["players", "ticket"]])
    of_decks, deck = sums.by(players=keys["players"].to_numpy(), deck=keys["deck_number"].to_numpy())
    own_turns, deck_turns = (part.mean("dealt_turns", of="dealt_timed") for part in (sums, of_decks))
    players = keys["players"].to_numpy()
    estimates = {
        "dealt_kept": sums.mean("dealt_kept", of="dealt"),
        "drawn_kept": sums.mean("drawn_kept", of="drawn"),
        "completed": sums.mean("done", of="kept"),
        "rounds": ratio(sums["turns"] / players, sums["timed"]),
        "race_rounds": derive(lambda own, deck: (own - deck) / players, own_turns, deck_turns.pick(deck)),
    }
    printed, failed_subtract = keys["points"].to_numpy(float), edition.ticket_rules.failed_subtract
    if not edition.is_race:
        net = ratio(sums["done"] - sums["failed"] * failed_subtract, sums["kept"])
        estimates["net_points"] = derive(lambda share: share * printed, net)
    bounds = {"net_points": (-printed if failed_subtract else 0.0, printed)}
    return Measured(keys.assign(n=sums.total("n")), estimates, games.blocks(keys), bounds).table(TABLES["tickets"])
