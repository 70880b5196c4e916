"""The edition's routes, cities and tickets as small tables to put beside the numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ttr_sim.edition.model import Edition, Ticket
from ttr_sim.edition.network import UNREACHABLE, fewest_trains


def ticket_facts(edition: Edition) -> pd.DataFrame:
    """One row per ticket, with the trains of its shortest path on the empty board."""
    tickets = edition.tickets
    return pd.DataFrame(
        {
            "ticket": range(len(tickets)),
            "from": [ticket.a for ticket in tickets],
            "to": [ticket.b for ticket in tickets],
            "deck": [edition.decks[ticket.deck].name for ticket in tickets],
            "deck_number": [ticket.deck for ticket in tickets],
            "points": [ticket.points for ticket in tickets],
            "copy": [ticket.copy for ticket in tickets],
            "trains": [_trains(edition, ticket) for ticket in tickets],
        }
    )


def _trains(edition: Edition, ticket: Ticket) -> float:
    length = fewest_trains(edition, ticket)
    return np.nan if length == UNREACHABLE else length


def route_facts(edition: Edition) -> pd.DataFrame:
    """One row per route: `ways` counts the routes of its group, and identical ones share `twins`."""
    names = [city.name for city in edition.cities]
    groups = [route.group for route in edition.routes]
    looks = [(r.group, r.length, r.color, r.kind, r.locomotives, r.merchandise) for r in edition.routes]
    return pd.DataFrame(
        {
            "route": range(len(edition.routes)),
            "from": [names[route.a] for route in edition.routes],
            "to": [names[route.b] for route in edition.routes],
            "length": [route.length for route in edition.routes],
            "color": ["gray" if route.color is None else edition.colors[route.color].name for route in edition.routes],
            "kind": [route.kind for route in edition.routes],
            "group": groups,
            "copy": [route.copy for route in edition.routes],
            "ways": [groups.count(group) for group in groups],
            "twins": [looks.index(look) for look in looks],
        }
    )


def city_facts(edition: Edition) -> pd.DataFrame:
    """One row per city."""
    return pd.DataFrame(
        {
            "city": range(len(edition.cities)),
            "name": [city.name for city in edition.cities],
            "tickets": [
                sum(city in (*ticket.a_cities, *ticket.b_cities) for ticket in edition.tickets)
                for city in range(len(edition.cities))
            ],
            "ways": [
                sum(city in (route.a, route.b) for route in edition.routes) for city in range(len(edition.cities))
            ],
        }
    )
