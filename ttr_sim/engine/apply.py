"""One answer applied: checked first, changed after; and what follows within the turn."""

from ttr_sim.engine.actions import (
    ANSWER_CLAIM,
    ANSWER_DISCARD,
    ANSWER_DRAW_DECK,
    ANSWER_DRAW_ROW,
    ANSWER_GIVE_UP,
    ANSWER_KEEP,
    ANSWER_PASS,
    ANSWER_PASSENGER,
    ANSWER_PAY_TUNNEL,
    ANSWER_STATION,
    ANSWER_TICKETS,
    ASK_MIX,
    ASK_TURN,
    first_of,
    kind_of,
    second_of,
    third_of,
)
from ttr_sim.engine.cards import apply_draw, why_not_draw
from ttr_sim.engine.claims import ACTION_CLAIM, note_payment, pay_cards, place_trains, wanted_by, why_not_claim
from ttr_sim.engine.instant_tickets import discard_held, earn_bonus_ticket, show_met_tickets, why_not_discard
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.legal import can_act
from ttr_sim.engine.passengers import (
    ask_for_passenger,
    earn_merchandise,
    is_first_end,
    take_passenger,
    why_not_passenger,
    yes_no_or_null,
)
from ttr_sim.engine.reasons import CAN_STILL_ACT, FINE, NOT_NOW, UNKNOWN_ANSWER
from ttr_sim.engine.setup import advance_setup, announce_mix
from ttr_sim.engine.stations import build, why_not_station
from ttr_sim.engine.tickets import (
    draw_offer,
    keep_offered,
    note_met_tickets,
    return_rest,
    take_kept,
    why_not_draw_tickets,
    why_not_keep,
)
from ttr_sim.engine.tunnels import (
    give_up_tunnel,
    is_tunnel,
    lay_down,
    pay_tunnel_cards,
    why_not_give_up,
    why_not_pay_tunnel,
)
from ttr_sim.log import ACTION_NAMES

ACTION_PASS = ACTION_NAMES.index("pass")
SETUP_TURN = -1


@compiled
def why_not(board, view, answer):
    """Return FINE, or the reason why this answer is refused."""
    if answer < 0:
        return UNKNOWN_ANSWER
    kind = kind_of(answer)
    if kind == ANSWER_DRAW_ROW or kind == ANSWER_DRAW_DECK:
        return why_not_draw(board, view, kind, first_of(answer))
    if kind == ANSWER_CLAIM:
        return why_not_claim(board, view, first_of(answer), second_of(answer), third_of(answer))
    if kind == ANSWER_TICKETS:
        return why_not_draw_tickets(board, view, answer)
    if kind == ANSWER_KEEP:
        return why_not_keep(view, first_of(answer))
    if kind == ANSWER_STATION:
        return why_not_station(board, view, first_of(answer), second_of(answer), third_of(answer))
    if kind == ANSWER_DISCARD:
        return why_not_discard(board, view)
    if kind == ANSWER_PAY_TUNNEL:
        return why_not_pay_tunnel(view, third_of(answer))
    if kind == ANSWER_GIVE_UP:
        return why_not_give_up(view)
    if kind == ANSWER_PASSENGER:
        return why_not_passenger(board, view, first_of(answer))
    if kind == ANSWER_PASS:
        return _why_not_pass(board, view)
    return UNKNOWN_ANSWER


@part
def _why_not_pass(board, view):
    if view.decision != ASK_TURN:
        return NOT_NOW
    return CAN_STILL_ACT if can_act(board, view) else FINE


@compiled
def apply(board, state, answer):
    """Apply a legal answer; return whether the turn it belongs to is over."""
    view, kind = state.mover_view, kind_of(answer)
    if view.turn == SETUP_TURN:
        return _apply_at_setup(board, state, answer)
    if kind == ANSWER_DRAW_ROW or kind == ANSWER_DRAW_DECK:
        return apply_draw(board, state, kind, first_of(answer))
    if kind == ANSWER_CLAIM:
        return _apply_claim(board, state, first_of(answer), second_of(answer), third_of(answer))
    if kind == ANSWER_TICKETS:
        return draw_offer(board, state, answer) and _finish_offer(board, state)
    if kind == ANSWER_KEEP:
        keep_offered(state, view.seat, first_of(answer))
        return _finish_offer(board, state)
    if kind == ANSWER_STATION:
        build(board, state, first_of(answer), second_of(answer), third_of(answer))
    elif kind == ANSWER_DISCARD:
        discard_held(board, state)
    elif kind == ANSWER_PAY_TUNNEL:
        pay_tunnel_cards(board, state, third_of(answer))
        return _complete_claim(board, state, view.route)
    elif kind == ANSWER_GIVE_UP:
        give_up_tunnel(board, state)
        _note_earned(board, state, False, False)
    elif kind == ANSWER_PASSENGER:
        return _apply_passenger(board, state, first_of(answer))
    else:
        state.now.action = ACTION_PASS
    return True


@part
def _apply_at_setup(board, state, answer):
    view = state.mover_view
    if view.decision == ASK_MIX:
        announce_mix(board, state, answer)
    else:
        keep_offered(state, view.seat, first_of(answer))
    return advance_setup(board, state, view.seat + 1)


@compiled
def _finish_offer(board, state):
    """Give the kept tickets to the hand and put the rest under their decks."""
    seat = state.mover_view.seat
    take_kept(board, state, seat)
    return_rest(board, state, seat)
    if board.show_tickets:
        show_met_tickets(board, state, seat)
    return True


@part
def _apply_claim(board, state, route, color, wilds):
    view, now = state.mover_view, state.now
    now.action = ACTION_CLAIM
    now.route = route
    now.wanted_by = wanted_by(state, route)
    view.route = route
    note_payment(now, color, board.route_length[route], wilds)
    if is_tunnel(board, route):
        if not lay_down(board, state, route, color, wilds):
            return False
        if now.claimed == 0:
            _note_earned(board, state, False, False)
            return True
    else:
        pay_cards(state, view.seat, color, board.route_length[route], wilds)
        now.claimed = 1
    return _complete_claim(board, state, route)


@compiled
def _complete_claim(board, state, route):
    """Put trains on a route that is paid, then take passengers from both ends."""
    place_trains(board, state, route)
    if board.n_passenger_colors > 0:
        if ask_for_passenger(board, state, board.route_a[route]):
            return False
        return _second_passenger(board, state, route)
    return _earn(board, state, route)


@compiled
def _second_passenger(board, state, route):
    if ask_for_passenger(board, state, board.route_b[route]):
        return False
    return _earn(board, state, route)


@part
def _apply_passenger(board, state, color):
    view = state.mover_view
    was_first = is_first_end(board, view)
    take_passenger(board, state, color)
    if was_first:
        return _second_passenger(board, state, view.route)
    return _earn(board, state, view.route)


@compiled
def _earn(board, state, route):
    """Give the mover what the route earns besides points: merchandise, bonus ticket, completed tickets."""
    seat = state.mover_view.seat
    merchandise = board.merchandise_cards > 0 and earn_merchandise(board, state, seat, route)
    bonus = board.bonus_tickets > 0 and earn_bonus_ticket(board, state, seat)
    _note_earned(board, state, merchandise, bonus)
    note_met_tickets(board, state, seat)
    if board.show_tickets:
        show_met_tickets(board, state, seat)
    return True


@compiled
def _note_earned(board, state, merchandise, bonus):
    state.now.merchandise = yes_no_or_null(board.merchandise_cards > 0, merchandise)
    state.now.bonus_ticket = yes_no_or_null(board.bonus_tickets > 0, bonus)
