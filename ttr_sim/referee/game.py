"""Audit one game from setup to standings by its log and the edition alone."""

from __future__ import annotations

from collections.abc import Callable

from ttr_sim.log import ACTION_NAMES
from ttr_sim.referee import tickets
from ttr_sim.referee.cards import can_draw_cards, draw_cards
from ttr_sim.referee.claims import build_station, can_build_station, can_claim_any, claim_route, set_out_passengers
from ttr_sim.referee.log import SETUP, GameLog, TurnRow
from ttr_sim.referee.position import Listener, Position, Watcher
from ttr_sim.referee.rulebook import Rulebook, RuleError, Violation
from ttr_sim.referee.scoring import check_scores, check_standings, final_scores


def audit_game(
    rules: Rulebook, log: GameLog, listener: Listener | None = None, watcher: Watcher | None = None
) -> list[Violation]:
    """Find all violations in a game. After an impossible move the rest is not judged."""
    position = Position(rules, log)
    position.listener, position.watcher = listener, watcher
    try:
        _set_up(position)
        for due, turn in enumerate(log.turns):
            if position.over:
                raise RuleError("end of the game", f"the game was over ({position.over}), but the log continues")
            # The first player is seat 0, and turns go around.
            position.turn, position.seat = due, due % position.players
            if turn.turn != due:
                raise RuleError("turn order", f"turn {due} should come next, the log has turn {turn.turn}")
            if turn.seat != position.seat:
                raise RuleError("turn order", f"it was the turn of seat {position.seat}, but seat {turn.seat} moved")
            position.decide("turn")
            _play_turn(position, turn)
            position.show()
        if position.over is None:
            raise RuleError("end of the game", "the log ends here, but the game was not over")
        position.turn = position.seat = None
        position.expect("end of the game", "end", log.game.end, position.over)
        position.all_tickets_drawn()
        scores = final_scores(position)
        check_scores(position, scores)
        tickets.check_completion(position)
        check_standings(position, scores)
        game, row = log.game, position.row
        position.expect("log", "turns", game.turns, len(log.turns))
        position.expect("face-up cards", "resets", game.resets, row and row.resets)
        position.expect("face-up cards", "stuck", game.stuck, row and row.stuck)
        position.expect("train cards", "reshuffles", game.reshuffles, position.piles.reshuffles)
    except RuleError as broken:
        position.note(broken.rule, broken.message)
    return position.violations


def _set_up(position: Position) -> None:
    """Deal hands, turn up the face-up row, set out passengers, deal tickets."""
    least, most = position.edition.players
    if not least <= position.players <= most:
        raise RuleError("setup", f"{position.players} players played an edition for {least} to {most}")
    seats = [row.seat for row in position.log.seats]
    if seats != list(range(position.players)):
        raise RuleError("setup", f"the log's seats are {seats} in a game of {position.players} players")
    for seat in range(position.players):
        position.seat = seat
        hand = position.log.seats[seat].hand
        if len(hand) != position.edition.hand:
            raise RuleError("setup", f"{len(hand)} cards were dealt, {position.edition.hand} should be")
        for letter in hand:
            position.piles.take(letter)
            position.seats[seat].hand[letter] += 1
        position.expect("setup", "hand", hand, position.rules.sorted_cards(hand))
    position.seat = None
    fill = position.log.game.fill
    if position.row is not None:
        position.row.refill(fill or "", SETUP, turn_ends=False)
    else:
        position.expect("setup", "fill", fill, None)
    set_out_passengers(position)
    tickets.deal_tickets(position)
    position.show()


def _play_turn(position: Position, turn: TurnRow) -> None:
    """Check a turn and whether the game ends with it."""
    act = ACTIONS.get(turn.action)
    if act is None:
        raise RuleError("log", f"there is no action {turn.action}")
    position.expect("face-up cards", "row", turn.row, None if position.row is None else position.row.cards)
    for name in _UNUSED[turn.action]:
        cell = getattr(turn, name)
        blank = "" if name == "fill1" and position.row is not None else None  # empty text where there is a row
        if cell != blank:
            position.expect("log", f"{name} of a {turn.action} turn", cell, blank)
    act(position, turn)
    # The row is filled after the action, with cards that the action may have discarded.
    position.no_more_tickets()
    if position.row is not None:
        position.row.refill(turn.fill2 or "", turn.turn, turn_ends=True)
    position.expect_fill("fill2", turn.fill2)

    state = position.seats[turn.seat]
    if position.edition.is_race:
        state.public_score = state.tickets_and_bonus
    position.expect("scoring", "score", turn.score, state.public_score)
    position.expect("trains", "trains", turn.trains, state.trains)
    state.turns += 1
    position.lead.after_turn(turn.turn, turn.seat, state.public_score)
    # A full round of passes means that nobody can ever act again.
    position.passes_in_row = position.passes_in_row + 1 if turn.action == "pass" else 0

    # A race ends at once. The final round comes before stalled and capped games.
    end = position.edition.end
    if tickets.race_is_won(position, state):
        position.over = "tickets"
    elif turn.turn == position.final_turn or (end.last_train and not state.trains and turn.claimed):
        position.over = "trains"
    else:
        if position.final_turn is None and end.trains_left is not None and state.trains <= end.trains_left:
            position.final_turn = turn.turn + position.players
        if position.passes_in_row == position.players:
            position.over = "stalled"
        elif turn.turn + 1 == position.edition.max_turns * position.players:
            position.over = "capped"


def pass_turn(position: Position, turn: TurnRow) -> None:
    """Passing is only for a seat without any other action."""
    others = (
        (can_draw_cards(position), "draw cards"),
        (tickets.can_draw_tickets(position), "draw tickets"),
        (can_claim_any(position, turn.seat), "claim a route"),
        (can_build_station(position, turn.seat), "build a station"),
        (tickets.can_discard(position, turn.seat), "discard its tickets"),
    )
    for is_possible, action in others:
        if is_possible:
            raise RuleError("passing", f"the seat passed, though it could {action}")


ACTIONS: dict[str, Callable[[Position, TurnRow], None]] = {
    "draw": draw_cards,
    "claim": claim_route,
    "tickets": tickets.draw_tickets,
    "station": build_station,
    "discard": tickets.discard_tickets,
    "pass": pass_turn,
}

# Which columns belong to which action; all others must be null.
_DRAW = ("card1", "card1_from", "fill1", "card2", "card2_from")
_PAY = ("color", "cards", "wilds")
_CLAIM = (
    *("route", "tunnel_cards", "tunnel_cost", "claimed"),
    *("passenger1", "passenger2", "merchandise", "bonus_ticket", "wanted_by"),
)
_OF_ACTIONS = (*_DRAW, *_PAY, *_CLAIM, "city")
_USED = {"draw": _DRAW, "claim": _PAY + _CLAIM, "station": (*_PAY, "city")}
_UNUSED = {action: [name for name in _OF_ACTIONS if name not in _USED.get(action, ())] for action in ACTION_NAMES}
