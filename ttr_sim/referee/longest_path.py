"""The longest path: the longest trail in trains that uses no route twice, exact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

Links = dict[int, list[tuple[int, int, int]]]  # by city: (other end, length, bit of the route)


def longest_trail(routes: Iterable[tuple[int, int, int]]) -> int:
    """The best trail over routes given by their two cities and their length."""
    links: Links = defaultdict(list)
    for place, (a, b, length) in enumerate(routes):
        links[a].append((b, length, 1 << place))
        links[b].append((a, length, 1 << place))
    return max(map(_longest_in, _parts(links)), default=0)


def _parts(links: Links) -> Iterator[Links]:
    """The networks that hang together."""
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
    """Depth-first over all trails from one city, given up when the bound is reached."""
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
