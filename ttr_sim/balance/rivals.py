"""Edits of points among rivals of several styles: none may go too far the other way there."""

from __future__ import annotations

from dataclasses import replace

from ttr_sim.balance.bench import Bench, Sample
from ttr_sim.balance.edits import POINTS, Edit, points_of, with_points
from ttr_sim.balance.measure import MeasuredBoard
from ttr_sim.balance.rescoring import Rescoring
from ttr_sim.balance.targets import TICKET, ticket_name
from ttr_sim.edition.model import Edition
from ttr_sim.run.fields import RIVAL_BOTS

FEWER = 2  # rivals play one game for so many of the strong field


def among_rivals(bench: Bench, edits: tuple[Edit, ...], sample: Sample, what: str) -> MeasuredBoard | None:
    """Play the board with these edits by rivals; None where no points are edited."""
    if all(edit.heading != POINTS for edit in edits):
        return None
    return bench.board(edits, replace(sample, bots=RIVAL_BOTS, games=-(-sample.games // FEWER)), what)


def reversed_edits(edition: Edition, board: MeasuredBoard | None) -> tuple[Edit, ...]:
    """Return the edits of points with which rivals are surely beyond the other limit."""
    if board is None:
        return ()
    missed = {target.name: target.value for target in board.missed if target.measure == TICKET}

    def is_reversed(edit: Edit) -> bool:
        name = ticket_name(edition, edit.row)
        return name in missed and (missed[name] > 0) == (int(edit.value) > edition.tickets[edit.row].points)

    return tuple(edit for edit in board.edits if edit.heading == POINTS and is_reversed(edit))


def softened(edition: Edition, board: MeasuredBoard, margin: float) -> tuple[Edit, ...]:
    """Return the edits with each reversed one taken back: by a point, and on until scoring the games of the rivals
    again has the ticket within the margin."""
    after, rescoring = points_of(edition, board.edits), Rescoring(board.runs)
    for edit in reversed_edits(edition, board):
        printed, row = edition.tickets[edit.row].points, edit.row
        back = 1 if printed > after[row] else -1
        after[row] += back
        while after[row] != printed and rescoring.excess(after)[row] * back < -margin:
            after[row] += back
    return tuple(sorted(with_points(edition, board.edits, after)))
