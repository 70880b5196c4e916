"""The outcome of a balance with plausible made-up numbers, so that its page can be tested without playing games."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ttr_sim.analysis.targets import SEAT, TICKET, Target, ticket_name
from ttr_sim.balance.edits import ADD, CELL, REMOVE, ROUTES, Edit, points_edit
from ttr_sim.balance.evaluate import MeasuredBoard, Sample
from ttr_sim.balance.outcome import BalanceOutcome, BeforeAfter, Order, Proof, Unfixed
from ttr_sim.balance.search import SearchResult
from ttr_sim.edition.model import Edition

MARGIN = 0.05
EXCESS = (0.09, -0.07, 0.02)  # of the first tickets, beyond tickets as long
ROUTE_EDITS = (Edit(ROUTES, 3, CELL, "length", "4"), Edit(ROUTES, 5, ADD, value="red"), Edit(ROUTES, 8, REMOVE))


def balanced(edition: Edition, out: Path) -> BalanceOutcome:
    """Two tickets and three routes edited, one target still missed."""
    edits = (points_edit(0, 9), points_edit(1, 12), *ROUTE_EDITS)
    before = [_ticket(edition, row, excess) for row, excess in enumerate(EXCESS)]
    after = [_ticket(edition, row, excess / 4) for row, excess in enumerate(EXCESS)]
    seat = Target("seat 1", SEAT, 4, 0.31, 0.30, 0.32, (0.2, 0.29))
    boards = [
        MeasuredBoard(edits[:size], (), tuple(before if size < 2 else after), pd.DataFrame())
        for size in range(len(edits) + 1)
    ]
    pairs = (*(BeforeAfter(*pair) for pair in zip(before, after, strict=True)), BeforeAfter(seat, seat))
    sample = Sample(2_000, 7)
    order = Order(edition, (2, 4), frozenset({"tickets", "lengths"}), (), 5, MARGIN * 100, 1, out)
    proof = Proof(sample, boards[0], boards[-1], pairs, ())
    left = (Unfixed("seat 1", "no edit of the board changes the turn order"),)
    return BalanceOutcome(order, SearchResult(sample, tuple(boards), {}), proof, left, out)


def _ticket(edition: Edition, row: int, excess: float) -> Target:
    return Target(ticket_name(edition, row), TICKET, 0, excess, excess - 0.01, excess + 0.01, (-MARGIN, MARGIN), row)
