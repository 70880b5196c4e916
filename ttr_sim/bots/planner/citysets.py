"""Sets of cities as bit masks, and the cities that a candidate plan has joined.

A board has at most 64 cities, so one unsigned word holds a set and `joined[city]` holds a whole network:

    own route A-B, wanted route B-C     joined[A] = joined[B] = joined[C] = {A, B, C}

Union and intersection are one instruction each, which carries the planner's search.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from ttr_sim.engine.jit import compiled

_U = np.uint64
NO_CITY = _U(0)


@compiled
def has_city(cities, city):
    return (cities >> _U(city)) & _U(1) != _U(0)


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
