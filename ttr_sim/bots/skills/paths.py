"""The cheapest way between two sets of cities, over the costs in a bot's mind."""

import numpy as np

from ttr_sim.bots.skills.cities import has_city
from ttr_sim.engine.compiled import compiled, part

FAR = np.float32(1e9)  # no way, or a closed route
NOWHERE = -1


@compiled
def find_way(board, mind, sources, targets):
    """The target reached at the least cost (its cost is mind.distance), or NOWHERE."""
    waiting = _leave(board, mind, sources)
    while waiting > 0:
        place = _nearest(mind, waiting)
        city = mind.frontier[place]
        if has_city(targets, city):
            return city
        waiting -= 1
        mind.frontier[place] = mind.frontier[waiting]
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
    for place in range(1, waiting):
        if mind.distance[mind.frontier[place]] < mind.distance[mind.frontier[best]]:
            best = place
    return best


@part
def _look_around(board, mind, city, waiting):
    here = mind.distance[city]
    for place in range(board.first_road[city], board.first_road[city + 1]):
        route, neighbor = board.road_route[place], board.road_city[place]
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
    """The route by which the way came to this city, and the city before it; NOWHERE at the source."""
    route = np.int64(mind.via[city])
    if route == NOWHERE:
        return NOWHERE, city
    return route, np.int64(board.route_a[route] + board.route_b[route] - city)
