"""The worth of being dealt a ticket, against tickets as long, and the use of tickets from offer to completion.

The deal at setup is chance, so the difference that it makes is cause and effect. Keeping a ticket is a choice: the win
share of the seats that kept it mixes the ticket with the hands that fit it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.db import Database, Sums, place_of, product
from ttr_sim.analysis.jackknife import Estimate, Floats, benjamini_hochberg, derive, difference, divide, ratio
from ttr_sim.analysis.tables import Measured
from ttr_sim.edition.canonical import Key, ticket_keys
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import UNREACHABLE, fewest_trains
from ttr_sim.run.lineups import MIXES
from ttr_sim.run.read import Run

SAME, UNSURE, REVERSED = "same", "unsure", "reversed"
# A line through fewer tickets, or fewer lengths, says nothing: there the deck's mean is expected.
LEAST_TICKETS, LEAST_LENGTHS = 8, 5

Line = tuple[float, float]  # intercept, and slope in shares of wins per train

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
    """One row per ticket, with the trains of its shortest path."""
    rows = []
    for row, ticket in enumerate(edition.tickets):
        trains = fewest_trains(edition, ticket)
        length = np.nan if trains == UNREACHABLE else trains
        deck = edition.decks[ticket.deck].name
        rows.append((row, ticket.a, ticket.b, deck, ticket.deck, ticket.points, ticket.copy, length))
    return pd.DataFrame(rows, columns=["ticket", "from", "to", "deck", "deck_number", "points", "copy", "trains"])


@dataclass(frozen=True)
class Yardstick:
    """Expected effect of each ticket of an unedited board, and the line of each deck.

    Edited boards are judged by the yardstick of the unedited one. A ticket must not become fair because another one
    changed, nor because its own points did.
    """

    expected: Mapping[Key, float]
    lines: Mapping[str, Line]

    @classmethod
    def of(cls, edition: Edition, trains: Floats, effect: Floats, n: Floats) -> Yardstick:
        """Fit each deck's robust line (Theil-Sen). `n` counts deals."""
        deck = np.array([edition.decks[ticket.deck].name for ticket in edition.tickets])
        lines: dict[str, Line] = {}
        for name in dict.fromkeys(deck.tolist()):
            dealt = (deck == name) & np.isfinite(effect) & np.isfinite(trains) & (n > 0)
            x, y = trains[dealt], effect[dealt]
            if edition.is_race or len(x) < LEAST_TICKETS or len(np.unique(x)) < LEAST_LENGTHS:
                lines[name] = (float(np.average(y, weights=n[dealt])) if len(y) else 0.0), 0.0
                continue
            # SciPy's line is the same, with an interval that warns of equal lengths.
            one, other = np.triu_indices(len(x), 1)
            apart = x[one] != x[other]
            slope = np.median((y[other] - y[one])[apart] / (x[other] - x[one])[apart])
            lines[name] = float(np.median(y) - slope * np.median(x)), float(slope)
        expected = _on_lines(deck, trains, lines)
        return cls(dict(zip(ticket_keys(edition), map(float, expected), strict=True)), lines)

    def expect(self, edition: Edition, trains: Floats) -> Floats:
        """Expected effect of each ticket, for new ones by the deck's line."""
        deck = np.array([edition.decks[ticket.deck].name for ticket in edition.tickets])
        placed = zip(ticket_keys(edition), _on_lines(deck, trains, self.lines), strict=True)
        return np.array([self.expected.get(key, value) for key, value in placed])


def _on_lines(deck: NDArray[np.str_], trains: Floats, lines: Mapping[str, Line]) -> Floats:
    intercept, slope = np.array([lines.get(str(name), (0.0, 0.0)) for name in deck]).reshape(-1, 2).T
    # A ticket without any path has no length, and is expected to be worth the average one.
    known = np.where(np.isfinite(trains), trains, np.nanmean(trains) if np.isfinite(trains).any() else 0.0)
    return np.asarray(intercept + slope * known)


def yardstick_of(edition: Edition, ticket_value: pd.DataFrame) -> Yardstick:
    together = ticket_value[ticket_value["players"] == ticket_value["players"].min()].sort_values("ticket")
    return Yardstick.of(edition, *(together[name].to_numpy(float) for name in ("trains", "win_effect", "n")))


class Deals:
    """Outcomes of being dealt each ticket, less the mean of the stratum, by `key` (`players` or `bot`) and ticket.

    A stratum is a number of players, bot, seat and mix. All its seats are dealt as many tickets of a deck, so the mean
    over its seats is the mean over the deck's tickets.
    """

    def __init__(self, games: Database, bots: Collection[str] = (), key: str = "players") -> None:
        self.games, self.edition, self.facts = games, games.edition, ticket_facts(games.edition)
        bots = {"bots": list(bots) or sorted({bot for run in games.runs for bot in run.plan.bots})}
        strata = games.sums(OF_STRATA, "players", "bot", "seat", "mix", parameters=bots)
        keys = product(**{key: sorted(strata.keys[key].unique())}, ticket=self.facts["ticket"])
        dealt = games.sums(DEALT.format(key=key), key, "ticket", parameters=bots).reindex(keys)
        counts = games.frame(DEALT_IN_STRATA, bots).merge(strata.keys.assign(stratum=range(len(strata.keys))))
        matrix = np.zeros((len(strata.keys), len(keys)))
        matrix[counts["stratum"], place_of(keys, counts[[key, "ticket"]])] = counts["n"]
        shifts = {}
        for outcome in ("win", "points"):
            # How far each group's deletion moves the means of strata, times the deals in them. A stratum within a
            # single group has no mean without it, and does not move.
            means = strata.mean(outcome)
            shifts[f"{outcome}_shift"] = np.nan_to_num(means.deleted - means.value) @ matrix
        self.sums = Sums(keys, {**dealt.arrays, **shifts})

    def take_decks(self, mixes: Deals) -> None:
        """Take the decks that were dealt more often in other games."""
        facts = self.sums.keys.merge(self.facts, how="left", on="ticket")
        other, deck = mixes.sums.reindex(self.sums.keys), facts["deck_number"].to_numpy(np.int64)
        here, there = (np.bincount(deck, sums.total("n")) for sums in (self.sums, other))
        taken = (there > here)[deck]
        # What was kept is a matter of the games here.
        measured = [name for name in other.arrays if not name.startswith("kept")]
        arrays = {name: np.where(taken, other[name], self.sums[name]) for name in measured}
        self.sums = Sums(self.sums.keys, {**self.sums.arrays, **arrays})

    def effects(self, sums: Sums) -> dict[str, Estimate]:
        """Effects on wins and, where tickets score, on points."""
        effects = {}
        for outcome in ("win",) if self.edition.is_race else ("win", "points"):
            plain = sums.mean(outcome)
            # The stratum's mean moves with a deleted group.
            deleted = plain.deleted - divide(sums[f"{outcome}_shift"], sums.total("n"))
            effects[f"{outcome}_effect"] = replace(plain, deleted=deleted)
        return effects

    def expected(self, yardstick: Yardstick | None) -> Floats:
        """Expected effect by ticket, as if known exactly."""
        sums, _ = self.sums.over("ticket")
        trains = self.facts["trains"].to_numpy(float)
        effect = self.effects(sums)["win_effect"].value
        own = yardstick or Yardstick.of(self.edition, trains, effect, sums.total("n"))
        return own.expect(self.edition, trains)


def split_mixes(runs: Sequence[Run]) -> tuple[Sequence[Run], Sequence[Run]]:
    """Split off runs with random decks, unless all are."""
    others = [run for run in runs if run.field != MIXES]
    return (others, [run for run in runs if run.field == MIXES]) if others else (runs, [])


def deals_of(games: Database, mixes: Sequence[Run] = (), bots: Collection[str] = ()) -> Deals:
    """Find the outcomes of deals, those of decks that strong players never choose in the runs of mixes."""
    deals = Deals(games, bots)
    if mixes:
        with Database(mixes) as others:
            deals.take_decks(Deals(others))
    return deals


def excess(deals: Deals, yardstick: Yardstick | None = None) -> Estimate:
    sums, _ = deals.sums.over("ticket")
    return shifted(deals.effects(sums)["win_effect"], -deals.expected(yardstick))


def shifted(estimate: Estimate, by: Floats) -> Estimate:
    """Add numbers that are known exactly."""
    return replace(estimate, value=estimate.value + by, deleted=estimate.deleted + by)


def of_styles(games: Database) -> dict[str, pd.DataFrame]:
    deals = Deals(games, key="bot")
    keys = deals.sums.keys.merge(deals.facts, how="left", on="ticket")
    keys = keys.assign(players=0 if len(games.counts) > 1 else games.counts[0], n=deals.sums.total("n"))
    measured = Measured(keys, deals.effects(deals.sums), games.blocks(keys))
    return {"ticket_value_by_bot": measured.table("ticket_value_by_bot")}


def ticket_value(deals: Deals, yardstick: Yardstick | None = None) -> pd.DataFrame:
    """Effect of being dealt each ticket, its excess, and the naive number.

    Compared are seats with the same number of players, bot, seat and, where mixes are announced, mix, against the mean
    ticket of the same deck: a sum over those strata, weighted by deals. By default the yardstick is the board's own.
    """
    facts, counts, expected = deals.facts, deals.games.counts, deals.expected(yardstick)
    together, _ = deals.sums.over("ticket")
    parts = {0: together} if len(counts) > 1 else {}
    for players in counts:
        chosen = deals.sums.keys["players"].to_numpy() == players
        parts[players] = Sums(together.keys, {name: array[:, chosen] for name, array in deals.sums.arrays.items()})
    tables = []
    for players, sums in parts.items():
        estimates = deals.effects(sums)
        estimates["excess"] = shifted(estimates["win_effect"], -expected)
        of_decks, deck = sums.by(deck=facts["deck_number"].to_numpy())
        kept = sums.mean("kept_wins", of="kept")
        estimates["kept_win_share"] = kept
        estimates["kept_win_gap"] = difference(kept, of_decks.mean("kept_wins", of="kept").pick(deck))
        p = estimates["excess"].p_value(np.zeros(len(facts)))
        keys = facts.assign(players=players, n=sums.total("n"), expected=expected, kept_n=sums.total("kept"), p=p)
        keys[["state", "side", "holds"]] = ""
        tables.append(Measured(keys, estimates, deals.games.blocks(keys)).table("ticket_value"))
    table = pd.concat(tables, ignore_index=True)
    return table.assign(p_adjusted=benjamini_hochberg(table["p"]))


def holds(value: pd.DataFrame, others: Mapping[str, pd.DataFrame]) -> list[str]:
    """Signs of each ticket's excess elsewhere, as `rivals=same, racer=unsure`."""
    signs = np.nan_to_num(np.sign(value["excess"].to_numpy(float)))  # a ticket that was never dealt has none
    words = {1: SAME, 0: UNSURE, -1: REVERSED}
    written: list[list[str]] = [[] for _ in signs]
    for name, table in others.items():
        both = value[["players", "ticket"]].merge(table, how="left", on=["players", "ticket"])
        low, high = (both[f"excess_{end}"].to_numpy(float) for end in ("low", "high"))
        agrees = signs * ((low > 0).astype(int) - (high < 0))
        for row, pairs in enumerate(written):
            if both["n"][row] > 0:  # else nobody there was asked
                pairs.append(f"{name}={words[int(agrees[row])]}")
    return [", ".join(pairs) for pairs in written]


def parse_holds(written: str) -> dict[str, str]:
    """Read the output of `holds`."""
    return dict(pair.split("=") for pair in written.split(", ") if pair)


def tickets(games: Database) -> pd.DataFrame:
    """Shares kept and completed, net points, and rounds to completion.

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
    return Measured(keys.assign(n=sums.total("n")), estimates, games.blocks(keys), bounds).table("tickets")
