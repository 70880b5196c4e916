"""Sets of routes as bits, and the networks of cities that a seat's routes join."""

import numpy as np

from ttr_sim.engine.jit import compiled

_U = np.uint64
_ONE, _ZERO = _U(1), _U(0)
ALL_ROUTES = ~_ZERO  # a set of routes has one bit per route, in a row of 64-bit words


@compiled
def has_route(words, route):
    return (words[route >> 6] >> _U(route & 63)) & _ONE != _ZERO


@compiled
def add_route(words, route):
    words[route >> 6] |= _ONE << _U(route & 63)


@compiled
def drop_route(words, route):
    words[route >> 6] &= ~(_ONE << _U(route & 63))


@compiled
def clear_routes(words):
    for i in range(words.shape[0]):
        words[i] = _ZERO


@compiled
def join_cities(board, labels, a, b):
    """Join two cities of a network: cities with the same label are joined."""
    kept, dropped = labels[a], labels[b]
    if kept != dropped:
        for city in range(board.n_cities):
            if labels[city] == dropped:
                labels[city] = kept


@compiled
def are_sets_joined(board, labels, first, second):
    """Whether two sets of cities (a bit per city) are joined."""
    for a in range(board.n_cities):
        if (first >> _U(a)) & _ONE == _ZERO:
            continue
        for b in range(board.n_cities):
            if labels[a] == labels[b] and (second >> _U(b)) & _ONE != _ZERO:
                return True
    return False


@compiled
def has_road(board, view, seat, city):
    """Whether a route of the seat touches the city."""
    for at in range(board.first_road[city], board.first_road[city + 1]):
        if view.owner[board.road_route[at]] == seat:
            return True
    return False


@compiled
def is_set_joined(board, labels, cities):
    """Whether all cities of a set (a bit per city) are joined."""
    first = -1
    for city in range(board.n_cities):
        if (cities >> _U(city)) & _ONE != _ZERO:
            if first < 0:
                first = city
            if labels[city] != labels[first]:
                return False
    return True


@compiled
def is_met(board, labels, ticket):
    """Whether this network joins the ticket's ends. Any one of its spots serves a country."""
    if board.ticket_simple[ticket]:
        return labels[board.ticket_a[ticket]] == labels[board.ticket_b[ticket]]
    return are_sets_joined(board, labels, board.ticket_a_set[ticket], board.ticket_b_set[ticket])
