"""One claim, from the answer to its last effect: read this file from top to bottom.

A stage that asks the bot ends with False (the turn goes on), and the answer enters at the next stage.
"""

from ttr_sim.engine import actions
from ttr_sim.engine.actions import ASK_PASSENGER, ASK_TUNNEL, ASK_TURN, FINE, NOT_NOW, WILD
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.cards import NO_CARD, discard_cards, draw_from_deck, log_payment, pay_cards, why_not_pay
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import are_sets_joined, drop_route, has_route, join_cities
from ttr_sim.engine.tickets import count_for_race, mark_met_tickets, show_met_tickets
from ttr_sim.log import ACTION_NAMES

ACTION_CLAIM = ACTION_NAMES.index("claim")
FREE = -1

# Why not


@compiled
def is_open(view, seat, route):
    """Whether a route is unclaimed and not closed by a parallel one."""
    return has_route(view.open_routes[seat], route)


@compiled
def may_claim(board, view, seat, route):
    """Whether a route is open and the seat has enough trains."""
    return is_open(view, seat, route) and board.route_length[route] <= view.trains[seat]


@compiled
def why_not_claim(board, view, route, color, wilds):
    if view.decision != ASK_TURN:
        return NOT_NOW
    if route >= board.n_routes:
        return actions.NO_SUCH_ROUTE
    if not is_open(view, view.seat, route):
        return actions.ROUTE_NOT_OPEN
    length = board.route_length[route]
    if length > view.trains[view.seat]:
        return actions.TOO_FEW_TRAINS
    if color > WILD or (color < WILD and color >= board.n_colors):
        return actions.WRONG_COLOR
    if color != WILD and board.route_color[route] != GRAY and board.route_color[route] != color:
        return actions.WRONG_COLOR
    return why_not_pay(view, color, wilds, length, board.route_wilds[route])


# Pay, or lay down for a tunnel


@compiled
def apply_claim(board, state, route, color, wilds):
    """Pay for the route, or enter the tunnel. True: turn over."""
    view, log = state.mover_view, state.turn_log
    log.action = ACTION_CLAIM
    log.route = route
    # Nothing is earned yet; null in an edition without the feature.
    if board.merchandise_cards > 0:
        log.merchandise = 0
    if board.bonus_tickets > 0:
        log.bonus_ticket = 0
    # Published before the claim takes the route away from everybody's plans.
    log.wanted_by = 0
    for seat in range(view.players):
        if has_route(state.seats[seat].wants, route):
            log.wanted_by |= 1 << seat
    view.route = route
    log_payment(log, color, board.route_length[route], wilds)
    if is_tunnel(board, route):
        return _enter_tunnel(board, state, route, color, wilds)
    pay_cards(state, view.seat, color, board.route_length[route], wilds)
    return _take_route(board, state, route)


@compiled
def is_tunnel(board, route):
    return board.tunnel_reveal >= 0 and board.route_tunnel[route]


@compiled
def _enter_tunnel(board, state, route, color, wilds):
    """Lay the cards down, reveal the tunnel's, ask for the extra ones.

    Each revealed card that matches costs one card more. Cards laid down as wilds alone match wilds only.
    """
    view, log = state.mover_view, state.turn_log
    _move_laid(state, color, board.route_length[route], wilds, 1)
    view.laid_color, view.laid_wilds, view.tunnel_cost = color, wilds, 0
    # Cards laid down have left the hand but lie in no pile, so a reshuffle on the way cannot turn them up.
    for _ in range(board.tunnel_reveal):
        card = draw_from_deck(board, state)
        if card == NO_CARD:
            break
        log.tunnel[log.n_tunnel] = card
        log.n_tunnel += 1
        view.tunnel_cost += card in (WILD, color)
    for i in range(log.n_tunnel):
        discard_cards(state, log.tunnel[i], 1)
    log.tunnel_cost = view.tunnel_cost
    for any_color in range(WILD + 1):  # the view still shows the hand as it was before the turn
        view.hand[any_color] = state.holdings[view.seat].hand[any_color]
    # Nothing to decide: a free tunnel must be claimed, and one that cannot be paid is given up.
    if view.tunnel_cost == 0:
        return pay_for_tunnel(board, state, 0)
    if count_tunnel_payments(view) == 0:
        return give_up_tunnel(board, state)
    view.decision = ASK_TUNNEL
    return False


@compiled
def _move_laid(state, color, length, wilds, sign):
    """Move cards from the hand to the table (sign 1) or back (sign -1)."""
    hand = state.holdings[state.mover_view.seat].hand
    hand[WILD] -= sign * wilds
    if color != WILD:
        hand[color] -= sign * (length - wilds)
    state.mover_view.hand_cards[state.mover_view.seat] -= sign * length


@compiled
def fewest_extra_wilds(view):
    if view.laid_color == WILD:
        return view.tunnel_cost
    return max(0, view.tunnel_cost - view.hand[view.laid_color])


@compiled
def count_tunnel_payments(view):
    """Count the ways to pay the extra cards."""
    return max(0, min(view.tunnel_cost, view.hand[WILD]) - fewest_extra_wilds(view) + 1)


@compiled
def why_not_pay_tunnel(view, wilds):
    if view.decision != ASK_TUNNEL:
        return NOT_NOW
    if wilds > view.tunnel_cost:
        return actions.WRONG_WILDS
    if wilds < fewest_extra_wilds(view) or wilds > view.hand[WILD]:
        return actions.TOO_FEW_CARDS
    return FINE


@compiled
def pay_for_tunnel(board, state, extra_wilds):
    """Pay the cards laid down and the extra ones as one set."""
    view, log = state.mover_view, state.turn_log
    length = board.route_length[view.route]
    _move_laid(state, view.laid_color, length, view.laid_wilds, -1)
    log.cards = length + view.tunnel_cost
    log.wilds = view.laid_wilds + extra_wilds
    pay_cards(state, view.seat, view.laid_color, log.cards, log.wilds)
    return _take_route(board, state, view.route)


@compiled
def give_up_tunnel(board, state):
    """Put the cards laid down back into the hand. Turn over."""
    view, length = state.mover_view, board.route_length[state.mover_view.route]
    _move_laid(state, view.laid_color, length, view.laid_wilds, -1)
    # At least these cards are in the hand again, and all could see them.
    known = view.known[view.seat]
    known[WILD] = max(known[WILD], view.laid_wilds)
    if view.laid_color != WILD:
        known[view.laid_color] = max(known[view.laid_color], length - view.laid_wilds)
    state.turn_log.claimed = 0
    return True


# Trains, score, parallel routes, network


@compiled
def _take_route(board, state, route):
    """Put trains on a paid route, then take passengers."""
    state.turn_log.claimed = 1
    place_trains(board, state, route)
    return _visit_ends(board, state, 0 if board.n_passenger_colors > 0 else 2)


@compiled
def place_trains(board, state, route):
    """Give the route to the mover: trains, public score, parallel routes, network."""
    view, seat = state.mover_view, state.mover_view.seat
    view.owner[route] = seat
    view.trains[seat] -= board.route_length[route]
    # In a race the public score is the number of completed tickets, even where routes have points.
    if board.race_tickets == 0:
        view.score[seat] += board.route_points[route]
    # Planners make a new plan only when this number has changed.
    view.board_version += 1
    state.hidden.routes_claimed[seat] += 1
    join_cities(board, view.network[seat], board.route_a[route], board.route_b[route])
    # The route is closed to all, its parallel routes to the owner, with few players to all.
    closed_to_all = view.players <= board.closed_up_to_players
    group = board.route_group[route]
    for at in range(board.first_of_group[group], board.first_of_group[group + 1]):
        twin = board.group_routes[at]
        for other in range(view.players):
            # Of three parallel routes one may be closed already: its class must not be counted down twice.
            if (twin == route or other == seat or closed_to_all) and is_open(view, other, twin):
                drop_route(view.open_routes[other], twin)
                view.open_classes[other, board.route_class[twin]] -= 1


# A passenger from each end, then merchandise, bonus ticket, tickets met


@compiled
def _visit_ends(board, state, first):
    """Take a passenger at each end from `first` on, then earn merchandise, bonus ticket and tickets met."""
    view, log, seat, route = state.mover_view, state.turn_log, state.mover_view.seat, state.mover_view.route
    for end in range(first, 2):
        view.passenger_city = board.route_a[route] if end == 0 else board.route_b[route]
        # Passengers stand at the city or, for a spot, in its country.
        pool = board.pool_city[view.passenger_city]
        choices, last = 0, -1
        for color in range(board.n_colors):
            if view.passengers[pool, color] > 0:
                choices += 1
                last = color
        if choices > 1:
            view.decision = ASK_PASSENGER
            return False
        if choices == 1:
            _take_passenger(board, state, last)
    if board.route_merchandise[route] != 0 and view.merchandise_left > 0:
        view.merchandise[seat] += 1
        view.merchandise_left -= 1
        log.merchandise = 1
    # A seat's first network from one region to the other earns a bonus ticket.
    may_earn = view.bonus_tickets_left > 0 and not view.bonus_ticket[seat]
    if may_earn and are_sets_joined(board, view.network[seat], board.bonus_source, board.bonus_target):
        view.bonus_ticket[seat] = 1
        view.bonus_tickets_left -= 1
        log.bonus_ticket = 1
        count_for_race(board, view, seat)
    mark_met_tickets(board, state, seat)
    if board.show_tickets:
        show_met_tickets(board, state, seat)
    return True


@compiled
def why_not_passenger(board, view, color):
    if view.decision != ASK_PASSENGER:
        return NOT_NOW
    if color >= board.n_colors or view.passengers[board.pool_city[view.passenger_city], color] == 0:
        return actions.NO_SUCH_PASSENGER
    return FINE


@compiled
def _take_passenger(board, state, color):
    view, log = state.mover_view, state.turn_log
    view.passengers[board.pool_city[view.passenger_city], color] -= 1
    view.held_passengers[view.seat, color] += 1
    if view.passenger_city == board.route_a[view.route]:
        log.passenger1 = color
    else:
        log.passenger2 = color


@compiled
def choose_passenger(board, state, color):
    """Take the chosen passenger and go on to the next end."""
    view = state.mover_view
    _take_passenger(board, state, color)
    return _visit_ends(board, state, 1 if view.passenger_city == board.route_a[view.route] else 2)
