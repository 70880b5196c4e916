"""What a set of routes forms: cities that are connected, and the longest path."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ttr_sim.referee.rulebook import Ends

Links = dict[int, list[tuple[int, int, int]]]  # by city: (other end, length, bit of the route)


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
    """Return the trains of the longest trail that uses no route twice; a route is its two cities and its length."""
    links: Links = defaultdict(list)
    for number, (a, b, length) in enumerate(routes):
        links[a].append((b, length, 1 << number))
        links[b].append((a, length, 1 << number))
    return max(map(_longest_in, _connected_parts(links)), default=0)


def _connected_parts(links: Links) -> Iterator[Links]:
    left = set(links)
    while left:
        part = {left.pop()}
        border = list(part)
        while border:
            for other, _, _ in links[border.pop()]:
                if other in left:
                    left.remove(other)
                    part.add(other)
                    border.append(other)
        yield {city: links[city] for city in part}


def _longest_in(links: Links) -> int:
    """With at most two odd cities one trail uses every route; else a longest one runs between two odd cities."""
    total = sum(length for ends in links.values() for _, length, _ in ends) // 2
    odd = [city for city, ends in links.items() if len(ends) % 2]
    if len(odd) <= 2:
        return total
    bound = total - _least_left_out(links, odd)
    best = 0
    for city in odd:
        best = max(best, _longest_from(links, city, bound))
        if best >= bound:
            break
    return best


def _least_left_out(links: Links, odd: list[int]) -> int:
    """All odd cities but the trail's two ends leave a route unused, which may serve two of them."""
    cheapest = sorted(min(length for _, length, _ in links[city]) for city in odd)
    return (sum(cheapest[:-2]) + 1) // 2


def _longest_from(links: Links, start: int, bound: int) -> int:
    """Search all trails from one city depth-first, until one reaches the bound."""
    best = 0
    stack = [(start, 0, 0)]
    while stack:
        city, used, length = stack.pop()
        if length > best:
            best = length
            if best >= bound:
                break
        for other, more, bit in links[city]:
            if not used & bit:
                stack.append((other, used | bit, length + more))
    return best
