"""Sets of routes: one bit per route, in a row of 64-bit words."""

import numpy as np

from ttr_sim.engine.jit import compiled

_U = np.uint64
_ONE = _U(1)


@compiled
def has_route(words, route):
    return (words[route >> 6] >> _U(route & 63)) & _ONE != _U(0)


@compiled
def add_route(words, route):
    words[route >> 6] |= _ONE << _U(route & 63)


@compiled
def drop_route(words, route):
    words[route >> 6] &= ~(_ONE << _U(route & 63))


@compiled
def add_all_routes(words):
    for i in range(words.shape[0]):
        words[i] = ~_U(0)


@compiled
def clear_routes(words):
    for i in range(words.shape[0]):
        words[i] = _U(0)
