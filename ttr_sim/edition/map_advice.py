"""Warnings about a map that can be played: what its designer would want to know."""

from __future__ import annotations

from ttr_sim.edition.board import Board
from ttr_sim.edition.cells import Reader
from ttr_sim.edition.model import Edition, Route, Ticket
from ttr_sim.edition.paths import UNREACHABLE, Roads, parts, roads, shortest

PRINTED = ("length", "color", "kind", "locomotives", "merchandise")
MOST_GRAY = 3  # equal gray routes between two cities that are no mistake: Germany has three
FAR_TRAINS, FAR_SHARE = 2, 0.25  # beyond both, a ticket's points are far from its path


def advise_on_map(edition: Edition, board: Board) -> None:
    ways = roads(len(edition.cities), edition.routes)
    _advise_on_cities(edition, board, ways)
    _advise_on_parts(board, ways)
    for route, reader in zip(edition.routes, board.route_rows, strict=True):
        _advise_on_cards(edition, route, reader)
        if route.length > edition.trains:
            reader.warn("length", f"nobody can claim it: a player has only {edition.trains} trains")
        if route.kind == "ferry" and not route.locomotives:
            reader.warn("kind", "a ferry without locomotives is played as a plain route")
    _advise_on_parallels(edition, board)
    _advise_on_repeats(edition, board)
    for ticket, reader in zip(edition.tickets, board.ticket_rows, strict=True):
        _advise_on_ticket(edition, ticket, reader, shortest(ways, ticket))
    _advise_on_twins(edition, board)


def _advise_on_cities(edition: Edition, board: Board, ways: Roads) -> None:
    named = {city for ticket in edition.tickets for city in (*ticket.a_cities, *ticket.b_cities)}
    places: dict[tuple[float, float], str] = {}
    for row, (city, reader) in enumerate(zip(edition.cities, board.city_rows, strict=True)):
        neighbors = {neighbor for neighbor, _ in ways[row]}
        if not neighbors:
            reader.warn("name", f"no route leads to {city.name}")
        elif len(neighbors) == 1 and city.country is None:
            only = edition.cities[neighbors.pop()].name
            reader.warn("name", f"{city.name} is a dead end: its only neighbor is {only}")
        if row not in named:
            reader.warn("name", f"no ticket names {city.country or city.name}")
        other = places.setdefault((city.x, city.y), city.name)
        if other != city.name:
            reader.warn("x", f"{city.name} is drawn on top of {other}")


def _advise_on_parts(board: Board, ways: Roads) -> None:
    for part in parts(ways)[1:]:
        if len(part) > 1:
            names = ", ".join(board.cities[city].name for city in part[:3]) + (", ..." if len(part) > 3 else "")
            board.city_rows[part[0]].warn("name", f"{len(part)} cities are cut off from the others: {names}")


def _advise_on_cards(edition: Edition, route: Route, reader: Reader) -> None:
    """Compare a route with the cards that can pay for it."""
    best = max(edition.colors, key=lambda color: color.cards) if route.color is None else edition.colors[route.color]
    short_of_wilds = route.locomotives > edition.wilds
    if route.length > best.cards + edition.wilds or short_of_wilds:
        heading = "locomotives" if short_of_wilds else "length"
        reader.warn(
            heading, f"nobody can pay for it: there are only {best.cards} {best.name} cards and {edition.wilds} wilds"
        )
    elif route.length > best.cards:
        reader.warn("length", f"needs wilds: there are only {best.cards} {best.name} cards")


def _advise_on_parallels(edition: Edition, board: Board) -> None:
    first: dict[int, int] = {}
    for row, route in enumerate(edition.routes):
        other = edition.routes[first.setdefault(route.group, row)]
        if other.length != route.length:
            line = board.route_rows[first[route.group]].place("length").line
            message = f"parallel routes of unequal lengths: {route.length} here, {other.length} on line {line}"
            board.route_rows[row].warn("length", message)


def _advise_on_repeats(edition: Edition, board: Board) -> None:
    """Warn of a route that is listed twice; gray ones may be, as many printed double routes are gray."""
    lines: dict[tuple[object, ...], list[int]] = {}
    for row, route in enumerate(edition.routes):
        reader = board.route_rows[row]
        same = lines.setdefault((route.group, *(getattr(route, name) for name in PRINTED)), [])
        if len(same) >= (MOST_GRAY if route.color is None else 1):
            reader.warn("from", f"the same route as on line {same[0]}")
        same.append(reader.place("from").line)


def is_far_from_path(points: int, trains: float) -> bool:
    """Return whether a ticket's points are far from the trains of its shortest path."""
    return abs(points - trains) > max(FAR_TRAINS, FAR_SHARE * trains)


def _advise_on_ticket(edition: Edition, ticket: Ticket, reader: Reader, trains: float) -> None:
    if trains == UNREACHABLE:
        reader.warn("from", f"no path joins {ticket.a} and {ticket.b}: the ticket can never be completed")
        return
    if trains > edition.trains:
        reader.warn("from", f"its shortest path takes {trains:.0f} trains, but a player has only {edition.trains}")
    if not edition.is_race and is_far_from_path(ticket.points, trains):
        reader.warn("points", f"worth {ticket.points} points, but its shortest path takes {trains:.0f} trains")


def _advise_on_twins(edition: Edition, board: Board) -> None:
    first: dict[tuple[frozenset[str], int], int] = {}
    for row, ticket in enumerate(edition.tickets):
        before = first.setdefault((frozenset((ticket.a, ticket.b)), ticket.deck), row)
        if before != row:
            line = board.ticket_rows[before].place("from").line
            board.ticket_rows[row].warn("from", f"the same ticket as on line {line}")
