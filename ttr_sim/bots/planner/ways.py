"""Cheapest ways between two sets of cities, and the prices of the routes they use.

A board has at most 64 cities, so one unsigned word holds a set and `joined[city]` holds a whole network:

    own route A-B, wanted route B-C     joined[A] = joined[B] = joined[C] = {A, B, C}

Union and intersection are one instruction each, which carries the planner's search.

A way is found by Dijkstra's search over `memory.cost`, and `memory.via` leads back from its end to its source. Prices
include random tie-breakers, so that of two equal ways none is preferred for where its routes stand in the file.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from ttr_sim.bots.planner.params import PARAM
from ttr_sim.bots.planner.paying import colored_cards, likely_color, most_of_a_color
from ttr_sim.bots.planner.worth import claim_worth, turn_points
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.claims import FREE, is_tunnel, may_claim
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.stations import station_cost

_U = np.uint64
NO_CITY = _U(0)
FAR = 1e9  # no way, or a closed route
NOWHERE = -1
TRAIN_IN_TURNS = 0.1  # cost of a train when the quickest way is searched
LEAST = 0.2  # a route that pays for itself still costs something: below 0 a way would wander forever


@intrinsic
def count_cities(typing_context: Any, cities: Any) -> Any:
    return types.int64(types.uint64), lambda context, builder, signature, sets: builder.ctpop(sets[0])


@intrinsic
def first_city(typing_context: Any, cities: Any) -> Any:
    """The lowest city of a set that is not empty."""

    def generate(context: Any, builder: Any, signature: Any, sets: Any) -> Any:
        return builder.cttz(sets[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


@compiled
def join_by_route(board, memory, route):
    joined = memory.joined[board.route_a[route]] | memory.joined[board.route_b[route]]
    left = joined
    while left != NO_CITY:
        memory.joined[first_city(left)] = joined
        left &= left - _U(1)


@compiled
def join_free(board, view, memory):
    """Set memory.joined from the routes that cost nothing: own ones, and lent ones."""
    labels = view.network[view.seat]  # a network's label is one of its cities
    for city in range(board.n_cities):
        memory.joined[city] = NO_CITY
    for city in range(board.n_cities):
        memory.joined[labels[city]] |= _U(1) << _U(city)
    for city in range(board.n_cities):
        memory.joined[city] = memory.joined[labels[city]]
    if board.stations > 0:
        for route in range(board.n_routes):
            if memory.cost[route] == 0:  # lent
                join_by_route(board, memory, route)


@compiled
def all_joined(memory, cities):
    """These cities and all joined with one of them."""
    joined = NO_CITY
    while cities != NO_CITY:
        joined |= memory.joined[first_city(cities)]
        cities &= cities - _U(1)
    return joined


@compiled
def are_near(board, memory, first, second, routes):
    """Check whether `routes` routes can lead from one set to the other, whoever owns them."""
    reached, goal = all_joined(memory, first), all_joined(memory, second)
    new = reached
    while reached & goal == NO_CITY and new != NO_CITY and routes >= 1.0:
        found = NO_CITY
        while new != NO_CITY:
            found |= board.neighbors[first_city(new)]
            new &= new - _U(1)
        new = all_joined(memory, found & ~reached)
        reached |= new
        routes -= 1.0
    return reached & goal != NO_CITY


@compiled
def find_way(board, view, memory, sources, targets, limit):
    """Find the target reached at the least cost, or NOWHERE when that is `limit` or more.

    Searches from the same sources continue where the last one stopped, until `reset_search` reports a changed cost.
    """
    if memory.root != sources:
        _start_search(board, memory, sources)
    end, settled = NOWHERE, memory.settled & targets
    while settled != NO_CITY:
        city = first_city(settled)
        if end == NOWHERE or memory.distance[city] < memory.distance[end]:
            end = city
        settled &= settled - _U(1)
    if end == NOWHERE:
        return _search(board, view, memory, targets, limit, True, False)
    return end if memory.distance[end] < limit else NOWHERE


@compiled
def find_new_way(board, view, memory, sources, targets, limit, in_turns):
    """Find the cheapest or quickest way for the candidate as it stands.

    No later search continues from here. The way leads from the smaller to the larger set, both with all cities joined
    to them.
    """
    few, many = all_joined(memory, sources), all_joined(memory, targets)
    if few & many != NO_CITY:  # already joined: a way of no route
        city = first_city(few & many)
        reset_search(memory)
        memory.distance[city] = 0
        memory.via[city] = NOWHERE
        return city if limit > 0 else NOWHERE
    is_turned = count_cities(few) > count_cities(many)
    if is_turned:
        few, many = many, few
    _start_search(board, memory, few)
    end = _search(board, view, memory, many, limit, False, in_turns)
    reset_search(memory)
    if not is_turned or end == NOWHERE:
        return end
    city, route, length = end, NOWHERE, 0.0
    while True:  # reverse the way
        next_route, next_city = step_back(board, memory, city)
        memory.via[city], memory.distance[city] = route, length
        if next_route == NOWHERE:
            return city
        length += memory.cost[next_route]
        city, route = next_city, next_route


@compiled
def reset_search(memory):
    memory.root = 0


@compiled
def _start_search(board, memory, sources):
    memory.root, memory.settled, memory.waiting = sources, NO_CITY, 0
    for city in range(board.n_cities):
        memory.distance[city] = FAR
    while sources != NO_CITY:
        city = first_city(sources)
        memory.distance[city] = 0
        memory.via[city] = NOWHERE
        memory.frontier[memory.waiting], memory.frontier_cost[memory.waiting] = city, 0.0
        memory.waiting += 1
        sources &= sources - _U(1)


@compiled
def _search(board, view, memory, targets, limit, continues, in_turns):
    """Settle the nearest waiting city until it is a target: the frontier's last is the nearest.

    Unless a later search continues from here, cities beyond the limit or a target already seen are skipped.
    """
    bound = FAR if continues else limit
    fullest = most_of_a_color(board, view) if in_turns else 0
    while memory.waiting > 0:
        city, here = np.int64(memory.frontier[memory.waiting - 1]), memory.frontier_cost[memory.waiting - 1]
        if here >= limit:
            return NOWHERE
        if (targets >> _U(city)) & _U(1) != NO_CITY:
            return city
        memory.waiting -= 1
        memory.settled |= _U(1) << _U(city)
        for index in range(board.first_road[city], board.first_road[city + 1]):
            route = board.road_route[index]
            cost = memory.cost[route]
            if in_turns and 0 < cost < FAR:
                missing = 0
                if view.owner[route] == FREE:
                    color = board.route_color[route]
                    missing = max(0, board.route_length[route] - (fullest if color == GRAY else view.hand[color]))
                cost = 1.0 + missing / 2.0 + TRAIN_IN_TURNS * board.route_length[route] + view.route_tie[route]
            there, near = here + cost, np.int64(board.road_city[index])
            if there < min(memory.distance[near], bound):
                _reach(memory, near, route, there)
                if not continues and (targets >> _U(near)) & _U(1) != NO_CITY:
                    bound = there
    return NOWHERE


@compiled
def _reach(memory, city, route, there):
    """Record a nearer way to the city and move it to its place in the sorted frontier."""
    place = memory.waiting
    if memory.distance[city] == FAR:
        memory.waiting += 1
    else:
        place = 0
        while memory.frontier[place] != city:
            place += 1
    while place + 1 < memory.waiting and memory.frontier_cost[place + 1] > there:
        memory.frontier[place] = memory.frontier[place + 1]
        memory.frontier_cost[place] = memory.frontier_cost[place + 1]
        place += 1
    while place > 0 and memory.frontier_cost[place - 1] < there:
        memory.frontier[place] = memory.frontier[place - 1]
        memory.frontier_cost[place] = memory.frontier_cost[place - 1]
        place -= 1
    memory.frontier[place], memory.frontier_cost[place] = city, there
    memory.distance[city] = there
    memory.via[city] = route


@compiled
def step_back(board, memory, city):
    """Route by which the way reached this city, and the city before, or NOWHERE at the source."""
    route = np.int64(memory.via[city])
    if route == NOWHERE:
        return NOWHERE, city
    return route, np.int64(board.route_a[route] + board.route_b[route] - city)  # the route's other end


@compiled
def price_by_trains(board, view, memory, loan):
    """Set memory.price to trains: own and lent routes are free, borrowing one costs `loan`."""
    for route in range(board.n_routes):
        if view.owner[route] != FREE:
            memory.price[route] = price_of_claimed(board, view, route, loan)
        elif may_claim(board, view, view.seat, route):
            memory.price[route] = board.route_length[route] + view.route_tie[route]
        else:
            memory.price[route] = FAR


@compiled
def price_by_turns(board, view, seat, memory):
    """Set memory.price to turns and trains less points, weighted by the seat's parameters."""
    weights = seat.parameters
    turns = 1.0 + station_cost(board, view, view.seat) / 2.0
    loan = board.unused_points + weights[PARAM.tempo] * turn_points(board, memory) * turns + weights[PARAM.station]
    loan = max(LEAST, loan)
    likely = weigh_classes(board, view, memory, weights, memory.cost)
    doubt, reached = weights[PARAM.doubt] * turn_points(board, memory), NO_CITY  # cities that rivals' routes reach
    if doubt > 0:
        for route in range(board.n_routes):
            if view.owner[route] != FREE and view.owner[route] != view.seat:
                reached |= board.route_ends[route]
    for route in range(board.n_routes):
        if view.owner[route] != FREE:
            memory.price[route] = price_of_claimed(board, view, route, loan)
        elif may_claim(board, view, view.seat, route):
            price = price_of_free(board, view, memory, weights, route, memory.cost, likely)
            if doubt > 0 and board.route_ends[route] & ~reached == NO_CITY:
                price += doubt
            memory.price[route] = max(LEAST, price) + view.route_tie[route]
        else:
            memory.price[route] = FAR


@compiled
def weigh_classes(board, view, memory, weights, efforts):
    """Set the effort of claiming a route of each class: the value is the likely color of gray ones."""
    unit = turn_points(board, memory)
    likely, fullest = likely_color(board, view), most_of_a_color(board, view)
    for index in range(board.n_classes):
        color = board.class_color[index]
        held = fullest if color == GRAY else view.hand[color]
        length, wilds = board.class_length[index], board.class_wilds[index]
        efforts[index] = unit * _effort(view, weights, length, color, wilds, held, likely, 0.0)
    return likely


@compiled
def _effort(view, weights, length, color, wilds, in_hand, likely, tunnel):
    held = min(length, in_hand)
    face_up = min(length - held, view.row[likely if color == GRAY else color])
    cards = length - weights[PARAM.thrift] * held - weights[PARAM.faceup] * face_up
    cards += max(0, wilds - view.hand[WILD])  # a wild is twice as hard to get
    cards += tunnel
    return weights[PARAM.tempo] * (1.0 + cards / 2.0) + weights[PARAM.train] * length


@compiled
def price_of_free(board, view, memory, weights, route, efforts, likely):
    """Price of a route that may be claimed, negative when it pays for itself."""
    effort = efforts[board.route_class[route]]
    if is_tunnel(board, route):
        length, color, wilds = board.route_length[route], board.route_color[route], board.route_wilds[route]
        held = colored_cards(board, view, route)
        effort = turn_points(board, memory) * _effort(
            view, weights, length, color, wilds, held, likely, weights[PARAM.tunnel]
        )
    return effort - weights[PARAM.greed] * claim_worth(board, memory, route)


@compiled
def price_of_claimed(board, view, route, loan):
    """Price of using a claimed route: own and lent ones are free, another costs a station."""
    if view.owner[route] == view.seat:
        return 0.0
    if board.stations == 0:
        return FAR
    if is_lent(board, view, route):
        return 0.0
    return loan + view.route_tie[route] if can_be_lent(board, view, route) else FAR


@compiled
def use_prices(board, memory):
    """Reset the costs to the prices. A candidate then sets the costs of its routes to 0."""
    reset_search(memory)
    for route in range(board.n_routes):
        memory.cost[route] = memory.price[route]


@compiled
def is_lent(board, view, route):
    """Check whether a station of the mover stands at an end of this route."""
    a, b = board.route_a[route], board.route_b[route]
    return view.station_owner[a] == view.seat or view.station_owner[b] == view.seat


@compiled
def can_be_lent(board, view, route):
    """Check whether the mover can still build a station at an end of another's route."""
    if view.stations[view.seat] == 0:
        return False
    return view.station_owner[board.route_a[route]] == FREE or view.station_owner[board.route_b[route]] == FREE
