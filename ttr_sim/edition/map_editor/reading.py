"""Turn the editor's tables into the lines of an edition's map."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ttr_sim.edition import limits
from ttr_sim.edition.csv_reader import Reader, unknown
from ttr_sim.edition.map_editor.format import (
    BOATS,
    COLORS,
    GRAYS,
    JUNCTIONS,
    LONG,
    RAILWAYS,
    ROUTES,
    SAME_COLOR,
    STOPS,
    TICKETS,
    TUNNEL,
    YES,
)
from ttr_sim.edition.map_editor.sheets import Tables
from ttr_sim.edition.map_tables import GRAY
from ttr_sim.edition.model import Edition
from ttr_sim.errors import closest

Position = tuple[float, float]


@dataclass(frozen=True, slots=True)
class CityLine:
    name: str
    at: Position | None
    country: str = ""
    region: str = ""
    passengers: int = 0


@dataclass(frozen=True, slots=True)
class RouteLine:
    source: str
    target: str
    length: int
    color: str
    kind: str
    locomotives: int
    merchandise: int


@dataclass(frozen=True, slots=True)
class TicketLine:
    source: str
    target: str
    points: int
    deck: str


@dataclass(slots=True)
class Names:
    """Finds the city that a cell means, by id or by name in any case."""

    by_id: dict[str, str] = field(default_factory=dict)
    by_name: dict[str, str] = field(default_factory=dict)
    growing: bool = False  # no table of cities: the routes make them

    def find(self, row: Reader, heading: str, kind: str) -> str:
        """Return the name of the city in a cell; empty after reporting why there is none."""
        named = self.by_id.get(row.text(f"{heading} id").casefold())
        written = row.text(heading)
        named = named or self.by_name.get(written.casefold()) or self.by_id.get(written.casefold())
        if named:
            return named
        if self.growing:
            name = row.name(heading) or ""
            return self.by_name.setdefault(name.casefold(), name)
        if not written:
            row.error(heading, f"{heading} is empty")
        else:
            row.error(heading, unknown(kind, written, self.by_name.values()), closest(written, self.by_name.values()))
        return ""


@dataclass(slots=True)
class MapLines:
    """The lines read of each table; None for a table that no file holds."""

    cities: list[CityLine] | None = None
    routes: list[RouteLine] | None = None
    tickets: list[TicketLine] | None = None
    notes: list[str] = field(default_factory=list)


def read_map(tables: Tables, base: Edition | None) -> MapLines:
    """Return the lines of the map; what the editor cannot hold is taken from the base edition, by name."""
    lines = MapLines(notes=tables.notes)
    names = _base_names(base)
    if STOPS in tables.rows:
        names = Names()
        lines.cities = _cities(tables.rows[STOPS], names, base, lines.notes)
    names.growing = base is None and STOPS not in tables.rows
    if ROUTES in tables.rows:
        lines.routes = _routes(tables.rows[ROUTES], names, base, lines.notes)
    if names.growing:
        lines.cities = [CityLine(name, None) for name in names.by_name.values()]
        names.growing = False
    if TICKETS in tables.rows:
        ends = _with_countries(names, lines.cities, base)
        countries = _carried_countries(tables, lines.cities, base)
        lines.tickets = _tickets(tables.rows[TICKETS], ends, countries, base)
    return lines


def _base_names(base: Edition | None) -> Names:
    cities = base.cities if base else ()
    return Names(by_name={city.name.casefold(): city.name for city in cities})


def _cities(rows: Sequence[Reader], names: Names, base: Edition | None, notes: list[str]) -> list[CityLine]:
    known = {city.name: city for city in base.cities} if base else {}
    middle = _mean_latitude(rows)
    lines = []
    for row in rows:
        name = row.name("name") or ""
        if name.casefold() in names.by_name:
            row.error("name", f'there are two stops named "{name}"; every city needs its own name')
        names.by_name.setdefault(name.casefold(), name)
        if row.text("id"):
            names.by_id.setdefault(row.text("id").casefold(), name)
        line = CityLine(name, _position(row, middle))
        if name in known:
            city = known[name]
            line = replace(line, country=city.country or "", region=city.region or "", passengers=city.passengers)
        lines.append(_with_own_columns(line, row))
    _note_junctions(rows, notes)
    return lines


def _with_own_columns(line: CityLine, row: Reader) -> CityLine:
    """Return the line with what stands in columns that only this program's files have."""
    if "country" in row.row:
        line = replace(line, country=row.text("country"))
    if "region" in row.row:
        line = replace(line, region=row.text("region"))
    if "passengers" in row.row:
        line = replace(line, passengers=row.whole("passengers", 0, limits.MAX_CARDS, default=0) or 0)
    return line


def _position(row: Reader, middle: float) -> Position | None:
    if row.text("x") or row.text("y"):
        x, y = (row.decimal(axis) if axis in row.row else None for axis in ("x", "y"))
        return None if x is None or y is None else (x, y)
    if row.text("lat") and row.text("lon"):
        latitude, longitude = row.decimal("lat"), row.decimal("lon")
        if latitude is not None and longitude is not None:
            return longitude * math.cos(math.radians(middle)), -latitude
    return None


def _mean_latitude(rows: Sequence[Reader]) -> float:
    latitudes = [row.decimal("lat") or 0.0 for row in rows if row.text("lat")]
    return sum(latitudes) / len(latitudes) if latitudes else 0.0


def _note_junctions(rows: Sequence[Reader], notes: list[str]) -> None:
    junctions = [row.text("name") for row in rows if row.text("type").casefold() in JUNCTIONS]
    if junctions:
        notes.append(f"Junctions become cities that no ticket names: {', '.join(junctions)}.")


def _routes(rows: Sequence[Reader], names: Names, base: Edition | None, notes: list[str]) -> list[RouteLine]:
    colors = [color.name for color in base.colors] if base else [SAME_COLOR.get(c, c) for c in COLORS]
    carts = _merchandise(base)
    unknown: dict[str, None] = {}
    lines = []
    for row in rows:
        source, target = names.find(row, "from", "city"), names.find(row, "to", "city")
        if source and source == target:
            row.error("to", "the route ends where it begins")
        length = row.whole("length", 1, limits.MAX_LENGTH) or 1
        color = _color(row, colors)
        kind, locomotives = _kind(row, length, unknown)
        if "merchandise" in row.row:
            cart = row.whole("merchandise", 0, 1, default=0) or 0
        else:
            left = carts.get((frozenset((source, target)), length, color))
            cart = left.pop(0) if left else 0
        lines.append(RouteLine(source, target, length, color, kind, locomotives, cart))
    if unknown:
        notes.append(f"Routes of a type or wagon style that has no rule here play as plain ones: {', '.join(unknown)}.")
    return lines


def _merchandise(base: Edition | None) -> dict[tuple[frozenset[str], int, str], list[int]]:
    """Return which routes of the base edition earn merchandise, by ends, length and color."""
    carts: dict[tuple[frozenset[str], int, str], list[int]] = {}
    if base is None:
        return carts
    for route in base.routes:
        ends = frozenset((base.cities[route.a].name, base.cities[route.b].name))
        color = GRAY if route.color is None else base.colors[route.color].name
        carts.setdefault((ends, route.length, color), []).append(int(route.merchandise))
    return carts


def _color(row: Reader, colors: Sequence[str]) -> str:
    written = row.text("colour").casefold()
    if written in GRAYS:
        return GRAY
    known = {color.casefold(): color for color in colors}
    for name in (written, SAME_COLOR.get(written, written)):
        if name in known:
            return known[name]
    row.error("colour", unknown("color", row.text("colour"), [GRAY, *colors]), closest(written, known))
    return GRAY


def _kind(row: Reader, length: int, unknown: dict[str, None]) -> tuple[str, int]:
    """Return a route's kind and locomotives; a boat, or locomotives on a railway, makes a ferry."""
    kind, style = row.text("type").casefold(), row.text("wagon style").casefold()
    locomotives = row.whole("locomotives", 0, length, default=0) or 0
    tunnel = TUNNEL in (kind, style) or row.text("tunnel").casefold() in YES
    for heading, written, read in (("type", kind, (*RAILWAYS, *BOATS, TUNNEL)), ("wagon style", style, ("", TUNNEL))):
        if written not in read:
            unknown[row.text(heading)] = None
    if tunnel and (locomotives or kind in BOATS):
        row.error("from", "a route cannot be both a tunnel and a ferry; make it one of them in the editor")
    if tunnel:
        return TUNNEL, 0
    return ("ferry", locomotives) if locomotives or kind in BOATS else ("plain", 0)


def _with_countries(names: Names, cities: Iterable[CityLine] | None, base: Edition | None) -> Names:
    """Return the names that a ticket's end may be."""
    countries = {line.country for line in cities} if cities is not None else _countries(base)
    by_name = {**{name.casefold(): name for name in countries if name}, **names.by_name}
    return Names(names.by_id, by_name)


def _countries(base: Edition | None) -> set[str]:
    return {city.country or "" for city in base.cities} if base else set()


def _carried_countries(tables: Tables, cities: Sequence[CityLine] | None, base: Edition | None) -> Mapping[str, str]:
    """Return the country of each spot that the editor holds as a plain stop: its tickets mean the country."""
    if any("country" in row.row for row in tables.rows.get(STOPS, ())):
        return {}
    if cities is not None:
        return {line.name: line.country for line in cities if line.country}
    return {city.name: city.country for city in base.cities if city.country} if base else {}


def _tickets(
    rows: Sequence[Reader], names: Names, countries: Mapping[str, str], base: Edition | None
) -> list[TicketLine]:
    decks = _Decks([deck.name for deck in base.decks] if base else ["regular"], may_add_long=base is None)
    lines = []
    for row in rows:
        ends = [names.find(row, heading, "city or country") for heading in ("from", "to")]
        source, target = (countries.get(end, end) for end in ends)
        if source and source == target:
            row.error("to", "the ticket ends where it begins")
        points = row.whole("points", 0, limits.MAX_POINTS) or 0
        lines.append(TicketLine(source, target, points, decks.of(row)))
    return lines


@dataclass(slots=True)
class _Decks:
    """Assigns tickets to decks: the editor knows a long deck and one other, under any label."""

    known: list[str]
    may_add_long: bool
    label: str = ""  # the one that stands for the first deck

    def of(self, row: Reader) -> str:
        label = row.text("deck")
        by_name = {name.casefold(): name for name in self.known}
        if row.text("long deck").casefold() in YES or label.casefold() == LONG:
            if LONG not in by_name and not self.may_add_long:
                heading = "long deck" if "long deck" in row.row else "deck"
                row.error(heading, f'edition.toml has no deck "{LONG}", only {", ".join(self.known)}')
            return by_name.get(LONG, LONG)
        if label.casefold() in by_name:
            return by_name[label.casefold()]
        self.label = self.label or label
        if label and label != self.label:
            message = (
                f'"{label}" and "{self.label}" are two decks; the editor plays one of them, so export only that one'
            )
            row.error("deck", message)
        return next((name for name in self.known if name.casefold() != LONG), self.known[0])
