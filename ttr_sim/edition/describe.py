"""The numbers of a board: a map in counts and sums, before a game is played."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ttr_sim.edition.canonical import color_name
from ttr_sim.edition.map_tables import GRAY
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import (
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
    colors: list[Facts] = []
    gray = (None, GRAY, None)
    for number, name, cards in (*((n, color.name, color.cards) for n, color in enumerate(edition.colors)), gray):
        lengths = Counter(route.length for route in edition.routes if route.color == number)
        spaces = sum(length * routes for length, routes in lengths.items())
        row: Facts = {"color": name, "cards": cards, "routes": lengths.total(), "spaces": spaces}
        colors.append({**row, "by_length": dict(sorted(lengths.items()))})
    decks: list[Facts] = []
    for number, deck in enumerate(edition.decks):
        points = [ticket.points for ticket in edition.tickets if ticket.deck == number]
        total, low, high = sum(points), min(points, default=0), max(points, default=0)
        row = {"deck": deck.name, "tickets": len(points), "points": total, "lowest": low, "highest": high}
        decks.append({**row, "mean": total / max(len(points), 1)})
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
    return {
        "size": _size(edition),
        "colors": colors,
        "decks": decks,
        "cities": _cities(edition),
        "routes": routes,
        "tickets": tickets,
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
