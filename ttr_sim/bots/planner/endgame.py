"""The end of the game: how long it may still last, and the claim that adds most in the last turn."""

from ttr_sim.bots.planner import params
from ttr_sim.bots.planner.citysets import has_city
from ttr_sim.bots.planner.paying import NO_ROUTE, claim_payable, missing_cards
from ttr_sim.bots.planner.worth import claim_worth, ticket_gain, ticket_loss
from ttr_sim.engine.actions import DEFAULT
from ttr_sim.engine.claims import is_tunnel, may_claim
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import is_met

TRAINS_PER_CLAIM = 3.2  # of a fast player
# Turns a ticket takes where completed tickets end the game.
TURNS_PER_TICKET = 3.5
# Turns expected at least before the final round.
LEAST_TURNS = 1.5
# Chance that a tunnel can be paid.
TUNNEL_LUCK = 0.8


@compiled
def turns_left(board, view):
    """Turns the mover can still count on, this one included."""
    if view.final_turns >= 0:
        return 1.0
    least = 1000.0
    for seat in range(view.players):
        if seat != view.seat:
            # Turns until this seat could end the game if it did nothing else.
            trains = max(0, view.trains[seat] - max(0, board.trains_left))
            cards = max(0, trains - view.hand_cards[seat])
            turns = cards / 2.0 + trains / TRAINS_PER_CLAIM
            if board.race_tickets > 0:
                missing = board.race_tickets - view.completed[seat] - view.bonus_ticket[seat]
                turns = min(turns, missing * TURNS_PER_TICKET)
            least = min(least, turns)
    return least + 1.0


@compiled
def turns_expected(board, view, seat):
    """Turns left, adjusted by the parameters pace and reserve."""
    turns = turns_left(board, view)
    if view.final_turns >= 0:
        return turns
    expected = turns * (1.0 + seat.parameters[params.PACE]) + seat.parameters[params.RESERVE]
    return max(expected, min(turns, LEAST_TURNS))


@compiled
def turns_of_game(board):
    """Turns a fast player takes for a whole game."""
    if board.race_tickets > 0:
        return board.race_tickets * TURNS_PER_TICKET
    return board.trains / 2.0 + board.trains / TRAINS_PER_CLAIM


@compiled
def claim_for_points(board, view, memory):
    """Claim the route that adds most to the score at once, or DEFAULT."""
    # Even a claim worth nothing is made: at the end of the game cards are worth nothing.
    best, best_route = -1.0, NO_ROUTE
    for route in range(board.n_routes):
        if may_claim(board, view, view.seat, route) and missing_cards(board, view, route) == 0:
            worth = claim_worth(board, memory, route) + completed_by(board, view, route)
            if is_tunnel(board, route):
                worth *= TUNNEL_LUCK
            worth += view.route_tie[route]
            if worth > best:
                best, best_route = worth, route
    return DEFAULT if best_route == NO_ROUTE else claim_payable(board, view, memory, best_route)


@compiled
def completed_by(board, view, route):
    """Worth of the tickets that this one route would complete."""
    labels = view.network[view.seat]
    first, second = labels[board.route_a[route]], labels[board.route_b[route]]
    worth = 0.0
    for i in range(view.n_tickets):
        ticket = view.tickets[i]
        if _joins(board, labels, ticket, first, second) and not is_met(board, labels, ticket):
            worth += ticket_gain(board, ticket) + ticket_loss(board, ticket)
    return worth


@compiled
def _joins(board, labels, ticket, first, second):
    """Check whether the ticket's ends lie in these two networks."""
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
