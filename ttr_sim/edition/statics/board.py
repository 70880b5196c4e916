"""The statics of a board: what a page or a command says about it before a game is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import fsum

from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics.network import RouteNetwork, Shape, network, shape
from ttr_sim.edition.statics.ways import Ways, ways_of

CROWDED = 1.5  # times the mean load per lane
NEAR_DUPLICATE = 0.5  # of the trains of two tickets' ways in common


@dataclass(frozen=True, slots=True)
class Load:
    """How many tickets of a full table are expected to want a connection."""

    tickets: float
    per_lane: float
    crowded: bool
    needed: bool  # on a shortest path of some ticket


@dataclass(frozen=True, slots=True)
class TicketPair:
    """Two tickets by row number, and the share of the trains of their ways that they have in common."""

    first: int
    second: int
    overlap: float


@dataclass(frozen=True)
class Statics:
    """A board before anyone plays: a load for each connection, ways for each ticket, every pair of tickets."""

    net: RouteNetwork
    ways: tuple[Ways, ...]
    loads: tuple[Load, ...]
    tickets_by_place: Mapping[str, int]

    @property
    def edition(self) -> Edition:
        return self.net.edition

    @cached_property
    def shape(self) -> Shape:
        return shape(self.net)

    @cached_property
    def pairs(self) -> tuple[TicketPair, ...]:
        trains = [fsum(self._length(number) * share for number, share in ways.shares.items()) for ways in self.ways]
        return tuple(
            TicketPair(first, second, self._overlap(first, second, trains[first] + trains[second]))
            for first, second in combinations(range(len(self.ways)), 2)
        )

    def _overlap(self, first: int, second: int, both: float) -> float:
        """Return the trains that two tickets' ways have in common over those of both."""
        one, other = self.ways[first].shares, self.ways[second].shares
        common = fsum(self._length(number) * min(one[number], other[number]) for number in one.keys() & other.keys())
        return common / (both - common) if both else 0.0

    def _length(self, connection: int) -> int:
        return self.net.connections[connection].length

    @property
    def near_duplicates(self) -> list[TicketPair]:
        """Return the pairs of tickets that ask for nearly the same, the most alike first."""
        return sorted((pair for pair in self.pairs if pair.overlap >= NEAR_DUPLICATE), key=lambda pair: -pair.overlap)

    def connection_of(self, route: int) -> int:
        """Return the number of the connection that a route is a lane of."""
        return self.edition.routes[route].group

    def tickets_wanting(self, route: int) -> list[tuple[int, float]]:
        """Return the tickets with a way over a route, each with the share of its ways, the keenest first."""
        connection = self.connection_of(route)
        wanting = [(row, ways.shares[connection]) for row, ways in enumerate(self.ways) if connection in ways.shares]
        return sorted(wanting, key=lambda ticket: -ticket[1])


def statics(edition: Edition) -> Statics:
    """Measure a board from its edition alone."""
    net = network(edition)
    ways = tuple(ways_of(net, ticket) for ticket in edition.tickets)
    return Statics(net, ways, _loads(net, ways), _tickets_by_place(edition))


def chances_of_a_deal(edition: Edition) -> list[float]:
    """Return for each ticket the chance that setup with the most players deals it to one of them."""
    players = edition.players[1]
    if edition.ticket_rules.mix:  # players choose the decks: every ticket counts the same
        return [players * edition.ticket_rules.deal_total / len(edition.tickets)] * len(edition.tickets)
    sizes = Counter(ticket.deck for ticket in edition.tickets)
    return [players * edition.decks[ticket.deck].deal / sizes[ticket.deck] for ticket in edition.tickets]


def _loads(net: RouteNetwork, ways: Sequence[Ways]) -> tuple[Load, ...]:
    chances = chances_of_a_deal(net.edition)
    wanted = [
        fsum(chance * way.shares.get(number, 0.0) for chance, way in zip(chances, ways, strict=True))
        for number in range(len(net.connections))
    ]
    per_lane = [tickets / connection.lanes for tickets, connection in zip(wanted, net.connections, strict=True)]
    threshold = CROWDED * fsum(per_lane) / len(per_lane)
    needed = {number for way in ways for number in way.shortest}
    return tuple(
        Load(tickets, load, 0 < threshold <= load, number in needed)
        for number, (tickets, load) in enumerate(zip(wanted, per_lane, strict=True))
    )


def places(edition: Edition) -> dict[str, str]:
    """Return the place of every city's and country's name: a country is one place with all of its spots."""
    by_city = {city.name: city.country or city.name for city in edition.cities}
    return {**by_city, **{place: place for place in by_city.values()}}


def _tickets_by_place(edition: Edition) -> dict[str, int]:
    place = places(edition)
    named = Counter(place[end] for ticket in edition.tickets for end in (ticket.a, ticket.b))
    return {name: named[name] for name in dict.fromkeys(place.values())}
