"""The ways of a ticket: the paths that complete it with few trains more than the shortest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ttr_sim.edition.model import Ticket
from ttr_sim.edition.paths import UNREACHABLE
from ttr_sim.edition.statics.network import RouteNetwork, Step

# Trains a way may take beyond the shortest path. Not above two: a walk that turns around nowhere is a path
# without a city twice only as long as the detour is shorter than any round trip, which takes three trains.
SLACK = 2

Arrivals = Mapping[Step, Mapping[int, int]]  # number of walks that end with a step, by their trains


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways of a ticket, each counting the same."""

    trains: int | None  # of the shortest; None where no path joins the ends
    count: int
    shares: Mapping[int, float]  # share of the ways that use a connection, by its number
    shortest: frozenset[int]  # connections on a shortest path


def ways_of(net: RouteNetwork, ticket: Ticket) -> Ways:
    """Count the ways of a ticket over each connection."""
    from_a, from_b = _nearest(net, ticket.a_cities), _nearest(net, ticket.b_cities)
    fewest = min(from_a[city] for city in ticket.b_cities)
    if fewest == UNREACHABLE:
        return Ways(None, 0, {}, frozenset())
    most = int(fewest) + SLACK
    ahead = _arrivals(net, ticket.a_cities, from_b, most)
    back = _arrivals(net, ticket.b_cities, from_a, most)
    through: dict[int, int] = defaultdict(int)
    for (connection, source, target), walks in ahead.items():
        onward = back.get((connection, target, source), {})
        through[connection] += _joined(walks, onward, most + net.connections[connection].length)
    count = sum(sum(walks.values()) for (_, _, target), walks in ahead.items() if target in ticket.b_cities)
    shares = {connection: number / count for connection, number in through.items() if number}
    return Ways(int(fewest), count, shares, _on_shortest(net, from_a, from_b, fewest))


def _nearest(net: RouteNetwork, cities: Sequence[int]) -> list[float]:
    """Return the fewest trains from any of the cities to each city."""
    return [min(trains) for trains in zip(*(net.distances[city] for city in cities), strict=True)]


def _arrivals(net: RouteNetwork, sources: Sequence[int], onward: Sequence[float], most: int) -> Arrivals:
    """Count walks from the sources that can still reach the other end in time and never turn around."""
    by_trains: list[dict[Step, int]] = [defaultdict(int) for _ in range(most + 1)]

    def extend(city: int, trains: int, last: int | None, walks: int) -> None:
        for step in net.steps[city]:
            reached = trains + net.connections[step[0]].length
            if step[0] != last and reached + onward[step[2]] <= most:
                by_trains[reached][step] += walks

    for source in sources:
        extend(source, 0, None, 1)
    for trains, arrived in enumerate(by_trains):
        for step, walks in arrived.items():
            extend(step[2], trains, step[0], walks)
    arrivals: dict[Step, dict[int, int]] = defaultdict(dict)
    for trains, arrived in enumerate(by_trains):
        for step, walks in arrived.items():
            arrivals[step][trains] = walks
    return arrivals


def _joined(walks: Mapping[int, int], onward: Mapping[int, int], most: int) -> int:
    """Count pairs of walks from both ends that share one step and together take at most so many trains."""
    return sum(
        here * there for trains, here in walks.items() for further, there in onward.items() if trains + further <= most
    )


def _on_shortest(net: RouteNetwork, from_a: Sequence[float], from_b: Sequence[float], fewest: float) -> frozenset[int]:
    return frozenset(
        number
        for number, connection in enumerate(net.connections)
        if connection.length
        + min(from_a[connection.a] + from_b[connection.b], from_a[connection.b] + from_b[connection.a])
        == fewest
    )
