"""Who claimed which connections of the board when, and the networks they make."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ttr_sim.analysis.chances.courses import Courses, Floats
from ttr_sim.analysis.chances.held import Held
from ttr_sim.analysis.columns import Ints

Lengths = NDArray[np.uint8]
NEVER = np.iinfo(np.int32).max


class ClaimedBoard:
    """The step from which on each connection (parallel routes together) is closed to who has none of it, by game, and
    from which it is a seat's own, by game and seat."""

    def __init__(self, courses: Courses) -> None:
        routes = courses.edition.routes
        group = np.array([route.group for route in routes])
        first = np.unique(group, return_index=True)[1]
        self.courses = courses
        self.ends = np.array([(routes[row].a, routes[row].b) for row in first])
        self.lengths = np.array([min(r.length for r in routes if r.group == g) for g in range(len(first))], np.uint8)
        self.connections = group[courses.claims["route"]]  # of each claim
        self.own_since = np.full((len(first), courses.games * courses.players), NEVER, np.int32)
        self.closed_since = np.full((len(first), courses.games), NEVER, np.int32)
        closed = courses.players <= courses.edition.closed_up_to_players
        self._place(np.ones(len(first)) if closed else np.bincount(group))

    def _place(self, copies: Ints | Floats) -> None:
        """Note who owns what since when: a claim counts from the step after its turn on, and the last copy closes."""
        game, turn, seat = (self.courses.claims[name] for name in ("game", "turn", "seat"))
        since = self.courses.starts[game] + turn + 1
        self.own_since[self.connections, game * self.courses.players + seat] = since
        self.closed_since[self.connections, game] = since  # of several the last one, as they are in order
        taken = np.bincount(self.connections * self.courses.games + game, minlength=self.closed_since.size)
        self.closed_since[taken.reshape(self.closed_since.shape) < copies[:, None]] = NEVER

    def network_growth(self) -> Ints:
        """Return by how many trains each claim lengthens the largest connected network of its seat."""
        courses, claims = self.courses, self.courses.claims
        held = Held.of(claims["game"] * courses.players + claims["seat"], claims["turn"])
        networks = Networks(int(self.ends.max()) + 1, len(held.busiest))
        growth = np.empty(len(self.connections), np.int64)
        for rows in held.of_each(held.busiest):
            connections = self.connections[rows]
            growth[rows] = networks.grow(self.ends[connections], self.lengths[connections])
        return growth


class Networks:
    """The connected networks of many holders: of each city, the number of its network, which is one of its cities."""

    def __init__(self, cities: int, holders: int) -> None:
        self.label = np.repeat(np.arange(cities, dtype=np.uint8)[:, None], holders, axis=1)
        self.trains = np.zeros((cities, holders), np.int16)
        self.largest = np.zeros(holders, np.int16)

    def grow(self, ends: Ints, length: Lengths) -> Ints:
        """Give a connection to each of the first holders; return by how much that lengthens their largest networks."""
        each = np.arange(len(ends))
        label, largest = self.label[:, : len(ends)], self.largest[: len(ends)]
        kept, joined = label[ends.T, each]
        trains = self.trains[kept, each] + length + np.where(kept == joined, 0, self.trains[joined, each])
        self.trains[kept, each] = trains
        label ^= (label == joined) * (kept ^ joined)
        gained = np.maximum(trains - largest, 0)
        largest += gained
        return np.asarray(gained)
