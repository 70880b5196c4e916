"""Blocking: the free route that an opponent evidently needs, taken while it is cheap."""

from ttr_sim.bots.skills.claiming import NO_ROUTE, claim_payable
from ttr_sim.bots.skills.payments import best_payment, missing_cards
from ttr_sim.engine.actions import DEFAULT
from ttr_sim.engine.claims import FREE, is_open, may_claim
from ttr_sim.engine.compiled import compiled, part

A_TURN = 2.0  # points it costs
LONG = 3  # longer ones cost the blocker too much


@compiled
def claim_block(board, view, mind, readiness):
    """A short payable route whose loss closes a gap between two parts of an opponent's network, or DEFAULT.

    `readiness` is how much such a gap weighs against the cards and the turn it takes.
    """
    best, best_route = 0.0, NO_ROUTE
    for route in range(board.n_routes):
        length = board.route_length[route]
        if length > LONG or not may_claim(board, view, view.seat, route) or missing_cards(board, view, route) > 0:
            continue
        harm, _ = best_payment(board, view, mind, route)
        worth = readiness * _gap(board, view, route) + board.route_points[route] - length - harm - A_TURN
        if worth > best:
            best, best_route = worth, route
    return DEFAULT if best_route == NO_ROUTE else claim_payable(board, view, mind, best_route)


@part
def _gap(board, view, route):
    """Cities of the smaller part that the route would join, over all opponents whom its loss would hurt."""
    gap = 0
    for seat in range(view.players):
        if seat != view.seat and is_open(view, seat, route) and not _has_way_around(board, view, seat, route):
            gap += _smaller_part(board, view, seat, route)
    return gap


@part
def _has_way_around(board, view, seat, route):
    """A parallel route would stay open to the opponent."""
    if view.players <= board.closed_up_to_players:
        return False
    group = board.route_group[route]
    for place in range(board.first_of_group[group], board.first_of_group[group + 1]):
        other = board.group_routes[place]
        if other != route and view.owner[other] == FREE and is_open(view, seat, other):
            return True
    return False


@part
def _smaller_part(board, view, seat, route):
    """0 when the route joins nothing of this seat; else routes between the cities of its smaller part."""
    labels = view.network[seat]
    first, second = labels[board.route_a[route]], labels[board.route_b[route]]
    if first == second:
        return 0
    a, b = 0, 0
    for city in range(board.n_cities):
        a += labels[city] == first
        b += labels[city] == second
    return min(a, b) - 1
