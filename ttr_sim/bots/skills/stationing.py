"""Stations: routes of others that a plan wants lent, and the city to build at for it."""

from ttr_sim.bots.skills.payments import CANNOT_PAY
from ttr_sim.engine.actions import DEFAULT, WILD, build_station
from ttr_sim.engine.claims import FREE, fewest_wilds
from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.stations import station_cost


@compiled
def is_lent(board, view, route):
    """A station of the mover stands at an end of this route."""
    a, b = board.route_a[route], board.route_b[route]
    return view.station_owner[a] == view.seat or view.station_owner[b] == view.seat


@compiled
def can_be_lent(board, view, route):
    """Another's route with a free city for one more station."""
    if view.stations[view.seat] == 0:
        return False
    return view.station_owner[board.route_a[route]] == FREE or view.station_owner[board.route_b[route]] == FREE


@compiled
def build_for_loans(board, view, mind):
    """A station for the first loan of the plan that has none, or DEFAULT."""
    for i in range(mind.n_loans):
        route = mind.loans[i]
        if not is_lent(board, view, route) and can_be_lent(board, view, route):
            a, b = board.route_a[route], board.route_b[route]
            return pay_for_station(board, view, mind, a if view.station_owner[a] == FREE else b)
    return DEFAULT


@compiled
def pay_for_station(board, view, mind, city):
    """Build there with the cards the plan misses least, or DEFAULT when the hand does not suffice."""
    cost = station_cost(board, view, view.seat)
    least, color = CANNOT_PAY, 0
    for candidate in range(board.n_colors):
        wilds = fewest_wilds(cost, 0, view.hand[candidate])
        left = view.hand[candidate] - (cost - wilds)
        harm = 2 * wilds + max(0, min(cost - wilds, mind.need[candidate] - left))
        if wilds <= view.hand[WILD] and harm < least:
            least, color = harm, candidate
    if least == CANNOT_PAY:
        return DEFAULT
    wilds = fewest_wilds(cost, 0, view.hand[color])
    return build_station(city, WILD if wilds == cost else color, wilds)
