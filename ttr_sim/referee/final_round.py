"""Whose turn it is, when the final round begins and why the game ends."""

from __future__ import annotations

from ttr_sim.referee.completion import race_is_won
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import Table


def check_whose_turn(table: Table, turn: TurnRow, due: int) -> None:
    """Seat 0 begins and turns go round."""
    table.turn, table.seat = due, due % table.players
    if turn.turn != due:
        raise RuleError("turn order", f"turn {due} should come next, the log has turn {turn.turn}")
    if turn.seat != table.seat:
        raise RuleError("turn order", f"it was the turn of seat {table.seat}, but seat {turn.seat} moved")


def why_over(table: Table, turn: TurnRow) -> str | None:
    """What ends the game after this turn, if anything: a race at once, else the final round before all else."""
    end = table.edition.end
    state = table.seats[turn.seat]
    if race_is_won(table, state):
        return "tickets"
    if end.last_train and not state.trains and turn.claimed:
        return "trains"
    if turn.turn == table.final_turn:
        return "trains"
    if table.final_turn is None and end.trains_left is not None and state.trains <= end.trains_left:
        table.final_turn = turn.turn + table.players
    if table.passes_in_row == table.players:
        return "stalled"
    return "capped" if turn.turn + 1 == table.edition.max_turns * table.players else None
