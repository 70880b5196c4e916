"""Loads of connections and overlaps of tickets, before a game is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import fsum

from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics.network import RouteNetwork, Shape, Ways, network, shape, ways_of

CROWDED = 1.5  # times the mean load per lane
NEAR_DUPLICATE = 0.5  # of the trains of two tickets' ways in common


@dataclass(frozen=True, slots=True)
class Load:
    """Tickets of a full table that are expected to ask for a connection."""

    tickets: float
    per_lane: float
    crowded: bool
    needed: bool  # on a shortest path of some ticket


@dataclass(frozen=True, slots=True)
class TicketPair:
    """Two tickets by row, and the share of the trains of their ways that they have in common."""

    first: int
    second: int
    overlap: float


@dataclass(frozen=True)
class Statics:
    """A load for each connection, ways for each ticket, and the number of tickets at each place."""

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
        lengths = [connection.length for connection in self.net.connections]
        shares = [ways.shares for ways in self.ways]
        trains = [fsum(lengths[number] * share for number, share in of_ticket.items()) for of_ticket in shares]
        pairs = []
        for first, second in combinations(range(len(shares)), 2):
            one, other = shares[first], shares[second]
            common = fsum(lengths[number] * min(one[number], other[number]) for number in one.keys() & other.keys())
            both = trains[first] + trains[second]
            pairs.append(TicketPair(first, second, common / (both - common) if both else 0.0))
        return tuple(pairs)

    @property
    def near_duplicates(self) -> list[TicketPair]:
        """Pairs of tickets that ask for nearly the same, the most alike first."""
        return sorted((pair for pair in self.pairs if pair.overlap >= NEAR_DUPLICATE), key=lambda pair: -pair.overlap)

    def connection_of(self, route: int) -> int:
        return self.edition.routes[route].group

    def tickets_wanting(self, route: int) -> list[tuple[int, float]]:
        """Tickets with a way over a route and the share of their ways, largest first."""
        connection = self.connection_of(route)
        wanting = [(row, ways.shares[connection]) for row, ways in enumerate(self.ways) if connection in ways.shares]
        return sorted(wanting, key=lambda ticket: -ticket[1])


def statics(edition: Edition) -> Statics:
    """Measure a board from its edition alone."""
    net = network(edition)
    ways = tuple(ways_of(net, ticket) for ticket in edition.tickets)
    place = {city.name: city.country or city.name for city in edition.cities}  # a country is one place
    place |= {name: name for name in place.values()}
    named = Counter(place[end] for ticket in edition.tickets for end in (ticket.a, ticket.b))
    by_place = {name: named[name] for name in dict.fromkeys(place.values())}
    return Statics(net, ways, _loads(net, ways), by_place)


def chances_of_a_deal(edition: Edition) -> list[float]:
    """Chance of each ticket to be dealt to a player at setup with the most players."""
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
    # fsum, because sums in another order of lines must agree to the last bit.
    threshold = CROWDED * fsum(per_lane) / len(per_lane)
    needed = {number for way in ways for number in way.shortest}
    return tuple(
        Load(tickets, load, 0 < threshold <= load, number in needed)
        for number, (tickets, load) in enumerate(zip(wanted, per_lane, strict=True))
    )
