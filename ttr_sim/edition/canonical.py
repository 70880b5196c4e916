"""Which route and ticket is which, whatever line it is on; and an edition in an order that hangs on no line.

A route is identified by its ends, its color and its number among the parallel routes of that color, a ticket by its
ends, its deck and its number among equal tickets. Equals are numbered by all else that is known of them, so that
only indistinguishable ones are numbered by line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ttr_sim.edition.board import GRAY
from ttr_sim.edition.model import Edition, Route, Ticket

Key = tuple[str, str, str, int]  # ends in alphabetical order, color or deck, number among equals


@dataclass(frozen=True, slots=True)
class Canonical:
    """An edition in canonical order; and each of its cities, routes and tickets as a row of the files."""

    edition: Edition
    city_rows: tuple[int, ...]
    route_rows: tuple[int, ...]
    ticket_rows: tuple[int, ...]


def in_canonical_order(edition: Edition) -> Canonical:
    """Sort cities by name, routes and tickets by identity, and the ends of each by name; rules stay as they are."""
    city_rows = _sorted_rows([city.name for city in edition.cities])
    route_rows, ticket_rows = _sorted_rows(route_keys(edition)), _sorted_rows(ticket_keys(edition))
    places = {row: place for place, row in enumerate(city_rows)}
    ordered = replace(
        edition,
        cities=tuple(edition.cities[row] for row in city_rows),
        routes=_renumbered([edition.routes[row] for row in route_rows], places),
        tickets=tuple(_with_sorted_ends(edition.tickets[row], places) for row in ticket_rows),
    )
    return Canonical(ordered, city_rows, route_rows, ticket_rows)


def route_keys(edition: Edition) -> list[Key]:
    """Return the identity of each row of routes.csv."""
    names = [city.name for city in edition.cities]
    things = [(names[route.a], names[route.b], color_name(edition, route)) for route in edition.routes]
    facts = [(route.length, route.kind, route.locomotives, route.merchandise) for route in edition.routes]
    return _numbered(things, facts)


def ticket_keys(edition: Edition) -> list[Key]:
    """Return the identity of each row of tickets.csv."""
    things = [(ticket.a, ticket.b, edition.decks[ticket.deck].name) for ticket in edition.tickets]
    return _numbered(things, [ticket.points for ticket in edition.tickets])


def color_name(edition: Edition, route: Route) -> str:
    return GRAY if route.color is None else edition.colors[route.color].name


def _numbered(things: Sequence[tuple[str, str, str]], facts: Sequence[Any]) -> list[Key]:
    """Number things that are alike in the order of their facts."""
    likes = [(min(a, b), max(a, b), kind) for a, b, kind in things]
    met: Counter[tuple[str, str, str]] = Counter()
    numbers = {}
    for row in sorted(range(len(things)), key=lambda row: facts[row]):
        numbers[row] = met[likes[row]]
        met[likes[row]] += 1
    return [(*like, numbers[row]) for row, like in enumerate(likes)]


def _sorted_rows(keys: Sequence[Any]) -> tuple[int, ...]:
    return tuple(sorted(range(len(keys)), key=keys.__getitem__))


def _renumbered(routes: Sequence[Route], places: dict[int, int]) -> tuple[Route, ...]:
    """Number their cities, their groups and the routes of each group again."""
    groups: dict[int, int] = {}
    copies: Counter[int] = Counter()
    renumbered = []
    for route in routes:
        a, b = sorted((places[route.a], places[route.b]))
        group = groups.setdefault(route.group, len(groups))
        renumbered.append(replace(route, a=a, b=b, group=group, copy=copies[group]))
        copies[group] += 1
    return tuple(renumbered)


def _with_sorted_ends(ticket: Ticket, places: dict[int, int]) -> Ticket:
    (a, a_cities), (b, b_cities) = sorted(((ticket.a, ticket.a_cities), (ticket.b, ticket.b_cities)))
    first, second = (tuple(sorted(places[city] for city in cities)) for cities in (a_cities, b_cities))
    return replace(ticket, a=a, b=b, a_cities=first, b_cities=second)
