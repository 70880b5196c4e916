"""One game, from setup to standings, by the log and the edition alone."""

from __future__ import annotations

from collections.abc import Callable

from ttr_sim.referee.claims import claim_route
from ttr_sim.referee.columns import check_unused_columns
from ttr_sim.referee.discarding import discard_tickets
from ttr_sim.referee.drawing import draw_cards
from ttr_sim.referee.final_round import check_whose_turn, why_over
from ttr_sim.referee.findings import Finding, RuleError
from ttr_sim.referee.passing import pass_turn
from ttr_sim.referee.reckoning import check_reckoning, reckon
from ttr_sim.referee.rows import GameLog, TurnRow
from ttr_sim.referee.rulebook import Rulebook
from ttr_sim.referee.setup import set_up
from ttr_sim.referee.standings import check_standings
from ttr_sim.referee.stations import build_station
from ttr_sim.referee.table import Table
from ttr_sim.referee.tickets import check_completion, draw_tickets

ACTIONS: dict[str, Callable[[Table, TurnRow], None]] = {
    "draw": draw_cards,
    "claim": claim_route,
    "tickets": draw_tickets,
    "station": build_station,
    "discard": discard_tickets,
    "pass": pass_turn,
}


def audit_game(rules: Rulebook, log: GameLog) -> list[Finding]:
    """Everything found in one game; after what cannot happen at the table the rest of it is not judged."""
    table = Table(rules, log)
    try:
        set_up(table)
        _play(table)
        _reckon(table)
    except RuleError as broken:
        table.note(broken.rule, broken.message)
    return table.findings


def _play(table: Table) -> None:
    for due, turn in enumerate(table.log.turns):
        if table.over:
            raise RuleError("end of the game", f"the game was over ({table.over}), but the log goes on")
        check_whose_turn(table, turn, due)
        _play_turn(table, turn)
        table.over = why_over(table, turn)
    if table.over is None:
        raise RuleError("end of the game", "the log ends here, but the game was not over")
    table.turn = table.seat = None
    table.expect("end of the game", "end", table.log.game.end, table.over)


def _play_turn(table: Table, turn: TurnRow) -> None:
    act = ACTIONS.get(turn.action)
    if act is None:
        raise RuleError("log", f"there is no action {turn.action}")
    right_row = None if table.row is None else table.row.cards
    if turn.row != right_row:
        table.expect("face-up cards", "row", turn.row, right_row)
    check_unused_columns(table, turn)
    act(table, turn)
    table.no_more_tickets()
    if table.row is not None:
        table.row.refill(turn.fill2 or "", turn.turn, turn_ends=True)
    _close_turn(table, turn)


def _close_turn(table: Table, turn: TurnRow) -> None:
    """Nulls where there is no row, the mover's score and trains, the lead, the passes in a row."""
    state = table.seats[turn.seat]
    table.expect_fill("fill2", turn.fill2)
    if table.edition.is_race:
        state.public_score = state.tickets_and_bonus
    if turn.score != state.public_score:
        table.expect("scoring", "score", turn.score, state.public_score)
    if turn.trains != state.trains:
        table.expect("trains", "trains", turn.trains, state.trains)
    state.turns += 1
    table.lead.after_turn(turn.turn, turn.seat, state.public_score)
    table.passes_in_row = table.passes_in_row + 1 if turn.action == "pass" else 0


def _reckon(table: Table) -> None:
    table.all_tickets_drawn()
    reckonings = reckon(table)
    check_reckoning(table, reckonings)
    check_completion(table)
    check_standings(table, reckonings)
    _check_counts(table)


def _check_counts(table: Table) -> None:
    game = table.log.game
    table.expect("log", "turns", game.turns, len(table.log.turns))
    table.expect("face-up cards", "resets", game.resets, table.row and table.row.resets)
    table.expect("face-up cards", "stuck", game.stuck, table.row and table.row.stuck)
    table.expect("train cards", "reshuffles", game.reshuffles, table.piles.reshuffles)
