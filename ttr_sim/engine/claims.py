"""Claiming routes: which are open, every legal payment, double and triple routes, ferries."""

from ttr_sim.engine.actions import ASK_TURN, WILD
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.cards import discard_cards, spend_cards
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.networks import join_cities
from ttr_sim.engine.reasons import (
    FINE,
    NO_SUCH_ROUTE,
    NOT_NOW,
    ROUTE_NOT_OPEN,
    TOO_FEW_CARDS,
    TOO_FEW_TRAINS,
    WRONG_COLOR,
    WRONG_WILDS,
)
from ttr_sim.engine.records import N_SPARE
from ttr_sim.engine.routesets import add_all_routes, drop_route, has_route
from ttr_sim.log import ACTION_NAMES

ACTION_CLAIM = ACTION_NAMES.index("claim")
FREE = -1


@compiled
def open_all_routes(board, state):
    view = state.mover_view
    for route in range(board.n_routes):
        view.owner[route] = FREE
    for seat in range(view.players):
        add_all_routes(view.open_routes[seat])
        for index in range(board.n_classes):
            view.open_classes[seat, index] = board.first_of_class[index + 1] - board.first_of_class[index]
        for color in range(GRAY, board.n_colors):
            for cards in range(N_SPARE):
                view.open_spare[seat, color + 1, cards] = board.spare[color + 1, cards]


@compiled
def is_open(view, seat, route):
    """Return whether a route is unclaimed and not closed to this seat by a parallel route."""
    return has_route(view.open_routes[seat], route)


@compiled
def may_claim(board, view, seat, route):
    """Return whether a route is open and the seat has enough trains; ignores cards in hand."""
    return is_open(view, seat, route) and board.route_length[route] <= view.trains[seat]


@part
def _close(board, view, seat, route):
    if is_open(view, seat, route):
        drop_route(view.open_routes[seat], route)
        view.open_classes[seat, board.route_class[route]] -= 1
        if board.route_length[route] <= view.trains[seat]:
            _spare_no_more(board, view, seat, route)


@compiled
def _spare_no_more(board, view, seat, route):
    """Take an open route out of the sums from which payments are counted."""
    if board.route_wilds[route] == 0:
        spare, length = view.open_spare[seat, board.route_color[route] + 1], board.route_length[route]
        for cards in range(length + 1, 2 * board.longest_route + 2):
            spare[cards] -= cards - length


@part
def _drop_too_long(board, view, seat, trains_before):
    """Take out the open routes that the seat's trains no longer suffice for."""
    for route in range(board.n_routes):
        if view.trains[seat] < board.route_length[route] <= trains_before and is_open(view, seat, route):
            _spare_no_more(board, view, seat, route)


@part
def _close_group(board, view, owner, claimed):
    """Close a claimed route to all, and those parallel to it to its owner, with few players to all.

    They are closed here, once, and not looked up by is_open, since choices are counted from
    sums over the open routes. _close skips what is closed already: with three parallel
    routes one of them would otherwise be taken out of a seat's sums twice.
    """
    group = board.route_group[claimed]
    closed_to_all = view.players <= board.closed_up_to_players
    for at in range(board.first_of_group[group], board.first_of_group[group + 1]):
        route = board.group_routes[at]
        for seat in range(view.players):
            if route == claimed or seat == owner or closed_to_all:
                _close(board, view, seat, route)


@compiled
def fewest_wilds(length, needed, colored):
    """Return how many wilds must be paid with this many colored cards in hand."""
    return max(needed, length - colored)


@compiled
def count_payments_in_color(view, color, length, needed):
    """Count the payments with at least one card of the color."""
    return max(0, min(length - 1, view.hand[WILD]) - fewest_wilds(length, needed, view.hand[color]) + 1)


@compiled
def count_payments(board, view, color, length, needed):
    """Count every way to pay `length` cards of a color (or GRAY: of any one) with at least `needed` wilds."""
    total = 0
    if color == GRAY:
        for any_color in range(board.n_colors):
            total += count_payments_in_color(view, any_color, length, needed)
    else:
        total = count_payments_in_color(view, color, length, needed)
    return total + (view.hand[WILD] >= length)


@compiled
def nth_payment(board, view, color, length, needed, k):
    """Return the k-th of these payments as (color, wilds); wilds alone come last."""
    first, last = color, color + 1
    if color == GRAY:
        first, last = 0, board.n_colors
    for candidate in range(first, last):
        n = count_payments_in_color(view, candidate, length, needed)
        if k < n:
            return candidate, fewest_wilds(length, needed, view.hand[candidate]) + k
        k -= n
    return WILD, length


@compiled
def why_not_pay(view, color, wilds, length, needed):
    """Return FINE if the hand holds this set: `wilds` wilds and the rest in one color."""
    if color > WILD or wilds < needed or wilds > length or (color == WILD) != (wilds == length):
        return WRONG_WILDS
    if view.hand[WILD] < wilds or (color != WILD and view.hand[color] < length - wilds):
        return TOO_FEW_CARDS
    return FINE


@compiled
def why_not_claim(board, view, route, color, wilds):
    if view.decision != ASK_TURN:
        return NOT_NOW
    if route >= board.n_routes:
        return NO_SUCH_ROUTE
    if not is_open(view, view.seat, route):
        return ROUTE_NOT_OPEN
    length = board.route_length[route]
    if length > view.trains[view.seat]:
        return TOO_FEW_TRAINS
    if color > WILD or (color < WILD and color >= board.n_colors):
        return WRONG_COLOR
    if color != WILD and board.route_color[route] != GRAY and board.route_color[route] != color:
        return WRONG_COLOR
    return why_not_pay(view, color, wilds, length, board.route_wilds[route])


@compiled
def count_claims(board, view):
    """Count every route that can be claimed with every payment."""
    total = 0
    for color in range(GRAY, board.n_colors):
        total += _count_claims_in(board, view, color)
    return total


@compiled
def _count_claims_in(board, view, color):
    """Count the claims of routes of this color or GRAY."""
    total = _count_gray(board, view) if color == GRAY else _count_colored(board, view, color)
    for at in range(board.first_ferry[color + 1], board.first_ferry[color + 2]):
        total += _count_claims_of_class(board, view, board.ferry_classes[at])
    return total


@part
def _count_colored(board, view, color):
    """Count the ways to pay for each open route: one for each number of wilds from what the color lacks to the length.

    With c of the color and w wilds these are (c + w + 1 - length) - (c - length) - (w - length), each one 0 at least.
    """
    spare = view.open_spare[view.seat, color + 1]
    colored, wilds = _useful(board, view, color), _useful(board, view, WILD)
    return spare[colored + wilds + 1] - spare[colored] - spare[wilds]


@compiled
def _useful(board, view, color):
    """Count cards in hand up to the length of the longest route: with more, no route has more ways to pay."""
    return min(view.hand[color], board.longest_route)


@part
def _count_gray(board, view):
    """Count the same in every color, but what wilds pay alone only once: (w + 1 - length) - (w - length)."""
    spare, wilds = view.open_spare[view.seat, GRAY + 1], _useful(board, view, WILD)
    total = (1 - board.n_colors) * spare[wilds + 1] - spare[wilds]
    for color in range(board.n_colors):
        colored = _useful(board, view, color)
        total += spare[colored + wilds + 1] - spare[colored]
    return total


@compiled
def _count_payments_of_class(board, view, index):
    return count_payments(board, view, board.class_color[index], board.class_length[index], board.class_wilds[index])


@compiled
def _count_claims_of_class(board, view, index):
    n_open = view.open_classes[view.seat, index]
    if n_open == 0 or board.class_length[index] > view.trains[view.seat]:
        return 0
    return n_open * _count_payments_of_class(board, view, index)


@compiled
def nth_claim(board, view, k):
    """Return the k-th of these claims as (route, color, wilds)."""
    for color in range(GRAY, board.n_colors):
        n = _count_claims_in(board, view, color)
        if k < n:
            return _nth_claim_in(board, view, color, k)
        k -= n
    return -1, WILD, 0


@part
def _nth_claim_in(board, view, color, k):
    for index in range(board.first_of_color[color + 1], board.first_of_color[color + 2]):
        n = _count_claims_of_class(board, view, index)
        if k < n:
            return _nth_claim_of_class(board, view, index, k)
        k -= n
    return -1, WILD, 0


@part
def _nth_claim_of_class(board, view, index, k):
    payments = _count_payments_of_class(board, view, index)
    length, needed = board.class_length[index], board.class_wilds[index]
    color, wilds = nth_payment(board, view, board.class_color[index], length, needed, k % payments)
    return _nth_open_of_class(board, view, index, k // payments), color, wilds


@part
def _nth_open_of_class(board, view, index, k):
    for at in range(board.first_of_class[index], board.first_of_class[index + 1]):
        route = board.class_routes[at]
        if is_open(view, view.seat, route):
            if k == 0:
                return route
            k -= 1
    return -1


@compiled
def pay_cards(state, seat, color, n, wilds):
    """Move n cards from the hand to the discards: wilds, and the rest of one color."""
    if n > wilds:
        spend_cards(state, seat, color, n - wilds)
        discard_cards(state, color, n - wilds)
    if wilds > 0:
        spend_cards(state, seat, WILD, wilds)
        discard_cards(state, WILD, wilds)


@compiled
def note_payment(now, color, cards, wilds):
    now.color = color if cards > wilds else now.color
    now.cards = cards
    now.wilds = wilds


@compiled
def place_trains(board, state, route):
    """Give the route to the mover: trains, public score, networks, parallel routes."""
    view, seat = state.mover_view, state.mover_view.seat
    view.owner[route] = seat
    _close_group(board, view, seat, route)
    view.trains[seat] -= board.route_length[route]
    if board.race_tickets == 0:
        view.score[seat] += board.route_points[route]
    view.board_version += 1
    state.hidden.routes_claimed[seat] += 1
    if view.trains[seat] < board.longest_route:
        _drop_too_long(board, view, seat, view.trains[seat] + board.route_length[route])
    join_cities(board, view.network[seat], board.route_a[route], board.route_b[route])


@compiled
def wanted_by(state, route):
    """Return the mask of seats whose published plan holds the route."""
    mask = 0
    for seat in range(state.mover_view.players):
        if has_route(state.seats[seat].wants, route):
            mask |= 1 << seat
    return mask
