"""Prices of routes in a bot's mind: what a way over them costs."""

from ttr_sim.bots.skills.paths import FAR
from ttr_sim.bots.skills.stationing import can_be_lent, is_lent
from ttr_sim.engine.claims import FREE, may_claim
from ttr_sim.engine.compiled import compiled


@compiled
def price_by_trains(board, view, mind, loan):
    """A route costs its trains, an own or lent one nothing, one that a station could lend `loan`."""
    for route in range(board.n_routes):
        if view.owner[route] != FREE:
            mind.price[route] = price_of_taken(board, view, route, loan)
        elif may_claim(board, view, view.seat, route):
            mind.price[route] = board.route_length[route]
        else:
            mind.price[route] = FAR


@compiled
def price_of_taken(board, view, route, loan):
    """An own or lent route is free to use; another's costs a station."""
    if view.owner[route] == view.seat:
        return 0.0
    if board.stations == 0:
        return float(FAR)
    if is_lent(board, view, route):
        return 0.0
    return loan if can_be_lent(board, view, route) else float(FAR)


@compiled
def use_prices(board, mind):
    """Costs start as the prices; what is planned then costs nothing more."""
    for route in range(board.n_routes):
        mind.cost[route] = mind.price[route]
