"""The numbers of a board: a map in counts and sums, before a game is played."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ttr_sim.edition.canonical import color_name
from ttr_sim.edition.map_tables import GRAY
from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics.network import (
    UNREACHABLE,
    city_graph,
    distances,
    fewest_trains,
    network,
    routes_on_shortest_paths,
    shape,
)


@dataclass(frozen=True, slots=True)
class BoardSize:
    """Counts of all there is on the board; a double route is two routes in one group."""

    cities: int
    spots: int
    countries: int
    routes: int
    groups: int
    doubles: int
    triples: int
    spaces: int
    tunnels: int
    ferries: int
    locomotives: int
    merchandise: int
    tickets: int
    ticket_points: int
    passengers: int
    parts: int
    diameter: int | None


@dataclass(frozen=True, slots=True)
class ColorFacts:
    """The routes of a color, counted by length."""

    color: str
    cards: int | None
    routes: int
    spaces: int
    by_length: dict[int, int]


@dataclass(frozen=True, slots=True)
class DeckFacts:
    deck: str
    tickets: int
    points: int
    lowest: int
    highest: int
    mean: float


@dataclass(frozen=True, slots=True)
class CityFacts:
    """`betweenness`: share of all shortest paths between two other cities that run through it;
    `articulation`: without it, other cities could not reach each other."""

    city: str
    routes: int
    neighbors: int
    tickets: int
    betweenness: float
    articulation: bool


@dataclass(frozen=True, slots=True)
class RouteFacts:
    """`tickets`: the number of tickets with the route on a shortest path."""

    source: str
    target: str
    length: int
    color: str
    kind: str
    tickets: int


@dataclass(frozen=True, slots=True)
class TicketFacts:
    source: str
    target: str
    deck: str
    points: int
    trains: int | None


@dataclass(frozen=True, slots=True)
class Description:
    size: BoardSize
    colors: tuple[ColorFacts, ...]
    decks: tuple[DeckFacts, ...]
    cities: tuple[CityFacts, ...]
    routes: tuple[RouteFacts, ...]
    tickets: tuple[TicketFacts, ...]


def describe(edition: Edition) -> Description:
    return Description(
        _size(edition),
        tuple(_colors(edition)),
        tuple(_decks(edition)),
        tuple(_cities(edition)),
        tuple(_routes(edition)),
        tuple(_tickets(edition)),
    )


def _size(edition: Edition) -> BoardSize:
    import networkx

    in_group = Counter(Counter(route.group for route in edition.routes).values())
    kinds = Counter(route.kind for route in edition.routes)
    longest = max(max(trains) for trains in distances(edition))
    graph = city_graph(len(edition.cities), edition.routes)
    return BoardSize(
        cities=sum(city.country is None for city in edition.cities),
        spots=sum(city.country is not None for city in edition.cities),
        countries=len({city.country for city in edition.cities if city.country}),
        routes=len(edition.routes),
        groups=sum(in_group.values()),
        doubles=in_group[2],
        triples=in_group[3],
        spaces=sum(route.length for route in edition.routes),
        tunnels=kinds["tunnel"],
        ferries=kinds["ferry"],
        locomotives=sum(route.locomotives for route in edition.routes),
        merchandise=sum(route.merchandise for route in edition.routes),
        tickets=len(edition.tickets),
        ticket_points=sum(ticket.points for ticket in edition.tickets),
        passengers=sum(city.passengers for city in edition.cities),
        parts=networkx.number_connected_components(graph),
        diameter=None if longest == UNREACHABLE else int(longest),
    )


def _colors(edition: Edition) -> list[ColorFacts]:
    colors: list[tuple[int | None, str, int | None]] = [
        (number, color.name, color.cards) for number, color in enumerate(edition.colors)
    ]
    rows = []
    for number, name, cards in [*colors, (None, GRAY, None)]:
        lengths = Counter(route.length for route in edition.routes if route.color == number)
        spaces = sum(length * routes for length, routes in lengths.items())
        rows.append(ColorFacts(name, cards, lengths.total(), spaces, dict(sorted(lengths.items()))))
    return rows


def _decks(edition: Edition) -> list[DeckFacts]:
    rows = []
    for number, deck in enumerate(edition.decks):
        points = [ticket.points for ticket in edition.tickets if ticket.deck == number] or [0]
        count = sum(ticket.deck == number for ticket in edition.tickets)
        rows.append(DeckFacts(deck.name, count, sum(points), min(points), max(points), sum(points) / len(points)))
    return rows


def _cities(edition: Edition) -> list[CityFacts]:
    import networkx

    graph = city_graph(len(edition.cities), edition.routes)
    between = networkx.betweenness_centrality(graph, weight="length")
    cut = shape(network(edition)).cut_cities
    ends = Counter(city for ticket in edition.tickets for city in {*ticket.a_cities, *ticket.b_cities})
    touching = Counter(city for route in edition.routes for city in (route.a, route.b))
    return [
        CityFacts(city.name, touching[row], len(graph[row]), ends[row], between[row], row in cut)
        for row, city in enumerate(edition.cities)
    ]


def _routes(edition: Edition) -> list[RouteFacts]:
    used = Counter(row for ticket in edition.tickets for row in routes_on_shortest_paths(edition, ticket))
    names = [city.name for city in edition.cities]
    return [
        RouteFacts(names[route.a], names[route.b], route.length, color_name(edition, route), route.kind, used[row])
        for row, route in enumerate(edition.routes)
    ]


def _tickets(edition: Edition) -> list[TicketFacts]:
    rows = []
    for ticket in edition.tickets:
        trains = fewest_trains(edition, ticket)
        fewest = None if trains == UNREACHABLE else int(trains)
        rows.append(TicketFacts(ticket.a, ticket.b, edition.decks[ticket.deck].name, ticket.points, fewest))
    return rows
