"""Do players get in each other's way? Claims of what a rival's tickets ask for, against what chance would take."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix

from ttr_sim.analysis.chances.courses import Courses, Floats
from ttr_sim.analysis.chances.features import open_tickets
from ttr_sim.analysis.chances.ways_left import OpenBoard
from ttr_sim.analysis.columns import Ints
from ttr_sim.analysis.jackknife import GROUPS, Estimate
from ttr_sim.analysis.sums import Sums
from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics.network import network
from ttr_sim.edition.statics.ways import ways_of

ALMOST_ALL = 1 - 1e-9


def interaction(courses: Courses) -> dict[str, Estimate]:
    """Return how many times as often as by chance a claim takes what a rival wants, and how often it was in a plan.

    What a rival wants goes by its open tickets: each asks for a connection with the share of its ways on the empty
    board that use it. By chance a claim takes any connection of its length that is still open.
    """
    game, turn, seat, route = (courses.claims[name] for name in ("game", "turn", "seat", "route"))
    steps = courses.starts[game] + turn
    wanted = _wanted(courses, steps, seat)
    board = OpenBoard(courses, steps)
    group = np.array([entry.group for entry in courses.edition.routes])[route]
    alike = board.free & (board.lengths[:, None] == board.lengths[group])
    mask = courses.claims["wanted_by"]
    sums = Sums.of(
        pd.DataFrame(
            {
                "grp": courses.blocks[game] % GROUPS,
                "n": 1.0,
                "took": wanted[np.arange(len(group)), group],
                "by_chance": (wanted.T * alike).sum(axis=0) / np.maximum(alike.sum(axis=0), 1),
                "taken": (mask & ~(1 << seat)) > 0,
            }
        ).astype({"taken": float}),
        [],
    )
    found = {"interaction": sums.mean("took", of="by_chance")}
    return found | ({"taken": sums.mean("taken")} if mask.any() else {})


def _wanted(courses: Courses, steps: Ints, mover: Ints) -> Floats:
    """Return by claim and connection the chance that some rival's way to an open ticket leads there."""
    state, row = open_tickets(courses, steps)
    ticket, seat = (courses.tickets[name][row] for name in ("ticket", "seat"))
    rival = seat != mover[state]
    shape = len(steps), len(courses.edition.tickets)
    held = csr_matrix((np.ones(int(rival.sum())), (state[rival], ticket[rival])), shape=shape)
    missed = np.log1p(-ALMOST_ALL * ways_of_tickets(courses.edition))
    return np.asarray(-np.expm1(held @ missed))


def ways_of_tickets(edition: Edition) -> Floats:
    """Return by ticket and connection the share of the ticket's ways that use the connection."""
    net = network(edition)
    shares = np.zeros((len(edition.tickets), len(net.connections)))
    for row, ticket in enumerate(edition.tickets):
        for number, share in ways_of(net, ticket).shares.items():
            shares[row, number] = share
    return shares
