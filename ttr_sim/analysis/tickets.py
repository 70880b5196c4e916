"""What is it worth to be dealt a ticket, and how are tickets used, from the offer to completion?

Who is dealt which ticket at setup is chance, so the difference it makes is cause and effect. Who keeps a ticket is not:
the win share of those who kept it, printed beside, mixes the ticket with the hands that fit it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from ttr_sim.analysis.db import Database, Sums, product
from ttr_sim.analysis.jackknife import Estimate, Floats, benjamini_hochberg, derive, difference, divide, ratio
from ttr_sim.analysis.tables import Measured, parse_layouts
from ttr_sim.analysis.yardstick import Yardstick
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import UNREACHABLE, fewest_trains

TABLES = parse_layouts(
    """
ticket_value | What a ticket is worth
  = The effect of being dealt a ticket at setup, against the mean ticket of its deck; n counts the seats dealt it. It is
      judged by what it gives beyond tickets as long, all player counts together. A race has no points.
  players ticket from to deck points copy
  trains             number   trains of the shortest path on the empty board; missing when there is none
  n                  count    seats dealt it at setup
  expected           change   win_effect to expect of a ticket as long, by the robust line of its deck over all player
      counts; the deck's mean where a line says nothing
  excess             ~change  win_effect minus expected
  win_effect         ~change  win share of those dealt it minus that of those dealt the deck's mean ticket
  points_effect      ~points  final score, likewise
  kept_n             count    seats that kept it at any time
  kept_win_share     ~share   the naive number: win share of the seats that kept it, mixed up with who keeps what
  kept_win_gap       ~change  the same minus the mean over all kept tickets of the deck
  p                  p        two-sided p-value of no excess
  p_adjusted         p        the same after Benjamini and Hochberg's correction over the whole table
  state              text     met, open or missed by the target of the ticket; empty for single player counts
  side               text     generous or stingy, where it is beyond its limit
  holds              text     the sign of the excess among others, same, unsure or reversed: for the same style's seats
      in the field rivals, and for each other style's own seats in the field all

ticket_value_by_bot | What a ticket is worth to each style
  = The same style by style, all player counts together: a ticket is worth what a style can make of it.
  players bot ticket from to deck points copy
  n                  count    seats dealt it at setup
  win_effect         ~change  win share, against the deck's mean ticket
  points_effect      ~points  final score, likewise

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

SAME, UNSURE, REVERSED = "same", "unsure", "reversed"

# By player count or by bot, the key in braces.
DEALT = """
SELECT grp, {key}, ticket,
    count(*) FILTER (turn = -1) AS n,
    sum(win) FILTER (turn = -1) AS win,
    sum(points) FILTER (turn = -1) AS points,
    count(*) FILTER (kept) AS kept,
    sum(win_share) FILTER (kept) AS kept_wins
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
    """One row per ticket, with the trains of its shortest path on the empty board."""
    rows = []
    for row, ticket in enumerate(edition.tickets):
        trains = fewest_trains(edition, ticket)
        length = np.nan if trains == UNREACHABLE else trains
        deck = edition.decks[ticket.deck].name
        rows.append((row, ticket.a, ticket.b, deck, ticket.deck, ticket.points, ticket.copy, length))
    return pd.DataFrame(rows, columns=["ticket", "from", "to", "deck", "deck_number", "points", "copy", "trains"])


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
    return {"tickets": tickets(games)}


def of_styles(games: Database) -> dict[str, pd.DataFrame]:
    """Ticket values by style, with all player counts combined."""
    sums = Deals(games, key="bot").sums
    keys = sums.keys.merge(ticket_facts(games.edition), how="left", on="ticket")
    keys = keys.assign(players=0 if len(games.counts) > 1 else games.counts[0], n=sums.total("n"))
    effects = _effects(games.edition, sums)
    return {"ticket_value_by_bot": Measured(keys, effects, games.blocks(keys)).table(TABLES["ticket_value_by_bot"])}


def ticket_value(deals: Deals, yardstick: Yardstick | None = None) -> pd.DataFrame:
    """Effect of being dealt each ticket on wins and points, its excess, and the naive number beside them.

    Compared are seats with the same number of players, bot, seat and, where mixes are announced, mix, against the mean
    ticket of the same deck: a sum over those strata, weighted by deals. By default the yardstick is the board's own.
    """
    facts = ticket_facts(deals.edition)
    expected = _expected(deals, yardstick)
    tables = []
    for players, sums in deals.parts():
        estimates = _effects(deals.edition, sums)
        estimates["excess"] = shifted(estimates["win_effect"], -expected)
        of_decks, deck = sums.by(deck=facts["deck_number"].to_numpy())
        kept = sums.mean("kept_wins", of="kept")
        estimates["kept_win_share"] = kept
        estimates["kept_win_gap"] = difference(kept, of_decks.mean("kept_wins", of="kept").pick(deck))
        keys = facts.assign(
            players=players,
            n=sums.total("n"),
            expected=expected,
            kept_n=sums.total("kept"),
            p=estimates["excess"].p_value(np.zeros(len(facts))),
            state="",
            side="",
            holds="",
        )
        tables.append(Measured(keys, estimates, deals.games.blocks(keys)).table(TABLES["ticket_value"]))
    table = pd.concat(tables, ignore_index=True)
    return table.assign(p_adjusted=benjamini_hochberg(table["p"]))


def excess(deals: Deals, yardstick: Yardstick | None = None) -> Estimate:
    """Each ticket's excess, all player counts together."""
    sums, _ = deals.sums.over("ticket")
    return shifted(_effect(sums, "win"), -_expected(deals, yardstick))


def yardstick_of(edition: Edition, ticket_value: pd.DataFrame) -> Yardstick:
    """The yardstick of a measured board."""
    together = ticket_value[ticket_value["players"] == ticket_value["players"].min()].sort_values("ticket")
    effect, n = (together[name].to_numpy(float) for name in ("win_effect", "n"))
    return Yardstick.of(edition, together["trains"].to_numpy(float), effect, n)


def _expected(deals: Deals, yardstick: Yardstick | None) -> Floats:
    """Expected effect by ticket: a fixed number, whose own error is not counted."""
    sums, _ = deals.sums.over("ticket")
    trains = ticket_facts(deals.edition)["trains"].to_numpy(float)
    own = yardstick or Yardstick.of(deals.edition, trains, _effect(sums, "win").value, sums.total("n"))
    return own.expect(deals.edition, trains)


def shifted(estimate: Estimate, by: Floats) -> Estimate:
    """Add numbers that are known exactly."""
    return replace(estimate, value=estimate.value + by, deleted=estimate.deleted + by)


def holds(
    value: pd.DataFrame, same_style: Mapping[str, pd.DataFrame], other_styles: Mapping[str, pd.DataFrame]
) -> list[str]:
    """For each ticket, whether its excess keeps its sign elsewhere, as `rivals=same, racer=unsure`.

    `same_style` has the excess of the judged style's seats by other field, `other_styles` of each style's own seats.
    """
    signs = np.nan_to_num(np.sign(value["excess"].to_numpy(float)))  # a ticket that was never dealt has none
    asked = {**same_style, **other_styles}
    found = {}
    for name, table in asked.items():
        both = value[["players", "ticket"]].merge(table, how="left", on=["players", "ticket"])
        low, high = (both[f"excess_{end}"].to_numpy(float) for end in ("low", "high"))
        found[name] = signs * ((low > 0).astype(int) - (high < 0))
    words = {1: SAME, 0: UNSURE, -1: REVERSED}
    return [
        ", ".join(f"{name}={words[int(agrees[row])]}" for name, agrees in found.items()) for row in range(len(value))
    ]


def parse_holds(written: str) -> dict[str, str]:
    """Read what `holds` wrote."""
    return dict(pair.split("=") for pair in written.split(", ") if pair)


def excess_by_count(deals: Deals) -> pd.DataFrame:
    """Of `ticket_value` only the excess, against the yardstick of these games."""
    table = ticket_value(deals)
    return table[["players", "ticket", "excess", "excess_low", "excess_high"]]


def excess_by_style(games: Database, bots: Collection[str]) -> dict[str, pd.DataFrame]:
    """The excess for each style's own seats, all player counts together, against that style's own yardstick."""
    return {bot: excess_by_count(Deals(games, {bot})) for bot in sorted(bots)}


def _effect(sums: Sums, outcome: str) -> Estimate:
    """Mean over a ticket's deals of the outcome less the stratum's mean, which moves with a deleted group."""
    plain = sums.mean(outcome)
    return replace(plain, deleted=plain.deleted - divide(sums[f"{outcome}_shift"], sums.total("n")))


def _effects(edition: Edition, sums: Sums) -> dict[str, Estimate]:
    """Effect on wins and, where tickets score, on points."""
    effects = {"win_effect": _effect(sums, "win")}
    return effects if edition.is_race else effects | {"points_effect": _effect(sums, "points")}


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
