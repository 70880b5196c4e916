"""A game turn by turn: refuse or apply an answer, turn order, the final round, the end.

The actions themselves are in the files of their rules.
"""

from ttr_sim.engine import actions, cards, claims, stations, tickets
from ttr_sim.engine.actions import ASK_TUNNEL, ASK_TURN, CAN_STILL_ACT, FINE, GAME_OVER, NOT_NOW, UNKNOWN_ANSWER
from ttr_sim.engine.bot_abi import copy_own
from ttr_sim.engine.cards import can_draw_from_deck, fill_row, is_row_open
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import can_act
from ttr_sim.engine.records import N_COLORS
from ttr_sim.engine.scoring import score_game
from ttr_sim.engine.setup import NOBODY, NOT_YET, SETUP_TURN, apply_at_setup, clear_turn
from ttr_sim.engine.stations import BY_RACE
from ttr_sim.engine.tickets import is_race_won
from ttr_sim.log import ACTION_NAMES, END_NAMES

ACTION_PASS = ACTION_NAMES.index("pass")
BY_TRAINS, STALLED, CAPPED = (END_NAMES.index(end) for end in ("trains", "stalled", "capped"))


@compiled
def why_not(board, view, answer):
    """FINE, or the reason why this answer is refused."""
    if answer < 0:
        return UNKNOWN_ANSWER
    kind, a, b, c = actions.unpack(answer)
    if kind == actions.ANSWER_DRAW_ROW or kind == actions.ANSWER_DRAW_DECK:
        return cards.why_not_draw(board, view, kind, a)
    if kind == actions.ANSWER_CLAIM:
        return claims.why_not_claim(board, view, a, b, c)
    if kind == actions.ANSWER_TICKETS:
        return tickets.why_not_draw_tickets(board, view, answer)
    if kind == actions.ANSWER_KEEP:
        return tickets.why_not_keep(view, a)
    if kind == actions.ANSWER_STATION:
        return stations.why_not_station(board, view, a, b, c)
    if kind == actions.ANSWER_DISCARD:
        if view.decision != ASK_TURN:
            return NOT_NOW
        return FINE if tickets.can_discard(board, view) else actions.NOTHING_TO_DISCARD
    if kind == actions.ANSWER_PAY_TUNNEL:
        return claims.why_not_pay_tunnel(view, c)
    if kind == actions.ANSWER_GIVE_UP:
        return FINE if view.decision == ASK_TUNNEL else NOT_NOW
    if kind == actions.ANSWER_PASSENGER:
        return claims.why_not_passenger(board, view, a)
    if kind == actions.ANSWER_PASS:
        if view.decision != ASK_TURN:
            return NOT_NOW
        return CAN_STILL_ACT if can_act(board, view) else FINE
    return UNKNOWN_ANSWER


@compiled
def apply(board, state, answer):
    """Apply a legal answer. True: the turn is over."""
    view = state.mover_view
    kind, a, b, c = actions.unpack(answer)
    if view.turn == SETUP_TURN:
        return apply_at_setup(board, state, answer)
    if kind == actions.ANSWER_DRAW_ROW or kind == actions.ANSWER_DRAW_DECK:
        return cards.apply_draw(board, state, kind, a)
    if kind == actions.ANSWER_CLAIM:
        return claims.apply_claim(board, state, a, b, c)
    if kind == actions.ANSWER_PAY_TUNNEL:
        return claims.pay_for_tunnel(board, state, c)
    if kind == actions.ANSWER_GIVE_UP:
        return claims.give_up_tunnel(board, state)
    if kind == actions.ANSWER_PASSENGER:
        return claims.choose_passenger(board, state, a)
    if kind == actions.ANSWER_TICKETS:
        return tickets.draw_tickets_to_keep(board, state, answer)
    if kind == actions.ANSWER_KEEP:
        tickets.keep_offered(state, view.seat, a)
        tickets.finish_offer(board, state)
    elif kind == actions.ANSWER_STATION:
        stations.apply_station(board, state, a, b, c)
    elif kind == actions.ANSWER_DISCARD:
        tickets.discard_held(board, state)
    else:
        state.turn_log.action = ACTION_PASS
    return True


@compiled
def show_own(state):
    """Copy the mover's hand, tickets and offer into the view."""
    copy_own(state.mover_view, state.holdings[state.mover_view.seat])


@compiled
def begin_turn(state, seat, turn):
    view, log = state.mover_view, state.turn_log
    clear_turn(log)
    view.seat, view.turn = seat, turn
    view.decision = ASK_TURN
    view.drawn_card = NOBODY
    for color in range(N_COLORS):
        log.row[color] = view.row[color]


@compiled
def must_pass(board, state):
    """Whether the mover has nothing to choose, and so is not asked."""
    view = state.mover_view
    # A card to draw is nearly always there; can_act, which counts all claims, would cost more than the rest of a turn.
    if view.decision != ASK_TURN or can_draw_from_deck(view) or (view.row_cards > 0 and is_row_open(board, view)):
        return False
    return not can_act(board, view)


@compiled
def finish_turn(board, state):
    """Fill the row, count passes and turns, track the sole leader."""
    view, hidden, seat = state.mover_view, state.hidden, state.mover_view.seat
    # Cards paid in this turn may refill a row that had run short.
    fill_row(board, state, True)
    view.passes = view.passes + 1 if state.turn_log.action == ACTION_PASS else 0
    hidden.turns_taken[seat] += 1
    best, leader = -1, NOBODY
    for other in range(view.players):
        if view.score[other] > best:
            best, leader = view.score[other], other
        elif view.score[other] == best:
            leader = NOBODY
    # A shared lead is nobody's, but it does not count as a change until another seat leads alone.
    if leader != hidden.leader:
        hidden.lead_since = view.turn
    if leader != NOBODY and hidden.last_leader not in (NOBODY, leader):
        hidden.lead_changes += 1
    if leader != NOBODY:
        hidden.last_leader = leader
    hidden.leader = leader


@compiled
def go_on(board, state):
    """Move on to the next turn, or to the final scoring.

    A race that is won or a last train ends the game at once. A completed final round comes before a
    stalled or capped game.
    """
    view, hidden = state.mover_view, state.hidden
    if is_race_won(board, view, view.seat):
        hidden.end = BY_RACE
    elif board.last_train and view.trains[view.seat] == 0:
        hidden.end = BY_TRAINS
    elif view.final_turns == 1:
        hidden.end = BY_TRAINS
    elif view.passes >= view.players:
        hidden.end = STALLED
    elif view.turn + 1 >= board.max_turns * view.players:
        hidden.end = CAPPED
    else:
        # Once somebody ends a turn with few trains, each player has exactly one more turn.
        if view.final_turns != NOT_YET:
            view.final_turns -= 1
        elif view.trains[view.seat] <= board.trains_left:
            view.final_turns = view.players
        begin_turn(state, (view.seat + 1) % view.players, view.turn + 1)
        return False
    view.decision = GAME_OVER
    score_game(board, state)
    return True
