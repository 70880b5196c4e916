"""One answer: why it is refused, or which action it is. The actions are in the files of their rules."""

from ttr_sim.engine import actions, cards, claims, stations, tickets
from ttr_sim.engine.actions import ASK_TUNNEL, ASK_TURN, CAN_STILL_ACT, FINE, NOT_NOW, UNKNOWN_ANSWER
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import can_act
from ttr_sim.engine.setup import SETUP_TURN, apply_at_setup
from ttr_sim.log import ACTION_NAMES

ACTION_PASS = ACTION_NAMES.index("pass")


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
        return tickets.why_not_discard(board, view)
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
    """Apply a legal answer and return whether the turn it belongs to is over."""
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
