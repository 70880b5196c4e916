"""How far a seat is from completing a ticket: the fewest trains still to place, and on which routes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from ttr_sim.referee.claims import why_closed
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import Ends

Steps = dict[int, list[tuple[int, int, int]]]  # by city: (other city, trains to place, route)


class Way(NamedTuple):
    trains: int
    routes: tuple[int, ...]  # those still to claim


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


class OpenRoutes:
    """The routes that a seat has, at no cost, and those that it could claim, at their length, in the course of a game.

    What others claim only takes routes away: a shortest way over none of these stays the shortest.
    """

    def __init__(self, position: Position, seat: int) -> None:
        self._seat = seat
        self._steps: Steps = {}
        self._ways: dict[int, Way | None] = {}  # by ticket
        self._look(position)

    def after_claims(self, position: Position, routes: Sequence[int]) -> None:
        """Follow claims made since the last look: own ones change everything, as trains and routes do."""
        if any(position.owner[route] == self._seat for route in routes):
            self._look(position)
            return
        for route in routes:
            for twin in position.rules.groups[route]:
                if position.owner[twin] != self._seat and why_closed(position, self._seat, twin):
                    self._close(position, twin)

    def way(self, position: Position, ticket: int) -> Way | None:
        """Return the cheapest way that completes a ticket; None when there is none."""
        if ticket not in self._ways:
            self._ways[ticket] = shortest_way(self._steps, position.rules.ticket_ends[ticket])
        return self._ways[ticket]

    def _look(self, position: Position) -> None:
        self._ways = {}
        self._steps = defaultdict(list)
        for number, route in enumerate(position.edition.routes):
            own = position.owner[number] == self._seat
            if own or why_closed(position, self._seat, number) is None:
                cost = 0 if own else route.length
                self._steps[route.a].append((route.b, cost, number))
                self._steps[route.b].append((route.a, cost, number))

    def _close(self, position: Position, number: int) -> None:
        route = position.edition.routes[number]
        for city in (route.a, route.b):
            self._steps[city] = [step for step in self._steps[city] if step[2] != number]
        self._ways = {ticket: way for ticket, way in self._ways.items() if way is None or number not in way.routes}
