"""The board as a network: connections between cities, shortest paths, ways of tickets, and weak spots.

A country's spot touches one city only, so no path runs through a country.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from ttr_sim.edition.model import Edition, Route, Ticket

if TYPE_CHECKING:
    import networkx

Distances = tuple[tuple[float, ...], ...]  # fewest trains between two cities

UNREACHABLE = float("inf")
LARGEST_REGION = 3  # a region holds at most one city in three: beyond that it is the board, not a corner of it

# Trains a way may take beyond the shortest path. Not above two: a walk that never turns around is a path without
# a repeated city only as long as the detour is shorter than any round trip, which takes three trains.
SLACK = 2


@dataclass(frozen=True, slots=True)
class Connection:
    """Two cities joined by one printed route or more. `length` is that of the shortest."""

    a: int
    b: int
    length: int
    routes: tuple[int, ...]
    lanes: int  # how many of its routes a full table can claim


@dataclass(frozen=True)
class RouteNetwork:
    """The connections of an edition, in the order of its route groups."""

    edition: Edition
    connections: tuple[Connection, ...]

    @cached_property
    def steps(self) -> list[list[tuple[int, int]]]:
        """Connections out of every city, each with the neighbor it leads to."""
        out: list[list[tuple[int, int]]] = [[] for _ in self.edition.cities]
        for number, connection in enumerate(self.connections):
            out[connection.a].append((number, connection.b))
            out[connection.b].append((number, connection.a))
        return out

    def name(self, city: int) -> str:
        return self.edition.cities[city].name


@dataclass(frozen=True, slots=True)
class Shape:
    """Weak spots: losing one connection, or one or two cities, would cut the board."""

    bridges: tuple[int, ...]  # connections
    cut_cities: tuple[int, ...]
    dead_ends: tuple[int, ...]
    regions: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways of a ticket: its paths of at most SLACK trains more than the shortest, each counting the same."""

    trains: int | None  # of the shortest; None where no path joins the ends
    count: int
    shares: Mapping[int, float]  # share of the ways that use a connection, by its number
    shortest: frozenset[int]  # connections on a shortest path


def network(edition: Edition) -> RouteNetwork:
    """Join the routes of an edition into connections."""
    groups: dict[int, list[int]] = {}
    for row, route in enumerate(edition.routes):
        groups.setdefault(route.group, []).append(row)
    players = edition.players[1]
    connections = []
    for _, rows in sorted(groups.items()):
        first = edition.routes[rows[0]]
        length = min(edition.routes[row].length for row in rows)
        # Where parallel routes close for a full table, a connection can be claimed once.
        lanes = 1 if players <= edition.closed_up_to_players else min(len(rows), players)
        connections.append(Connection(first.a, first.b, length, tuple(rows), lanes))
    return RouteNetwork(edition, tuple(connections))


def city_graph(n_cities: int, routes: Sequence[Route]) -> networkx.Graph:
    """Graph of the cities with the `length` of the shortest route between neighbors."""
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(n_cities))
    for route in sorted(routes, key=lambda route: -route.length):  # the last edge of a pair stays
        graph.add_edge(route.a, route.b, length=route.length)
    return graph


def distances(edition: Edition) -> Distances:
    """Fewest trains between all cities. Infinite where no path joins them."""
    return _distances(len(edition.cities), edition.routes)


@lru_cache(maxsize=16)  # every measure and table of a report asks for them
def _distances(n_cities: int, routes: tuple[Route, ...]) -> Distances:
    import networkx

    reached = dict(networkx.all_pairs_dijkstra_path_length(city_graph(n_cities, routes), weight="length"))
    cities = range(n_cities)
    return tuple(tuple(float(reached[a].get(b, UNREACHABLE)) for b in cities) for a in cities)


def trains_from(edition: Edition, sources: Sequence[int]) -> list[float]:
    """Fewest trains from any of the sources to each city."""
    between = distances(edition)
    return [min(between[source][city] for source in sources) for city in range(len(edition.cities))]


def fewest_trains(edition: Edition, ticket: Ticket) -> float:
    """Fewest trains that complete a ticket."""
    reached = trains_from(edition, ticket.a_cities)
    return min(reached[city] for city in ticket.b_cities)


def routes_on_shortest_paths(edition: Edition, ticket: Ticket) -> list[int]:
    """Rows of the routes on any shortest path of a ticket."""
    from_a, from_b = trains_from(edition, ticket.a_cities), trains_from(edition, ticket.b_cities)
    fewest = min(from_a[city] for city in ticket.b_cities)
    rows = []
    for row, route in enumerate(edition.routes):
        beyond = min(from_a[route.a] + from_b[route.b], from_a[route.b] + from_b[route.a])
        if beyond + route.length == fewest < UNREACHABLE:
            rows.append(row)
    return rows


def ways_of(net: RouteNetwork, ticket: Ticket) -> Ways:
    """Count the ways of a ticket over each connection."""
    from_b = trains_from(net.edition, ticket.b_cities)
    fewest = min(from_b[city] for city in ticket.a_cities)
    if fewest == UNREACHABLE:
        return Ways(None, 0, {}, frozenset())

    # Kept by city, trains and last connection, because listing the paths of a dense map would take minutes.
    @cache
    def onward(city: int, trains: int, last: int) -> tuple[int, Counter[int]]:
        """Number of ways on to the other end, and how many of them use each connection."""
        if city in ticket.b_cities:
            return 1, Counter()
        count, uses = 0, Counter[int]()
        for connection, neighbor in net.steps[city]:
            left = trains - net.connections[connection].length
            if connection != last and left >= from_b[neighbor]:
                ways, further = onward(neighbor, left, connection)
                count += ways
                uses.update(further)
                uses[connection] += ways
        return count, uses

    starts = [onward(city, int(fewest) + SLACK, -1) for city in ticket.a_cities]
    count = sum(ways for ways, _ in starts)
    uses = sum((used for _, used in starts), Counter[int]())
    groups = (net.edition.routes[row].group for row in routes_on_shortest_paths(net.edition, ticket))
    shares = {connection: number / count for connection, number in sorted(uses.items())}
    return Ways(int(fewest), count, shares, frozenset(groups))


def shape(net: RouteNetwork) -> Shape:
    """Find bridges, cut cities, dead ends and regions of a board, without the spots of countries."""
    import networkx

    # A country is a dead end by rule, so its spots would only hide the cities that are weak spots.
    cities = [row for row, city in enumerate(net.edition.cities) if city.country is None]
    graph = city_graph(len(net.edition.cities), net.edition.routes).subgraph(cities)
    # Regions are the largest groups of cities that the rest reaches through one or two cities only.
    regions: set[frozenset[int]] = set()
    for first in graph:
        rest = graph.subgraph(set(graph) - {first}).copy()
        divisions = [list(networkx.connected_components(rest))]
        # A second city divides a connected rest only where it is an articulation point.
        for second in list(rest) if len(divisions[0]) > 1 else list(networkx.articulation_points(rest)):
            divisions.append(list(networkx.connected_components(rest.subgraph(set(rest) - {second}))))
        for parts in divisions:
            if len(parts) > 1:
                regions.update(frozenset(part) for part in parts if 2 <= len(part) <= len(graph) / LARGEST_REGION)
    # A region within a larger one adds nothing.
    largest = [region for region in regions if not any(region < other for other in regions)]
    # Parallel routes are one edge of the graph: a double route may be a bridge, too.
    numbers = {frozenset((connection.a, connection.b)): number for number, connection in enumerate(net.connections)}
    return Shape(
        bridges=tuple(sorted(numbers[frozenset(ends)] for ends in networkx.bridges(graph))),
        cut_cities=tuple(sorted(networkx.articulation_points(graph))),
        dead_ends=tuple(city for city in cities if len(graph[city]) == 1),
        regions=tuple(sorted(tuple(sorted(region)) for region in largest)),
    )
