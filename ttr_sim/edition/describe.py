"""The numbers of a board: a map in counts and sums, before a game is played."""

from __future__ import annotations

from collections import Counter
from typing import Any

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

Facts = dict[str, Any]


def describe(edition: Edition) -> dict[str, Any]:
    """Numbers of a board under the keys of `show --json`."""
    return {
        "size": _size(edition),
        "colors": _colors(edition),
        "decks": _decks(edition),
        "cities": _cities(edition),
        "routes": _routes(edition),
        "tickets": _tickets(edition),
    }


def _size(edition: Edition) -> Facts:
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
        "parts": networkx.number_connected_components(graph),
        "diameter": None if longest == UNREACHABLE else int(longest),
    }


def _colors(edition: Edition) -> list[Facts]:
    cards: dict[int | None, tuple[str, int | None]] = {
        number: (color.name, color.cards) for number, color in enumerate(edition.colors)
    }
    cards[None] = (GRAY, None)
    rows: list[Facts] = []
    for number, (name, count) in cards.items():
        lengths = Counter(route.length for route in edition.routes if route.color == number)
        spaces = sum(length * routes for length, routes in lengths.items())
        row = {"color": name, "cards": count, "routes": lengths.total(), "spaces": spaces}
        rows.append({**row, "by_length": dict(sorted(lengths.items()))})
    return rows


def _decks(edition: Edition) -> list[Facts]:
    rows: list[Facts] = []
    for number, deck in enumerate(edition.decks):
        points = [ticket.points for ticket in edition.tickets if ticket.deck == number]
        total, count = sum(points), len(points)
        low, high = min(points, default=0), max(points, default=0)
        row = {"deck": deck.name, "tickets": count, "points": total, "lowest": low, "highest": high}
        rows.append({**row, "mean": total / max(count, 1)})
    return rows


def _cities(edition: Edition) -> list[Facts]:
    import networkx

    graph = city_graph(len(edition.cities), edition.routes)
    # Share of all shortest paths between two other cities that run through a city.
    between = networkx.betweenness_centrality(graph, weight="length")
    cut = shape(network(edition)).cut_cities
    ends = Counter(city for ticket in edition.tickets for city in {*ticket.a_cities, *ticket.b_cities})
    touching = Counter(city for route in edition.routes for city in (route.a, route.b))
    return [
        {
            "city": city.name,
            "routes": touching[row],
            "neighbors": len(graph[row]),
            "tickets": ends[row],
            "betweenness": between[row],
            "articulation": row in cut,
        }
        for row, city in enumerate(edition.cities)
    ]


def _routes(edition: Edition) -> list[Facts]:
    used = Counter(row for ticket in edition.tickets for row in routes_on_shortest_paths(edition, ticket))
    rows: list[Facts] = []
    for number, route in enumerate(edition.routes):
        row = {"from": edition.cities[route.a].name, "to": edition.cities[route.b].name, "length": route.length}
        rows.append({**row, "color": color_name(edition, route), "kind": route.kind, "tickets": used[number]})
    return rows


def _tickets(edition: Edition) -> list[Facts]:
    rows: list[Facts] = []
    for ticket in edition.tickets:
        trains = fewest_trains(edition, ticket)
        row = {"from": ticket.a, "to": ticket.b, "deck": edition.decks[ticket.deck].name, "points": ticket.points}
        rows.append({**row, "trains": None if trains == UNREACHABLE else int(trains)})
    return rows
