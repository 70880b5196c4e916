"""Sets of cities as one 64-bit number, a bit each."""

import numpy as np

from ttr_sim.engine.compiled import compiled

_U = np.uint64
NO_CITY = _U(0)


@compiled
def city_bit(city):
    return _U(1) << _U(city)


@compiled
def has_city(cities, city):
    return (cities >> _U(city)) & _U(1) != _U(0)


@compiled
def network_of(board, labels, cities):
    """All cities joined with one of these."""
    joined = NO_CITY
    for city in range(board.n_cities):
        if has_city(cities, city) and not has_city(joined, city):
            for other in range(board.n_cities):
                if labels[other] == labels[city]:
                    joined |= city_bit(other)
    return joined
