"""What a seat may expect: the means of its stratum, so that questions can ask what is left after them.

A stratum is one bot in one seat at one number of players; where mixes of tickets are announced, with one mix: the
number of tickets of each deck dealt at setup.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ttr_sim.analysis.columns import Ints
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.rows import Rows
from ttr_sim.analysis.source import Question, Source
from ttr_sim.analysis.sums import Sums, every, tally

DECK_BITS = 4  # of a mix, for the tickets of a deck


def by_stratum(rows: Rows) -> Sums:
    return _by_stratum(rows, np.zeros(len(rows.seats.game), np.int64))


def by_stratum_of_mixes(rows: Rows) -> Sums:
    return _by_stratum(rows, mixes(rows)).met()


def _by_stratum(rows: Rows, mix: Ints) -> Sums:
    seats = rows.seats
    known, place = np.unique(mix, return_inverse=True)
    key = (seats["bot"] * rows.players + seats["seat"]) * len(known) + place
    keys = every(bot=rows.bots, seat=range(rows.players), mix=known)
    return tally(keys, seats.grp, key, n=None, win=seats["win_share"], points=seats["score"])


def mixes(rows: Rows) -> Ints:
    """Return the mix of each seat."""
    dealt = rows.tickets.where(rows.tickets["turn"] == -1)
    deck = np.array([ticket.deck for ticket in rows.edition.tickets])[dealt["ticket"]]
    holder = rows.row_of_seat(dealt.game, dealt["seat"])
    return np.bincount(holder, 1 << (DECK_BITS * deck), len(rows.seats.game)).astype(np.int64)


@dataclass(frozen=True)
class Left:
    """By seat: the stratum, and what is left of win and points after its means."""

    stratum: Ints
    win: Floats
    points: Floats


@dataclass(frozen=True)
class Expectation:
    """The sums of each stratum."""

    strata: Sums
    by_mix: bool

    def left(self, rows: Rows) -> Left:
        seats, stratum = rows.seats, self._stratum(rows)
        win, points = (self.strata.mean(name).value[stratum] for name in ("win", "points"))
        return Left(stratum, seats["win_share"] - win, seats["score"] - points)

    def _stratum(self, rows: Rows) -> Ints:
        keys, seats = self.strata.keys, rows.seats
        known = np.unique(keys["mix"])
        numbers = np.zeros((len(rows.bots), rows.players, len(known)), np.int64)
        bot = [rows.bots.index(name) for name in keys["bot"]]
        numbers[bot, keys["seat"], np.searchsorted(known, keys["mix"])] = np.arange(len(keys))
        mix = np.searchsorted(known, mixes(rows)) if self.by_mix else 0
        return np.asarray(numbers[seats["bot"], seats["seat"], mix])


def expect(source: Source, by_mix: bool) -> Expectation:
    """Find the means of the strata in a first pass, so that a second one can look at what is left after them."""
    return Expectation(source.ask(strata(by_mix)), by_mix)


def strata(by_mix: bool) -> Question[Sums]:
    return by_stratum_of_mixes if by_mix else by_stratum
