"""Read cities.csv, routes.csv and tickets.csv into the values of the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ttr_sim.edition import limits
from ttr_sim.edition.csv_reader import Reader, is_number, is_whole_or_empty, one_of_names, read_table, unswapped
from ttr_sim.edition.model import City, Route, Ticket
from ttr_sim.edition.problems import Problems

# By heading: whether a file must have the column.
CITY_COLUMNS = {"name": True, "x": True, "y": True, "country": False, "region": False, "passengers": False}
ROUTE_COLUMNS = {
    **dict.fromkeys(("from", "to", "length", "color"), True),
    **dict.fromkeys(("kind", "locomotives", "merchandise"), False),
}
TICKET_COLUMNS = {"from": True, "to": True, "points": True, "deck": True}
KINDS = ("plain", "tunnel", "ferry")
GRAY, GREY = "gray", "grey"


@dataclass(slots=True)
class MapTables:
    """Rows of the three files as far as they could be read, each with the reader of its cells."""

    knows_cities: bool = False  # without every row of cities.csv, no name can be called unknown
    cities: list[City] = field(default_factory=list)
    city_rows: list[Reader] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)
    route_rows: list[Reader] = field(default_factory=list)
    tickets: list[Ticket] = field(default_factory=list)
    ticket_rows: list[Reader] = field(default_factory=list)


def color_key(name: str) -> str:
    """Lower-case a color's name, with `grey` as gray, so that spellings compare equal."""
    return GRAY if name.casefold() == GREY else name.casefold()


def numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def read_cities(text: str, tables: MapTables, problems: Problems) -> None:
    table = read_table("cities.csv", text, CITY_COLUMNS, limits.MAX_CITIES, problems)
    if table is None:
        return
    number = partial(is_number, decimal_comma=table.decimal_comma)
    table = unswapped(table, {"name": bool, "x": number, "y": number, "passengers": is_whole_or_empty}, problems)
    tables.knows_cities = table.complete
    seen: dict[str, Reader] = {}
    for row in table.rows:
        reader = Reader(row, problems, table.decimal_comma)
        name, x, y = reader.name("name"), reader.decimal("x"), reader.decimal("y")
        country = reader.name("country") if reader.text("country") else None
        region = reader.name("region") if reader.text("region") else None
        passengers = reader.whole("passengers", 0, limits.MAX_CARDS, default=0)
        if name in seen:
            reader.error("name", f'the city "{name}" is already on line {seen[name].line("name")}')
        seen.setdefault(name or "", reader)
        # Rows with errors stay in the list, so that places in it are row numbers of the file.
        tables.cities.append(City(name or "", x or 0.0, y or 0.0, country, region, passengers or 0))
        tables.city_rows.append(reader)


def read_routes(text: str, colors: Mapping[str, int] | None, tables: MapTables, problems: Problems) -> None:
    table = read_table("routes.csv", text, ROUTE_COLUMNS, limits.MAX_ROUTES, problems)
    if table is None:
        return
    names = numbered(city.name for city in tables.cities) if tables.knows_cities else None
    known_colors = None if colors is None else {**colors, GRAY: -1}
    fits = {
        **dict.fromkeys(("from", "to"), one_of_names(names)),
        **dict.fromkeys(("length", "locomotives", "merchandise"), is_whole_or_empty),
        "color": one_of_names(known_colors, color_key),
        "kind": one_of_names(("", *KINDS)),
    }
    table = unswapped(table, fits, problems)
    groups: dict[frozenset[int | None], int] = {}
    copies: Counter[int] = Counter()
    for row in table.rows:
        reader = Reader(row, problems)
        a, b = reader.known("from", "city", names), reader.known("to", "city", names)
        if a == b and a is not None:
            reader.error("to", "the route ends where it begins")
        length = reader.whole("length", 1, limits.MAX_LENGTH)
        color = reader.known("color", "color", known_colors, color_key)
        kind = reader.text("kind") or KINDS[0]
        if kind not in KINDS:
            reader.known("kind", "kind", numbered(KINDS))
        locomotives = reader.whole("locomotives", 0, limits.MAX_LENGTH, default=0) or 0
        if locomotives and kind in ("plain", "tunnel"):
            reader.error("locomotives", f"only a ferry has locomotives, and this route is {kind}")
        if length is not None and locomotives > length:
            reader.error("locomotives", f"{locomotives} locomotives on a route of length {length}")
        merchandise = reader.whole("merchandise", 0, 1, default=0)
        # A route and its reverse are parallel, so ends form a group in any order.
        group = groups.setdefault(frozenset((a, b)), len(groups))
        ends, printed, copy = (a or 0, b or 0), None if color == -1 else color, copies[group]
        route = Route(*ends, length or 1, printed, kind, locomotives, merchandise == 1, group, copy)
        tables.routes.append(route)
        tables.route_rows.append(reader)
        copies[group] += 1


def read_tickets(text: str, decks: Mapping[str, int] | None, tables: MapTables, problems: Problems) -> None:
    table = read_table("tickets.csv", text, TICKET_COLUMNS, limits.MAX_TICKETS, problems)
    if table is None:
        return
    ends = cities_by_end(tables.cities)
    names = numbered(ends) if tables.knows_cities else None
    fits = {
        **dict.fromkeys(("from", "to"), one_of_names(names)),
        "points": is_whole_or_empty,
        "deck": one_of_names(decks),
    }
    table = unswapped(table, fits, problems)
    copies: Counter[tuple[frozenset[str], int | None]] = Counter()
    for row in table.rows:
        reader = Reader(row, problems)
        reader.known("from", "city or country", names)
        reader.known("to", "city or country", names)
        a, b = reader.text("from"), reader.text("to")
        points = reader.whole("points", 0, limits.MAX_POINTS)
        deck = reader.known("deck", "deck", decks)
        # Any city of a country completes a ticket to it, so an end may have several cities.
        a_cities, b_cities = ends.get(a, ()), ends.get(b, ())
        if set(a_cities) & set(b_cities):
            reader.error("to", "both ends include the same city")
        same = (frozenset((a, b)), deck)
        tables.tickets.append(Ticket(a, b, a_cities, b_cities, points or 0, deck or 0, copies[same]))
        tables.ticket_rows.append(reader)
        copies[same] += 1


def cities_by_end(cities: Sequence[City]) -> dict[str, tuple[int, ...]]:
    """Map each possible end of a ticket to its cities: a city itself, or the spots of a country."""
    ends: dict[str, tuple[int, ...]] = {}
    for number, city in enumerate(cities):
        if city.country:
            ends[city.country] = (*ends.get(city.country, ()), number)
    ends.update({city.name: (number,) for number, city in enumerate(cities) if city.name})
    return ends
