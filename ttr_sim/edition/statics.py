"""Statics: load, shape, tickets and colors of a board, measured from the edition alone.

One list of measures stands behind `show`, `check`, docs and pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from itertools import combinations
from math import fsum, hypot
from statistics import fmean
from typing import Any

from ttr_sim.edition.canonical import color_name
from ttr_sim.edition.load import load_edition, official_names
from ttr_sim.edition.map_tables import GRAY
from ttr_sim.edition.model import City, Edition
from ttr_sim.edition.network import (
    UNREACHABLE,
    RouteNetwork,
    Shape,
    Ways,
    city_graph,
    distances,
    fewest_trains,
    network,
    routes_on_shortest_paths,
    shape,
    ways_of,
)

Facts = dict[str, Any]

CROWDED = 1.5  # times the mean load per lane
NEAR_DUPLICATE = 0.5  # of the trains of two tickets' ways in common
GRAY_ROUTES = (None, GRAY, None)
ROUTES, TICKETS = "routes.csv", "tickets.csv"  # where a designer would change a measure


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
        for (first, one), (second, other) in combinations(enumerate(shares), 2):
            common = fsum(lengths[number] * min(one[number], other[number]) for number in one.keys() & other.keys())
            both = trains[first] + trains[second]
            pairs.append(TicketPair(first, second, common / (both - common) if both else 0.0))
        return tuple(pairs)

    @property
    def near_duplicates(self) -> list[TicketPair]:
        """Pairs of tickets that ask for nearly the same, the most alike first."""
        return sorted((pair for pair in self.pairs if pair.overlap >= NEAR_DUPLICATE), key=lambda pair: -pair.overlap)

    def tickets_wanting(self, route: int) -> list[tuple[int, float]]:
        """Tickets with a way over a route and the share of their ways, largest first."""
        connection = self.edition.routes[route].group
        wanting = [(row, ways.shares[connection]) for row, ways in enumerate(self.ways) if connection in ways.shares]
        return sorted(wanting, key=lambda ticket: -ticket[1])


def statics(edition: Edition) -> Statics:
    """Measure a board from its edition alone."""
    net = network(edition)
    ways = tuple(ways_of(net, ticket) for ticket in edition.tickets)
    place = {city.name: city.country or city.name for city in edition.cities}  # a country is one place
    place |= {name: name for name in place.values()}
    named = Counter(place[end] for ticket in edition.tickets for end in (ticket.a, ticket.b))

    chances = chances_of_a_deal(edition)
    wanted = [
        fsum(chance * way.shares.get(number, 0.0) for chance, way in zip(chances, ways, strict=True))
        for number in range(len(net.connections))
    ]
    per_lane = [tickets / connection.lanes for tickets, connection in zip(wanted, net.connections, strict=True)]
    # fsum, because sums in another order of lines must agree to the last bit.
    threshold = CROWDED * fsum(per_lane) / len(per_lane)
    needed = {number for way in ways for number in way.shortest}
    loads = tuple(
        Load(tickets, load, 0 < threshold <= load, number in needed)
        for number, (tickets, load) in enumerate(zip(wanted, per_lane, strict=True))
    )
    return Statics(net, ways, loads, {name: named[name] for name in dict.fromkeys(place.values())})


def chances_of_a_deal(edition: Edition) -> list[float]:
    """Chance of each ticket to be dealt to a player at setup with the most players."""
    players = edition.players[1]
    if edition.ticket_rules.mix:  # players choose the decks: every ticket counts the same
        return [players * edition.ticket_rules.deal_total / len(edition.tickets)] * len(edition.tickets)
    sizes = Counter(ticket.deck for ticket in edition.tickets)
    return [players * edition.decks[ticket.deck].deal / sizes[ticket.deck] for ticket in edition.tickets]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number about a board, with the lowest and highest of the official ones."""

    name: str
    unit: str
    file: str  # in which a designer would change it
    definition: str
    value: float | None = None
    low: float | None = None
    high: float | None = None

    def beyond(self, share: float) -> bool:
        """Check whether the value lies outside the range by more than a share of its width."""
        if self.value is None or self.low is None or self.high is None:
            return False
        margin = share * (self.high - self.low)
        return not self.low - margin <= self.value <= self.high + margin


def read_measures() -> tuple[Measure, ...]:
    """Read measures.txt: name, unit, file and definition of each."""
    table = (files("ttr_sim.edition") / "measures.txt").read_text(encoding="utf-8")
    table = table.format(CROWDED=CROWDED, NEAR_DUPLICATE=f"{NEAR_DUPLICATE:.0%}")
    measures = []
    for line in table.splitlines():
        name, unit, file, definition = (cell.strip() for cell in line.split("|"))
        measures.append(Measure(name, unit, file, definition))
    return tuple(measures)


MEASURES = read_measures()


def values_of(board: Statics) -> dict[str, float | None]:
    """Values of all measures by name. None where a measure does not apply."""
    loads, connections, weak = board.loads, board.net.connections, board.shape
    double = [load.tickets for load, each in zip(loads, connections, strict=True) if len(each.routes) > 1]
    single = [load.tickets for load, each in zip(loads, connections, strict=True) if len(each.routes) == 1]
    crowded = sum(load.crowded for load in loads)
    return {
        "crowded connections": crowded,
        "share of crowded connections": _percent(crowded, len(loads)),
        "load": fmean(load.per_lane for load in loads),
        "heaviest load": max(load.per_lane for load in loads),
        "unneeded connections": _percent(sum(not load.needed for load in loads), len(loads)),
        "double to single": fmean(double) / fmean(single) if double and single and fsum(single) else None,
        "bridges": len(weak.bridges),
        "cut cities": len(weak.cut_cities),
        "dead ends": len(weak.dead_ends),
        "regions": len(weak.regions),
        **ticket_values(board),
        **color_values(board.edition),
    }


def ticket_values(board: Statics) -> dict[str, float | None]:
    exact = sum(ticket.points == ways.trains for ticket, ways in zip(board.edition.tickets, board.ways, strict=True))
    named = board.tickets_by_place
    spots: dict[str, list[City]] = {}
    for city in board.edition.cities:
        spots.setdefault(city.country or city.name, []).append(city)
    # A country is in the middle of its spots.
    at = {place: (fmean(city.x for city in here), fmean(city.y for city in here)) for place, here in spots.items()}
    middle_x, middle_y = (fmean(axis) for axis in zip(*at.values(), strict=True))
    away = {place: hypot(x - middle_x, y - middle_y) for place, (x, y) in at.items()}
    ends = sum(named.values())
    of_ends = fsum(away[place] * times for place, times in named.items()) / ends if ends else 0.0
    return {
        "worth their path": None if board.edition.is_race else _percent(exact, len(board.ways)),
        "near-duplicates": _percent(len(board.near_duplicates), len(board.pairs)),
        "overlap": 100 * fmean(pair.overlap for pair in board.pairs) if board.pairs else None,
        "tickets per place": fmean(named.values()),
        "most at one place": max(named.values()),
        "places without": _percent(sum(not times for times in named.values()), len(named)),
        "spread": _percent(of_ends, fmean(away.values())) if ends else None,
    }


def color_values(edition: Edition) -> dict[str, float | None]:
    spaces = Counter[int | None]()
    for route in edition.routes:
        spaces[route.color] += route.length
    of_colors = [spaces[number] for number in range(len(edition.colors))]
    cards = [color.cards for color in edition.colors]
    supply = [supplied / wanted for supplied, wanted in zip(cards, of_colors, strict=True) if wanted]
    return {
        "gray spaces": _percent(spaces[None], spaces.total()),
        "fullest color": max(of_colors) / fmean(of_colors) if any(of_colors) else None,
        "cards per space": (edition.wilds + sum(cards)) / spaces.total(),
        "scarcest color": min(supply, default=None),
    }


def _percent(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def measured(board: Statics, *, among_others: bool = True) -> list[Measure]:
    """Compare all measures with the official boards. `among_others`: an official board not with itself."""
    # A variant or renamed copy of an official board is recognized by its content.
    own = board.edition.fingerprint if among_others else ""
    others = [values for fingerprint, values in official_values() if fingerprint != own]
    values = values_of(board)
    rows = []
    for measure in MEASURES:
        known = [value for other in others if (value := other[measure.name]) is not None]
        low, high = min(known, default=None), max(known, default=None)
        rows.append(replace(measure, value=values[measure.name], low=low, high=high))
    return rows


@cache
def official_values() -> tuple[tuple[str, dict[str, float | None]], ...]:
    """Fingerprint and measures of each official board."""
    boards = [statics(load_edition(name)) for name in official_names()]
    return tuple((board.edition.fingerprint, values_of(board)) for board in boards)


def shown(value: float | None, unit: str = "") -> str:
    """Format a value in three digits with its unit."""
    return "-" if value is None else f"{value:.3g} {unit}".rstrip()


def describe(edition: Edition) -> dict[str, Any]:
    """Numbers of a board under the keys of `show --json`."""
    colors: list[Facts] = []
    for number, name, cards in (*((n, color.name, color.cards) for n, color in enumerate(edition.colors)), GRAY_ROUTES):
        lengths = Counter(route.length for route in edition.routes if route.color == number)
        spaces = sum(length * routes for length, routes in lengths.items())
        row: Facts = {"color": name, "cards": cards, "routes": lengths.total(), "spaces": spaces}
        colors.append({**row, "by_length": dict(sorted(lengths.items()))})
    decks: list[Facts] = []
    for number, deck in enumerate(edition.decks):
        points = [ticket.points for ticket in edition.tickets if ticket.deck == number] or [0]
        row = {"deck": deck.name, "tickets": sum(ticket.deck == number for ticket in edition.tickets)}
        row |= {"points": sum(points), "lowest": min(points), "highest": max(points), "mean": fmean(points)}
        decks.append(row)
    used = Counter(row for ticket in edition.tickets for row in routes_on_shortest_paths(edition, ticket))
    routes: list[Facts] = []
    for number, route in enumerate(edition.routes):
        row = {"from": edition.cities[route.a].name, "to": edition.cities[route.b].name, "length": route.length}
        routes.append({**row, "color": color_name(edition, route), "kind": route.kind, "tickets": used[number]})
    tickets: list[Facts] = []
    for ticket in edition.tickets:
        trains = fewest_trains(edition, ticket)
        row = {"from": ticket.a, "to": ticket.b, "deck": edition.decks[ticket.deck].name, "points": ticket.points}
        tickets.append({**row, "trains": None if trains == UNREACHABLE else int(trains)})
    size, cities = size_of(edition), describe_cities(edition)
    return {"size": size, "colors": colors, "decks": decks, "cities": cities, "routes": routes, "tickets": tickets}


def size_of(edition: Edition) -> Facts:
    import networkx

    in_group = Counter(Counter(route.group for route in edition.routes).values())
    kinds = Counter(route.kind for route in edition.routes)
    longest = max(max(trains) for trains in distances(edition))
    graph = city_graph(len(edition.cities), edition.routes)
    return {
        "cities": sum(city.country is None for city in edition.cities),
        "spots": sum(city.country is not None for city in edition.cities),
        "countries": len({city.country for city in edition.cities if city.country}),
        "routes": len(edition.routes),
        "groups": sum(in_group.values()),  # a double route is two routes in one group
        "doubles": in_group[2],
        "triples": in_group[3],
        "spaces": sum(route.length for route in edition.routes),
        "tunnels": kinds["tunnel"],
        "ferries": kinds["ferry"],
        "locomotives": sum(route.locomotives for route in edition.routes),
        "merchandise": sum(route.merchandise for route in edition.routes),
        "tickets": len(edition.tickets),
        "ticket_points": sum(ticket.points for ticket in edition.tickets),
        "passengers": sum(city.passengers for city in edition.cities),
        "attractions": sum(city.attraction for city in edition.cities),
        "districts": len(edition.districts.points) if edition.districts else 0,
        "parts": networkx.number_connected_components(graph),
        "diameter": None if longest == UNREACHABLE else int(longest),
    }


def describe_cities(edition: Edition) -> list[Facts]:
    import networkx

    graph = city_graph(len(edition.cities), edition.routes)
    # Share of all shortest paths between two other cities that run through a city.
    between = networkx.betweenness_centrality(graph, weight="length")
    cut = shape(network(edition)).cut_cities
    ends = Counter(city for ticket in edition.tickets for city in {*ticket.a_cities, *ticket.b_cities})
    touching = Counter(city for route in edition.routes for city in (route.a, route.b))
    rows: list[Facts] = []
    for row, city in enumerate(edition.cities):
        degree = {"routes": touching[row], "neighbors": len(graph[row])}
        weight = {"tickets": ends[row], "betweenness": between[row], "articulation": row in cut}
        rows.append({"city": city.name, **degree, **weight})
    return rows
