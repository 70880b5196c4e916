"""Sets of cities as one 64-bit number, a bit each."""

import numpy as np

from ttr_sim.engine.compiled import compiled

_U = np.uint64


@compiled
def has_city(cities, city):
    return (cities >> _U(city)) & _U(1) != _U(0)
