"""Prices of routes in a bot's mind: what a way over them costs."""

from ttr_sim.bots.skills.pace import turn_points
from ttr_sim.bots.skills.paths import FAR
from ttr_sim.bots.skills.payments import colored_cards, face_up_cards
from ttr_sim.bots.skills.stationing import can_be_lent, is_lent
from ttr_sim.bots.skills.tastes import FACEUP, GREED, STATION, TEMPO, THRIFT, TRAIN, TUNNEL
from ttr_sim.bots.skills.worth import claim_worth
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.claims import FREE, may_claim
from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.stations import station_cost
from ttr_sim.engine.tunnels import is_tunnel

LEAST = 0.2  # even a route that pays for itself costs a little, so that no way wanders


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
def price_by_turns(board, view, seat, mind):
    """A route costs the turns and trains it takes, less what it pays, as the planner's tastes weigh them."""
    taste = seat.parameters
    loan = (
        board.unused_points
        + taste[TEMPO] * turn_points(board, mind) * (1.0 + station_cost(board, view, view.seat) / 2.0)
        + taste[STATION]
    )
    for route in range(board.n_routes):
        if view.owner[route] != FREE:
            mind.price[route] = price_of_taken(board, view, route, loan)
        elif may_claim(board, view, view.seat, route):
            mind.price[route] = max(LEAST, price_of_free(board, view, mind, taste, route))
        else:
            mind.price[route] = FAR


@compiled
def price_of_free(board, view, mind, taste, route):
    length = board.route_length[route]
    held = min(length, colored_cards(board, view, route))
    cards = length - taste[THRIFT] * held - taste[FACEUP] * min(length - held, face_up_cards(board, view, route))
    cards += max(0, board.route_wilds[route] - view.hand[WILD])  # a wild is twice as hard to get
    if is_tunnel(board, route):
        cards += taste[TUNNEL]
    worth = claim_worth(board, view, mind, route)
    effort = taste[TEMPO] * (1.0 + cards / 2.0) + taste[TRAIN] * length
    return effort * turn_points(board, mind) - taste[GREED] * worth


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
