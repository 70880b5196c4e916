"""Which cities the own routes of a seat join."""

from __future__ import annotations

from ttr_sim.referee.rulebook import Ends


class Network:
    """Each city points toward the one that stands for all cities joined with it."""

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
        """Whether any city of the one end is joined with any city of the other."""
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
