"""How far a seat is from completing a ticket: the fewest trains still to place, and on which routes."""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush
from typing import NamedTuple

from ttr_sim.referee.claims import why_closed
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import Ends

Steps = dict[int, list[tuple[int, int, int]]]  # by city: (other city, trains to place, route)


class Way(NamedTuple):
    trains: int
    routes: tuple[int, ...]  # those still to claim


def open_steps(position: Position, seat: int) -> Steps:
    """Return the routes a seat has, at no cost, and those it could claim, at their length."""
    steps: Steps = defaultdict(list)
    for number, route in enumerate(position.edition.routes):
        own = position.owner[number] == seat
        if own or why_closed(position, seat, number) is None:
            cost = 0 if own else route.length
            steps[route.a].append((route.b, cost, number))
            steps[route.b].append((route.a, cost, number))
    return steps


def shortest_way(steps: Steps, ends: Ends) -> Way | None:
    """Return the cheapest way from any city of one end to any of the other; None when there is none."""
    sources, targets = ends
    heap: list[tuple[int, tuple[int, ...], int]] = [(0, (), city) for city in sorted(sources)]
    seen: set[int] = set()
    while heap:
        trains, routes, city = heappop(heap)
        if city in targets:
            return Way(trains, routes)
        if city in seen:
            continue
        seen.add(city)
        for other, cost, route in steps[city]:
            if other not in seen:
                heappush(heap, (trains + cost, (*routes, route) if cost else routes, other))
    return None
