"""Locks: what a designer wants as it is, named by its deck or by its two ends."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import permutations

from ttr_sim.edition.model import City, Edition, Route, Ticket
from ttr_sim.edition.schema import shown
from ttr_sim.errors import UserError, did_you_mean

Pair = frozenset[str]

DASHES = re.compile("[-\u2010-\u2015]")  # the hyphen, and the dashes that texts have in its place


def known_pairs(cities: Sequence[City], routes: Iterable[Route], tickets: Iterable[Ticket]) -> set[Pair]:
    """Return the ends of all tickets and routes, in no order."""
    of_routes = {frozenset((cities[route.a].name, cities[route.b].name)) for route in routes}
    return of_routes | {frozenset((ticket.a, ticket.b)) for ticket in tickets}


def find_lock(written: str, decks: Collection[str], pairs: Collection[Pair]) -> str | Pair:
    """Return the deck, or the pair of ends, that a lock names; refuse what is neither."""
    if written.strip() in decks:
        return written.strip()
    found = next((pair for pair in _pairs_in(written) if pair in pairs), None)
    if found is None:
        known = [*decks, *("–".join(ends) for pair in pairs for ends in permutations(sorted(pair)))]
        raise UserError(
            f"the lock {shown(written)} is neither a deck nor the two ends of a ticket or route, "
            f"as in A–B{did_you_mean(written, known)}"
        )
    return found


def locked(edition: Edition, written: Iterable[str]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the rows of the tickets and of the routes that these locks, and the edition's own, mean."""
    decks = [deck.name for deck in edition.decks]
    names = [city.name for city in edition.cities]
    pairs = known_pairs(edition.cities, edition.routes, edition.tickets)
    locks = {find_lock(lock, decks, pairs) for lock in (*edition.targets.locked, *written)}
    tickets = (
        row
        for row, ticket in enumerate(edition.tickets)
        if decks[ticket.deck] in locks or frozenset((ticket.a, ticket.b)) in locks
    )
    routes = (row for row, route in enumerate(edition.routes) if frozenset((names[route.a], names[route.b])) in locks)
    return frozenset(tickets), frozenset(routes)


def _pairs_in(written: str) -> Iterator[Pair]:
    """Yield what may be meant: a name may hold hyphens itself."""
    for dash in DASHES.finditer(written):
        yield frozenset((written[: dash.start()].strip(), written[dash.end() :].strip()))
