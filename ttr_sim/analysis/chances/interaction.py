"""Do players get in each other's way? Claims of what a rival's tickets ask for, against what chance would take."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ttr_sim.analysis.chances.claimed import ClaimedBoard
from ttr_sim.analysis.chances.courses import Courses, Floats
from ttr_sim.analysis.chances.features import open_tickets
from ttr_sim.analysis.jackknife import GROUPS, Estimate
from ttr_sim.analysis.sums import Sums
from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics.network import network, ways_of

ALMOST_ALL = 1 - 1e-9


def interaction(courses: Courses) -> dict[str, Estimate]:
    """Return how many times as often as by chance a claim takes what a rival wants, and how often it was in a plan.

    What a rival wants goes by its open tickets: each asks for a connection with the share of its ways on the empty
    board that use it. By chance a claim takes any connection of its length that is still open.
    """
    claims = courses.claims
    game, seat = claims["game"], claims["seat"]
    took, by_chance = _taken_from_rivals(courses)
    mask = claims["wanted_by"]
    sums = Sums.of(
        pd.DataFrame(
            {
                "grp": courses.blocks[game] % GROUPS,
                "n": 1.0,
                "took": took,
                "by_chance": by_chance,
                "taken": (mask & ~(1 << seat)) > 0,
            }
        ).astype({"taken": float}),
        [],
    )
    found = {"interaction": sums.mean("took", of="by_chance")}
    return found | ({"taken": sums.mean("taken")} if mask.any() else {})


def _taken_from_rivals(courses: Courses) -> tuple[Floats, Floats]:
    """Return by claim the chance that a rival wants the connection, and the mean of open ones of its length."""
    board = ClaimedBoard(courses)
    held, missed = _held_by_rivals(courses), np.log1p(-ALMOST_ALL * ways_of_tickets(courses.edition))
    took, by_chance = np.zeros((2, len(held)))
    lengths = board.lengths[board.connections]
    for length in np.unique(lengths):  # only connections of its length matter to a claim
        at, alike = np.flatnonzero(lengths == length), np.flatnonzero(board.lengths == length)
        wanted = -np.expm1(missed[:, alike].T @ held[at].T)  # by connection and claim
        game = courses.claims["game"][at]
        is_open = board.closed_since[np.ix_(alike, game)] > courses.starts[game] + courses.claims["turn"][at]
        took[at] = wanted[np.searchsorted(alike, board.connections[at]), np.arange(len(at))]
        by_chance[at] = (wanted * is_open).sum(axis=0) / np.maximum(is_open.sum(axis=0), 1)
    return took, by_chance


def _held_by_rivals(courses: Courses) -> Floats:
    """Return how many rivals hold each ticket and have it open when a route is claimed; by claim and ticket."""
    claims, tickets = courses.claims, len(courses.edition.tickets)
    state, row = open_tickets(courses, courses.starts[claims["game"]] + claims["turn"])
    ticket, seat = (courses.tickets[name][row] for name in ("ticket", "seat"))
    rival = seat != claims["seat"][state]
    shape = len(claims["game"]), tickets
    held = np.bincount((state * tickets + ticket)[rival], minlength=shape[0] * tickets)
    return held.reshape(shape).astype(float)


def ways_of_tickets(edition: Edition) -> Floats:
    """Return by ticket and connection the share of the ticket's ways that use the connection."""
    net = network(edition)
    shares = np.zeros((len(edition.tickets), len(net.connections)))
    for row, ticket in enumerate(edition.tickets):
        for number, share in ways_of(net, ticket).shares.items():
            shares[row, number] = share
    return shares
