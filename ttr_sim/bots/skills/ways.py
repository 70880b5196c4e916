"""The cheapest way between two sets of cities, and the prices of the routes it leads over.

Prices hold the numbers that break ties, so of two ways that cost the same none is preferred by where its routes stand.
"""

import numpy as np

from ttr_sim.bots.skills import tastes
from ttr_sim.bots.skills.paying import colored_cards, likely_color
from ttr_sim.bots.skills.worth import claim_worth, turn_points
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.claims import FREE, may_claim
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.stations import station_cost
from ttr_sim.engine.tunnels import is_tunnel

_U = np.uint64
FAR = 1e9  # no way, or a closed route
NOWHERE = -1
LEAST = 0.2  # a route that pays for itself still costs something: below 0 a way would wander forever


@compiled
def find_way(board, mind, sources, targets):
    """Return the target reached at the least cost (its cost is mind.distance), or NOWHERE."""
    waiting = _leave(board, mind, sources)
    while waiting > 0:
        index = _nearest(mind, waiting)
        city = mind.frontier[index]
        if has_city(targets, city):
            return city
        waiting -= 1
        mind.frontier[index] = mind.frontier[waiting]
        waiting = _look_around(board, mind, city, waiting)
    return NOWHERE


@part
def _leave(board, mind, sources):
    waiting = 0
    for city in range(board.n_cities):
        mind.distance[city] = FAR
        if has_city(sources, city):
            mind.distance[city] = 0
            mind.via[city] = NOWHERE
            mind.frontier[waiting] = city
            waiting += 1
    return waiting


@part
def _nearest(mind, waiting):
    best = 0
    for index in range(1, waiting):
        if mind.distance[mind.frontier[index]] < mind.distance[mind.frontier[best]]:
            best = index
    return best


@part
def _look_around(board, mind, city, waiting):
    here = mind.distance[city]
    for index in range(board.first_road[city], board.first_road[city + 1]):
        route, neighbor = board.road_route[index], board.road_city[index]
        there = here + mind.cost[route]
        if there < mind.distance[neighbor]:
            if mind.distance[neighbor] == FAR:
                mind.frontier[waiting] = neighbor
                waiting += 1
            mind.distance[neighbor] = there
            mind.via[neighbor] = route
    return waiting


@compiled
def step_back(board, mind, city):
    """Return the route by which the way came to this city, and the city before it; NOWHERE at the source."""
    route = np.int64(mind.via[city])
    if route == NOWHERE:
        return NOWHERE, city
    return route, np.int64(board.route_a[route] + board.route_b[route] - city)  # the end that the city is not


@compiled
def has_city(cities, city):
    return (cities >> _U(city)) & _U(1) != _U(0)


@compiled
def price_by_trains(board, view, mind, loan):
    """Set mind.price: a route costs its trains, an own or lent one nothing, one that a station could lend `loan`."""
    for route in range(board.n_routes):
        if view.owner[route] != FREE:
            mind.price[route] = price_of_claimed(board, view, route, loan)
        elif may_claim(board, view, view.seat, route):
            mind.price[route] = board.route_length[route] + view.route_tie[route]
        else:
            mind.price[route] = FAR


@compiled
def price_by_turns(board, view, seat, mind):
    """Set mind.price: a route costs the turns and trains it takes, less what it pays, weighed by the seat's tastes."""
    weights = seat.parameters
    loan = (
        board.unused_points
        + weights[tastes.TEMPO] * turn_points(board, mind) * (1.0 + station_cost(board, view, view.seat) / 2.0)
        + weights[tastes.STATION]
    )
    likely = likely_color(board, view)
    for route in range(board.n_routes):
        if view.owner[route] != FREE:
            mind.price[route] = price_of_claimed(board, view, route, loan)
        elif may_claim(board, view, view.seat, route):
            price = price_of_free(board, view, mind, weights, route, likely)
            mind.price[route] = max(LEAST, price) + view.route_tie[route]
        else:
            mind.price[route] = FAR


@compiled
def price_of_free(board, view, mind, weights, route, likely):
    """Return the price of a route that may be claimed; negative when it pays for itself. `likely` pays gray ones."""
    length, color = board.route_length[route], board.route_color[route]
    held = min(length, colored_cards(board, view, route))
    face_up = min(length - held, view.row[likely if color == GRAY else color])
    cards = length - weights[tastes.THRIFT] * held - weights[tastes.FACEUP] * face_up
    cards += max(0, board.route_wilds[route] - view.hand[WILD])  # a wild is twice as hard to get
    if is_tunnel(board, route):
        cards += weights[tastes.TUNNEL]
    worth = claim_worth(board, mind, route)
    effort = weights[tastes.TEMPO] * (1.0 + cards / 2.0) + weights[tastes.TRAIN] * length
    return effort * turn_points(board, mind) - weights[tastes.GREED] * worth


@compiled
def price_of_claimed(board, view, route, loan):
    """Return the price of using a claimed route: an own or lent one is free, another's costs a station."""
    if view.owner[route] == view.seat:
        return 0.0
    if board.stations == 0:
        return FAR
    if is_lent(board, view, route):
        return 0.0
    return loan + view.route_tie[route] if can_be_lent(board, view, route) else FAR


@compiled
def use_prices(board, mind):
    """Start the costs as the prices; laying a plan then sets the cost of its routes to 0."""
    for route in range(board.n_routes):
        mind.cost[route] = mind.price[route]


@compiled
def is_lent(board, view, route):
    """Return whether a station of the mover stands at an end of this route."""
    a, b = board.route_a[route], board.route_b[route]
    return view.station_owner[a] == view.seat or view.station_owner[b] == view.seat


@compiled
def can_be_lent(board, view, route):
    """Return whether the mover can still build a station at an end of this route of another."""
    if view.stations[view.seat] == 0:
        return False
    return view.station_owner[board.route_a[route]] == FREE or view.station_owner[board.route_b[route]] == FREE
