"""Shortest paths over a board, in trains.

A country's spot touches one city only, so no path runs through a country.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from ttr_sim.edition.model import Edition, Route, Ticket

Roads = list[list[tuple[int, int]]]  # by city: (neighbor, trains)
UNREACHABLE = float("inf")


def roads(n_cities: int, routes: Sequence[Route]) -> Roads:
    """Return every way out of every city, parallel routes included."""
    out: Roads = [[] for _ in range(n_cities)]
    for route in routes:
        out[route.a].append((route.b, route.length))
        out[route.b].append((route.a, route.length))
    return out


def distances(ways: Roads, sources: Sequence[int]) -> list[float]:
    """Return the fewest trains from any of the sources to each city."""
    best = [UNREACHABLE] * len(ways)
    waiting = [(0.0, source) for source in sources]
    while waiting:
        trains, city = heapq.heappop(waiting)
        if trains >= best[city]:
            continue
        best[city] = trains
        for neighbor, length in ways[city]:
            heapq.heappush(waiting, (trains + length, neighbor))
    return best


def shortest(ways: Roads, ticket: Ticket) -> float:
    """Return the fewest trains that complete a ticket."""
    reached = distances(ways, ticket.a_cities)
    return min(reached[city] for city in ticket.b_cities)


def parts(ways: Roads) -> list[list[int]]:
    """Return the connected parts of the board as lists of cities, largest first."""
    found: list[list[int]] = []
    seen: set[int] = set()
    for city in range(len(ways)):
        if city not in seen:
            part = [other for other, trains in enumerate(distances(ways, [city])) if trains < UNREACHABLE]
            seen.update(part)
            found.append(part)
    return sorted(found, key=len, reverse=True)


def routes_on_shortest_paths(edition: Edition, ways: Roads, ticket: Ticket) -> list[int]:
    """Return the routes on any shortest path of a ticket."""
    from_a, from_b = distances(ways, ticket.a_cities), distances(ways, ticket.b_cities)
    whole = min(from_a[city] for city in ticket.b_cities)

    def is_on(route: Route) -> bool:
        there = from_a[route.a] + route.length + from_b[route.b]
        back = from_a[route.b] + route.length + from_b[route.a]
        return whole < UNREACHABLE and min(there, back) == whole

    return [row for row, route in enumerate(edition.routes) if is_on(route)]
