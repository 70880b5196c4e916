"""What a set of routes forms: cities that are connected, and the longest path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ttr_sim.referee.rulebook import Ends

Cities = frozenset[tuple[int, bool, int]]  # city, whether it is odd, the part it belongs to


class Network:
    """The cities a seat's routes connect; each city points toward the one that stands for all connected with it."""

    __slots__ = ("_toward",)

    def __init__(self, cities: int) -> None:
        self._toward = list(range(cities))

    def root(self, city: int) -> int:
        toward = self._toward
        while toward[city] != city:
            toward[city] = city = toward[toward[city]]
        return city

    def join(self, a: int, b: int) -> None:
        self._toward[self.root(a)] = self.root(b)

    def connects(self, ends: Ends) -> bool:
        """Return whether any city of the one end is connected with any city of the other."""
        root = self.root
        ones, others = ends
        if len(ones) == 1 and len(others) == 1:
            return root(ones[0]) == root(others[0])
        roots = {root(city) for city in ones}
        return any(root(city) in roots for city in others)

    def copy(self) -> Network:
        twin = Network(0)
        twin._toward = self._toward.copy()
        return twin


def longest_trail(routes: Iterable[tuple[int, int, int]]) -> int:
    """Return the trains of the longest trail that uses no route twice; a route is its two cities and its length.

    A trail is a connected set of routes in which at most two cities are odd. So it is enough to decide route by route,
    and to remember of all that was taken so far what still matters: the cities that later routes touch.
    """
    trails = _Trails(list(_side_by_side(list(routes))))
    for a, b, length in trails.routes:
        trails.decide(a, b, length)
    return trails.best


def _side_by_side(left: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield routes so that few cities wait for their last one: those of the city with the fewest left come next."""
    waiting: set[int] = set()
    while left:
        count = Counter(city for a, b, _ in left for city in (a, b))
        waiting = {city for city in waiting if count[city]} or {min(count, key=lambda city: (count[city], city))}
        city = min(waiting, key=lambda city: (count[city], city))
        for route in [route for route in left if city in route[:2]]:
            left.remove(route)
            waiting.update(route[:2])
            yield route


# What was taken so far: of each waiting city that it touches whether it is odd and with which it is connected; and how
# many cities that wait no longer are odd.
Taken = tuple[Cities, int]


class _Trails:
    """The longest way to each state after the routes decided so far, and the longest trail that is complete."""

    def __init__(self, routes: list[tuple[int, int, int]]) -> None:
        self.routes = routes
        self.best = 0
        self._left = Counter(city for a, b, _ in routes for city in (a, b))
        self._longest: dict[Taken, int] = {(frozenset(), 0): 0}

    def decide(self, a: int, b: int, length: int) -> None:
        """Take the route or leave it, in every state; then let go of the cities that no later route touches."""
        self._left.subtract((a, b))
        done = [city for city in (a, b) if not self._left[city]]
        longest: dict[Taken, int] = {}
        for (cities, ends), before in self._longest.items():
            for state, total in ((cities, before), (_with_route(cities, a, b), before + length)):
                after = self._let_go(state, ends, done, total)
                if after is not None and total > longest.get(after, -1):
                    longest[after] = total
        self._longest = longest

    def _let_go(self, cities: Cities, ends: int, done: list[int], total: int) -> Taken | None:
        """Return the state without the cities that are done; None when nothing can come of it any more."""
        for place in done:
            entry = next((entry for entry in cities if entry[0] == place), None)
            if entry is None:
                continue
            ends += entry[1]
            cities -= {entry}
            if ends > 2:
                return None
            if all(label != entry[2] for _, _, label in cities):  # this part is complete, and must be all there is
                if not cities:
                    self.best = max(self.best, total)
                return None
        return _with_plain_labels(cities), ends


def _with_route(cities: Cities, a: int, b: int) -> Cities:
    """Add a route: both ends change between odd and even, and what hangs on them is connected."""
    odd = {city: is_odd for city, is_odd, _ in cities}
    label = {city: part for city, _, part in cities}
    for city in (a, b):
        odd[city] = not odd.get(city, False)
        label.setdefault(city, city)
    kept, dropped = label[a], label[b]
    return frozenset((city, odd[city], kept if part == dropped else part) for city, part in label.items())


def _with_plain_labels(cities: Cities) -> Cities:
    """Name each part by its smallest city, so that equal states are one."""
    smallest: dict[int, int] = {}
    for city, _, label in cities:
        smallest[label] = min(city, smallest.get(label, city))
    return frozenset((city, is_odd, smallest[label]) for city, is_odd, label in cities)
