"""Read cities.csv, routes.csv and tickets.csv into the values of the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ttr_sim.edition import limits
from ttr_sim.edition.cells import Reader, is_number, is_whole_or_empty, one_of_names
from ttr_sim.edition.model import City, Route, Ticket
from ttr_sim.edition.problems import Problems
from ttr_sim.edition.swapped import unswapped
from ttr_sim.edition.table import CsvTable

CITY_COLUMNS = {"name": True, "x": True, "y": True, "country": False, "region": False, "passengers": False}
ROUTE_COLUMNS = {
    "from": True,
    "to": True,
    "length": True,
    "color": True,
    "kind": False,
    "locomotives": False,
    "merchandise": False,
}
TICKET_COLUMNS = {"from": True, "to": True, "points": True, "deck": True}
KINDS = ("plain", "tunnel", "ferry")
GRAY = "gray"
GREY = "grey"


@dataclass(slots=True)
class Board:
    """Holds what could be read of the three files, with a reader for each value that knows its place."""

    knows_cities: bool = False  # every row of cities.csv was read: otherwise no name can be called unknown
    cities: list[City] = field(default_factory=list)
    city_rows: list[Reader] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)
    route_rows: list[Reader] = field(default_factory=list)
    tickets: list[Ticket] = field(default_factory=list)
    ticket_rows: list[Reader] = field(default_factory=list)


def color_key(name: str) -> str:
    """Return a color's name as it is compared: in lower case, and `grey` as gray."""
    return GRAY if name.casefold() == GREY else name.casefold()


def numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def read_cities(table: CsvTable, board: Board, problems: Problems) -> None:
    number = partial(is_number, decimal_comma=table.decimal_comma)
    table = unswapped(table, {"name": bool, "x": number, "y": number, "passengers": is_whole_or_empty}, problems)
    board.knows_cities = table.complete
    seen: dict[str, Reader] = {}
    for row in table.rows:
        reader = Reader(row, problems, table.decimal_comma)
        name, x, y = reader.name("name"), reader.decimal("x"), reader.decimal("y")
        country = reader.name("country") if reader.text("country") else None
        region = reader.name("region") if reader.text("region") else None
        passengers = reader.whole("passengers", 0, limits.MAX_CARDS, default=0)
        if name in seen:
            reader.error("name", f'the city "{name}" is already on line {seen[name].place("name").line}')
        seen.setdefault(name or "", reader)
        board.cities.append(City(name or "", x or 0.0, y or 0.0, country, region, passengers or 0))
        board.city_rows.append(reader)


def read_routes(table: CsvTable, colors: Mapping[str, int] | None, board: Board, problems: Problems) -> None:
    names = numbered(city.name for city in board.cities) if board.knows_cities else None
    known_colors = None if colors is None else {**colors, GRAY: -1}
    fits = {
        **{heading: one_of_names(names) for heading in ("from", "to")},
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
        kind, locomotives = _kind(reader, length)
        merchandise = reader.whole("merchandise", 0, 1, default=0)
        group = groups.setdefault(frozenset((a, b)), len(groups))
        gray_or_color = None if color == -1 else color
        board.routes.append(
            Route(a or 0, b or 0, length or 1, gray_or_color, kind, locomotives, merchandise == 1, group, copies[group])
        )
        board.route_rows.append(reader)
        copies[group] += 1


def _kind(reader: Reader, length: int | None) -> tuple[str, int]:
    kind = reader.text("kind") or KINDS[0]
    if kind not in KINDS:
        reader.known("kind", "kind", numbered(KINDS))
    locomotives = reader.whole("locomotives", 0, limits.MAX_LENGTH, default=0) or 0
    if locomotives and kind in KINDS[:2]:
        reader.error("locomotives", f"only a ferry has locomotives, and this route is {kind}")
    if length is not None and locomotives > length:
        reader.error("locomotives", f"{locomotives} locomotives on a route of length {length}")
    return kind, locomotives


def read_tickets(table: CsvTable, decks: Mapping[str, int] | None, board: Board, problems: Problems) -> None:
    ends = ends_by_name(board.cities)
    names = numbered(ends) if board.knows_cities else None
    copies: Counter[tuple[frozenset[str], int | None]] = Counter()
    a_name = one_of_names(names)
    fits = {"from": a_name, "to": a_name, "points": is_whole_or_empty, "deck": one_of_names(decks)}
    table = unswapped(table, fits, problems)
    for row in table.rows:
        reader = Reader(row, problems)
        reader.known("from", "city or country", names)
        reader.known("to", "city or country", names)
        a, b = reader.text("from"), reader.text("to")
        points = reader.whole("points", 0, limits.MAX_POINTS)
        deck = reader.known("deck", "deck", decks)
        a_cities, b_cities = ends.get(a, ()), ends.get(b, ())
        if set(a_cities) & set(b_cities):
            reader.error("to", "both ends include the same city")
        same = (frozenset((a, b)), deck)
        board.tickets.append(Ticket(a, b, a_cities, b_cities, points or 0, deck or 0, copies[same]))
        board.ticket_rows.append(reader)
        copies[same] += 1


def ends_by_name(cities: Sequence[City]) -> dict[str, tuple[int, ...]]:
    """Return the cities that count as a ticket's end, by its name: a city itself, or the spots of a country."""
    ends: dict[str, tuple[int, ...]] = {}
    for number, city in enumerate(cities):
        if city.country:
            ends[city.country] = (*ends.get(city.country, ()), number)
    ends.update({city.name: (number,) for number, city in enumerate(cities) if city.name})
    return ends
