"""Passing: allowed to a seat with nothing else to do, and only then."""

from __future__ import annotations

from ttr_sim.referee.claims import can_claim_any
from ttr_sim.referee.discarding import can_discard
from ttr_sim.referee.drawing import can_draw_cards
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.stations import can_build_station
from ttr_sim.referee.table import Table
from ttr_sim.referee.tickets import can_draw_tickets


def pass_turn(table: Table, turn: TurnRow) -> None:
    could = _could_do(table, turn.seat)
    if could:
        raise RuleError("passing", f"the seat passed though it could {could}")


def _could_do(table: Table, seat: int) -> str | None:
    if can_draw_cards(table):
        return "draw cards"
    if can_draw_tickets(table):
        return "draw tickets"
    if can_claim_any(table, seat):
        return "claim a route"
    if can_build_station(table, seat):
        return "build a station"
    return "discard its tickets" if can_discard(table, seat) else None
