"""Advice on a board that lies far from the official ones. An even board is not the aim, so nothing of it fails."""

from __future__ import annotations

from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import Place, Problems
from ttr_sim.edition.statics.board import Statics, statics
from ttr_sim.edition.statics.measures import ROUTES, shown
from ttr_sim.edition.statics.official import measured

FAR = 0.5  # of the width of the official range: five boards do not draw a sharp line


def advise_on_statics(edition: Edition, problems: Problems) -> None:
    """Warn of measures far outside the range of the official boards, and of routes that hold the board together."""
    board = statics(edition)
    for row in measured(board, among_others=False):
        if row.beyond(FAR):
            problems.warn(
                Place(row.measure.file),
                f"{row.measure.name}: {shown(row.value, row.measure.unit)}; the official boards have "
                f"{shown(row.low)} to {shown(row.high, row.measure.unit)} ({row.measure.definition})",
            )
    _advise_on_bridges(board, problems)


def _advise_on_bridges(board: Statics, problems: Problems) -> None:
    """Warn of single lanes whose loss cuts the board in two; a dead end is warned of where its city stands."""
    for number in board.shape.bridges:
        connection = board.net.connections[number]
        if connection.lanes == 1 and not {connection.a, connection.b} & set(board.shape.dead_ends):
            name = f"{board.net.name(connection.a)}–{board.net.name(connection.b)}"
            problems.warn(Place(ROUTES), f"whoever claims {name}, which has one lane, cuts the board in two")
