"""The board as a network: cities joined by connections, and what holds it together.

A country is a dead end by rule, so its spots never count as dead ends, cut cities or ends of bridges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from ttr_sim.edition.model import Edition
from ttr_sim.edition.paths import distances, roads

if TYPE_CHECKING:
    import networkx

Step = tuple[int, int, int]  # connection, from city, to city

LARGEST_REGION = 3  # a region holds at most one city in three: beyond that it is the board, not a corner of it


@dataclass(frozen=True, slots=True)
class Connection:
    """Two cities joined by one printed route or more; `length` is that of the shortest."""

    a: int
    b: int
    length: int
    routes: tuple[int, ...]
    lanes: int  # how many of its routes a full table can claim


@dataclass(frozen=True)
class RouteNetwork:
    """The connections of an edition, in the order of its groups, and the trains between all cities."""

    edition: Edition
    connections: tuple[Connection, ...]
    distances: tuple[tuple[float, ...], ...]

    @cached_property
    def steps(self) -> tuple[tuple[Step, ...], ...]:
        """Return the steps out of every city."""
        out: list[list[Step]] = [[] for _ in self.edition.cities]
        for number, connection in enumerate(self.connections):
            out[connection.a].append((number, connection.a, connection.b))
            out[connection.b].append((number, connection.b, connection.a))
        return tuple(map(tuple, out))

    def name(self, city: int) -> str:
        return self.edition.cities[city].name


@dataclass(frozen=True, slots=True)
class Shape:
    """What the loss of one connection or of one or two cities would do to the board."""

    bridges: tuple[int, ...]  # connections
    cut_cities: tuple[int, ...]
    dead_ends: tuple[int, ...]
    regions: tuple[tuple[int, ...], ...]


def network(edition: Edition) -> RouteNetwork:
    """Return the connections of an edition and the trains between all of its cities."""
    groups: dict[int, list[int]] = {}
    for row, route in enumerate(edition.routes):
        groups.setdefault(route.group, []).append(row)
    ways = roads(len(edition.cities), edition.routes)
    trains = tuple(tuple(distances(ways, [city])) for city in range(len(edition.cities)))
    return RouteNetwork(edition, tuple(_connection(edition, rows) for _, rows in sorted(groups.items())), trains)


def _connection(edition: Edition, rows: Sequence[int]) -> Connection:
    first = edition.routes[rows[0]]
    players = edition.players[1]
    lanes = 1 if players <= edition.closed_up_to_players else min(len(rows), players)
    return Connection(first.a, first.b, min(edition.routes[row].length for row in rows), tuple(rows), lanes)


def shape(net: RouteNetwork) -> Shape:
    """Return bridges, cut cities, dead ends and regions of a board."""
    import networkx

    graph = _inland(net)
    numbers = {frozenset((connection.a, connection.b)): number for number, connection in enumerate(net.connections)}
    return Shape(
        bridges=tuple(sorted(numbers[frozenset(ends)] for ends in networkx.bridges(graph))),
        cut_cities=tuple(sorted(networkx.articulation_points(graph))),
        dead_ends=tuple(city for city in sorted(graph) if len(graph[city]) == 1),
        regions=_regions(graph),
    )


def _inland(net: RouteNetwork) -> networkx.Graph:
    """Return the cities that are no country's spots, joined by their connections."""
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(row for row, city in enumerate(net.edition.cities) if city.country is None)
    graph.add_edges_from(
        (connection.a, connection.b)
        for connection in net.connections
        if connection.a in graph and connection.b in graph
    )
    return graph


def _regions(graph: networkx.Graph) -> tuple[tuple[int, ...], ...]:
    """Return the largest groups of cities that the rest of the board reaches through one or two cities only."""
    found: set[frozenset[int]] = set()
    neighbors = {city: set(graph[city]) for city in graph}
    for gates in [*combinations(sorted(graph), 1), *combinations(sorted(graph), 2)]:
        found.update(_cut_off(neighbors, set(gates)))
    largest = [region for region in found if not any(region < other for other in found)]
    return tuple(sorted(tuple(sorted(region)) for region in largest))


def _cut_off(neighbors: dict[int, set[int]], gates: set[int]) -> list[frozenset[int]]:
    """Return the small parts, of two cities and more, into which a board falls without its gates."""
    left = set(neighbors) - gates
    pieces = []
    while left:
        waiting = [left.pop()]
        piece = set(waiting)
        while waiting:
            new = neighbors[waiting.pop()] & left
            left -= new
            piece |= new
            waiting.extend(new)
        pieces.append(frozenset(piece))
    return [piece for piece in pieces if 2 <= len(piece) <= len(neighbors) / LARGEST_REGION] if len(pieces) > 1 else []
