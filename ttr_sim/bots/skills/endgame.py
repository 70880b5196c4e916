"""What a claim is worth when it is the last: points and tickets completed by it."""

from ttr_sim.bots.skills.cities import has_city
from ttr_sim.bots.skills.claiming import NO_ROUTE, claim_payable
from ttr_sim.bots.skills.goals import ticket_gain, ticket_loss
from ttr_sim.bots.skills.payments import missing_cards
from ttr_sim.bots.skills.worth import claim_worth
from ttr_sim.engine.actions import DEFAULT
from ttr_sim.engine.claims import may_claim
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.tunnels import is_tunnel

TUNNEL_LUCK = 0.8  # chance that a tunnel can be paid


@compiled
def claim_for_points(board, view, mind):
    """The payable route that adds most to the score at once, or DEFAULT."""
    best, best_route = 0.0, NO_ROUTE
    for route in range(board.n_routes):
        if may_claim(board, view, view.seat, route) and missing_cards(board, view, route) == 0:
            worth = claim_worth(board, view, mind, route) + completed_by(board, view, route)
            if is_tunnel(board, route):
                worth *= TUNNEL_LUCK
            if worth > best or best_route == NO_ROUTE:
                best, best_route = worth, route
    return DEFAULT if best_route == NO_ROUTE else claim_payable(board, view, mind, best_route)


@compiled
def completed_by(board, view, route):
    """Worth of the tickets that this one route would complete."""
    labels = view.network[view.seat]
    first, second = labels[board.route_a[route]], labels[board.route_b[route]]
    worth = 0.0
    for i in range(view.n_tickets):
        ticket = view.tickets[i]
        if _would_meet(board, labels, ticket, first, second) and not is_met(board, labels, ticket):
            worth += ticket_gain(board, ticket) + ticket_loss(board, ticket)
    return worth


@part
def _would_meet(board, labels, ticket, first, second):
    """Whether the ticket's ends lie in these two networks."""
    if board.ticket_simple[ticket]:
        a, b = labels[board.ticket_a[ticket]], labels[board.ticket_b[ticket]]
        return (a == first and b == second) or (a == second and b == first)
    a, b = board.ticket_a_set[ticket], board.ticket_b_set[ticket]
    if _touches(board, labels, a, first) and _touches(board, labels, b, second):
        return True
    return _touches(board, labels, a, second) and _touches(board, labels, b, first)


@compiled
def _touches(board, labels, cities, label):
    for city in range(board.n_cities):
        if labels[city] == label and has_city(cities, city):
            return True
    return False
