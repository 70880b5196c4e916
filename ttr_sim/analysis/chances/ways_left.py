"""How far seats are from completing their tickets: fewest trains over own and open routes, for many states at once."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ttr_sim.analysis.chances.courses import Courses, Floats
from ttr_sim.analysis.columns import Ints
from ttr_sim.edition.limits import MAX_TRAINS

Costs = NDArray[np.uint8]
CUT_OFF = MAX_TRAINS + 1  # what is that far counts as cut off; a byte holds the sum of two
CHUNK = 32_000  # tickets looked at together: with fewer the calls cost, with more the memory


class OpenBoard:
    """What a seat would have to place on each connection (parallel routes together) at some steps of games."""

    def __init__(self, courses: Courses, steps: Ints) -> None:
        routes = courses.edition.routes
        group = np.array([route.group for route in routes])
        first = np.unique(group, return_index=True)[1]
        self.ends = np.array([(routes[row].a, routes[row].b) for row in first])
        self.lengths = np.array([min(r.length for r in routes if r.group == g) for g in range(len(first))], np.uint8)
        self.copies = np.bincount(group)
        self.cities = len(courses.edition.cities)
        self.players = courses.players
        self.own = np.zeros((len(first), len(steps), courses.players), bool)
        taken = np.zeros((len(first), len(steps)), np.uint8)
        self._place(courses, steps, group, taken)
        closed = courses.players <= courses.edition.closed_up_to_players
        self.free = taken == 0 if closed else taken < self.copies[:, None]

    def _place(self, courses: Courses, steps: Ints, group: Ints, taken: NDArray[np.uint8]) -> None:
        """Mark who owns what: a claim counts at the chosen steps of its game that come after it."""
        game, turn, seat, route = (courses.claims[name] for name in ("game", "turn", "seat", "route"))
        since = courses.starts[game] + turn + 1
        low = np.searchsorted(steps, since)
        high = np.searchsorted(steps, courses.starts[game] + courses.lengths[game])
        count = high - low
        state = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + np.repeat(low, count)
        lane = np.repeat(group[route], count)
        self.own[lane, state, np.repeat(seat, count)] = True
        np.add.at(taken.reshape(-1), lane * len(steps) + state, np.uint8(1))  # flat, or numpy is ten times slower

    @cached_property
    def network(self) -> Floats:
        """Return the trains of each seat's largest connected network, by state and seat."""
        own = self.own.reshape(len(self.ends), -1)
        label = np.repeat(np.arange(self.cities, dtype=np.uint8)[:, None], own.shape[1], axis=1)
        # Numbers of cities as distances: over own routes, the least one of a network spreads.
        _relax(label, np.where(own, np.uint8(0), np.uint8(CUT_OFF)), self.ends)
        trains = np.zeros((own.shape[1], self.cities), np.float32)
        for (a, _), mine, length in zip(self.ends, own, self.lengths, strict=True):
            at = np.flatnonzero(mine)
            trains[at, label[a, at]] += length
        largest: Floats = trains.max(axis=1).reshape(-1, self.players).astype(float)
        return largest

    def trains_left(self, courses: Courses, state: Ints, seat: Ints, ticket: Ints) -> Floats:
        """Return the fewest trains that complete each ticket; infinite where others have cut it off."""
        left = np.empty(len(state))
        for at in range(0, len(state), CHUNK):
            part = slice(at, at + CHUNK)
            left[part] = self._of_chunk(courses, state[part], seat[part], ticket[part])
        left[left >= CUT_OFF] = np.inf
        return left

    def _of_chunk(self, courses: Courses, state: Ints, seat: Ints, ticket: Ints) -> Costs:
        # Taken, not indexed: only then a connection's costs lie side by side, and are looked at four times as fast.
        costs = np.where(self.free.take(state, axis=1), self.lengths[:, None], np.uint8(CUT_OFF))
        holder = state * self.players + seat
        costs[self.own.reshape(len(self.ends), -1).take(holder, axis=1)] = 0
        far = np.full((self.cities, len(state)), CUT_OFF, np.uint8)
        places = [(courses.edition.tickets[row], np.flatnonzero(ticket == row)) for row in np.unique(ticket)]
        for ends, at in places:
            far[np.ix_(ends.a_cities, at)] = 0
        _relax(far, costs, self.ends)
        left = np.empty(len(state), np.uint8)
        for ends, at in places:
            left[at] = far[np.ix_(ends.b_cities, at)].min(axis=0)
        return left


def _relax(far: Costs, costs: Costs, ends: Ints) -> None:
    """Shorten distances over every connection until none is shortened anymore (Bellman and Ford)."""
    shortened, way = True, np.empty_like(far[0])
    while shortened:
        before = far.copy()
        for (a, b), cost in zip(ends.tolist(), costs, strict=True):
            np.minimum(far[a], np.add(far[b], cost, out=way), out=far[a])
            np.minimum(far[b], np.add(far[a], cost, out=way), out=far[b])
        shortened = bool((far < before).any())
