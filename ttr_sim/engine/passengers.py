"""Passengers and merchandise: what a claimed route brings along."""

from ttr_sim.engine.actions import ASK_PASSENGER
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.reasons import FINE, NO_SUCH_PASSENGER, NOT_NOW
from ttr_sim.engine.rng import PASSENGERS, item_key, purpose_key, sort_by_key
from ttr_sim.log import NULL


@compiled
def place_passengers(board, state):
    """Place every meeple at random at setup, at each city and country as many as the edition says."""
    scratch = state.scratch
    key = purpose_key(state.hidden.deal_key, PASSENGERS)
    n = board.n_passenger_colors * board.passengers_each
    for meeple in range(n):
        scratch.items[meeple] = board.passenger_color[meeple // board.passengers_each]
        scratch.keys[meeple] = item_key(key, board.passenger_identity[meeple])
    sort_by_key(scratch, n)
    meeple = 0
    for city in range(board.n_cities):
        for _ in range(board.pool_size[city]):
            state.mover_view.passengers[city, scratch.sorted_items[meeple]] += 1
            meeple += 1


@compiled
def count_passenger_choices(board, view, city):
    """Count the colors that stand at a city or, for a spot, in its country."""
    pool = board.pool_city[city]
    colors = 0
    for color in range(board.n_colors):
        colors += view.passengers[pool, color] > 0
    return colors


@compiled
def nth_passenger(board, view, city, k):
    pool = board.pool_city[city]
    for color in range(board.n_colors):
        if view.passengers[pool, color] > 0:
            if k == 0:
                return color
            k -= 1
    return -1


@compiled
def ask_for_passenger(board, state, city):
    """Return whether the mover must choose at this end; a single color is taken without a question."""
    view = state.mover_view
    view.passenger_city = city
    choices = count_passenger_choices(board, view, city)
    if choices > 1:
        view.decision = ASK_PASSENGER
        return True
    if choices == 1:
        take_passenger(board, state, nth_passenger(board, view, city, 0))
    return False


@compiled
def why_not_passenger(board, view, color):
    if view.decision != ASK_PASSENGER:
        return NOT_NOW
    if color >= board.n_colors or view.passengers[board.pool_city[view.passenger_city], color] == 0:
        return NO_SUCH_PASSENGER
    return FINE


@compiled
def take_passenger(board, state, color):
    view, now = state.mover_view, state.now
    view.passengers[board.pool_city[view.passenger_city], color] -= 1
    view.held_passengers[view.seat, color] += 1
    if is_first_end(board, view):
        now.passenger1 = color
    else:
        now.passenger2 = color


@compiled
def is_first_end(board, view):
    """Return whether the passenger is being taken at the first end of the route."""
    return view.passenger_city == board.route_a[view.route]


@compiled
def earn_merchandise(board, state, seat, route):
    view = state.mover_view
    if not board.route_merchandise[route] or view.merchandise_left == 0:
        return False
    view.merchandise[seat] += 1
    view.merchandise_left -= 1
    return True


@compiled
def yes_no_or_null(has_feature, happened):
    """Return 1 or 0, or NULL in an edition without the feature."""
    if not has_feature:
        return NULL
    return 1 if happened else 0
