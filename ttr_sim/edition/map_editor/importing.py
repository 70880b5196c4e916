"""Make an edition folder from the editor's files, with rules from an edition or from defaults."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ttr_sim.edition import limits
from ttr_sim.edition.canonical import color_name
from ttr_sim.edition.csv_reader import Reader, unknown
from ttr_sim.edition.load import load_edition
from ttr_sim.edition.map_editor.tables import (
    BOARD,
    COLORS,
    LONG,
    ROUTES,
    SAME_COLOR,
    STOPS,
    TICKETS,
    Tables,
    read_tables,
)
from ttr_sim.edition.map_tables import GRAY
from ttr_sim.edition.model import City, Edition
from ttr_sim.edition.problems import BOTS_FILE, RULES_FILE, Problems
from ttr_sim.edition.toml_positions import key_places, replaced
from ttr_sim.edition.write import toml_value, write_folder
from ttr_sim.errors import UserError, closest

GRAYS = ("", "grey", "gray", "neutral", "any")
YES = ("yes", "true", "1", "ja", "y")
RAILWAYS = ("", "railway", "city", "plain")  # `city` is the editor's own name for a railway
BOATS = ("boat", "ship", "ferry")
JUNCTIONS = ("junction", "waypoint")
OPTIONAL_COLUMNS = ("country", "region", "passengers", "merchandise")

DEFAULT_RULES = "usa"
LONG_SCORES = (1, 2, 4, 7, 10, 15, 18, 21)  # the printed scores, for maps with routes longer than the default's
LONG_DECK = "\n[decks.long]\ndeal = 1\ndraw = 0                                 # the long tickets come at setup only\n"
TUNNELS = "\n[tunnels]\nreveal = 3                               # cards turned up for every tunnel\n"
FERRIES = "\n[ferries]                                # routes that ask for wilds: `locomotives` in routes.csv\n"
FROM_FILES = "Read from files of the map editor; edited by you."

Line = dict[str, Any]  # a row of one of our CSV files, by heading


def import_map(sources: Sequence[Path], base: Edition | None, folder: Path) -> list[str]:
    """Write an edition folder. Sentences name gaps in the files and where the rest came from."""
    tables = read_tables(sources)
    _refuse_errors(tables.problems)
    drawn = DrawnMap(tables, base)
    _refuse_errors(tables.problems)
    for name, lines in (("routes", drawn.routes), ("tickets", drawn.tickets)):
        if lines is None and base is None:
            raise UserError(f"no file holds {name}; name one with --from, or an edition whose {name} are to be kept")
    if drawn.cities is None and drawn.routes is None and drawn.tickets is None:
        raise UserError("no file holds stops, routes or tickets")
    drawn.place_cities()

    write_folder(base or load_edition(DEFAULT_RULES), folder)
    (folder / BOTS_FILE).unlink(missing_ok=True)  # tuned for another map
    for file, written in (("cities.csv", drawn.cities), ("routes.csv", drawn.routes), ("tickets.csv", drawn.tickets)):
        if written is not None:
            _write(folder / file, written)
    rules = folder / RULES_FILE
    text = rules.read_text(encoding="utf-8-sig")
    if ("provenance",) in key_places(text):
        text = replaced(text, ("provenance",), toml_value(FROM_FILES))
    rules.write_text(text if base else _fit_rules(text, drawn), encoding="utf-8")
    return [*drawn.notes, _about_rules(drawn)]


def _refuse_errors(problems: Problems) -> None:
    errors = [str(error) for error in problems.errors]
    if len(errors) == 1:
        raise UserError(f"the map cannot be read: {errors[0]}")
    if errors:
        raise UserError("\n".join(["the map cannot be read:", *(f"  {error}" for error in errors)]))


class DrawnMap:
    """Lines of the map's files. None for a table that no file holds.

    Facts that the editor cannot hold come from the base edition, for cities and routes it has too.
    """

    def __init__(self, tables: Tables, base: Edition | None) -> None:
        self.base = base
        self.notes = tables.notes
        self.cities: list[Line] | None = None
        self.routes: list[Line] | None = None
        self.tickets: list[Line] | None = None
        self._by_id: dict[str, str] = {}
        self._by_name = {city.name.casefold(): city.name for city in base.cities} if base else {}
        self._routes_make_cities = base is None and STOPS not in tables.rows
        # A table of stops replaces all cities, so names of the base edition are unknown then.
        if STOPS in tables.rows:
            self._by_name = {}
            self.cities = self._read_cities(tables.rows[STOPS])
        if ROUTES in tables.rows:
            self.routes = self._read_routes(tables.rows[ROUTES])
        if self._routes_make_cities:
            self.cities = [{"name": name, "x": None, "y": None} for name in self._by_name.values()]
            self._routes_make_cities = False
        if TICKETS in tables.rows:
            has_countries = any("country" in row.row for row in tables.rows.get(STOPS, ()))
            self.tickets = self._read_tickets(tables.rows[TICKETS], has_countries)

    def place_cities(self) -> None:
        """Pull cities without a position into place by their routes."""
        missing = [city for city in self.cities or () if city["x"] is None]
        if not missing or self.cities is None:
            return
        import networkx

        graph = networkx.Graph()
        graph.add_nodes_from(city["name"] for city in self.cities)
        if self.routes:
            graph.add_edges_from((route["from"], route["to"]) for route in self.routes)
        elif self.base:
            names = [city.name for city in self.base.cities]
            graph.add_edges_from((names[route.a], names[route.b]) for route in self.base.routes)
        known = {city["name"]: (city["x"], city["y"]) for city in self.cities if city["x"] is not None}
        middle = (BOARD[0] / 2, BOARD[1] / 2)
        # Cities in place hold the others; without any, the drawing is centered on the editor's board.
        where = {"pos": known, "fixed": list(known)} if known else {"center": middle, "scale": min(middle)}
        found = networkx.spring_layout(graph, seed=1, **where)
        for city in missing:
            city["x"], city["y"] = (round(float(axis), 1) for axis in found[city["name"]])
        self.notes.append(
            f"{len(missing)} of {len(self.cities)} cities have no position and are placed by their routes."
        )

    def _read_cities(self, rows: Sequence[Reader]) -> list[Line]:
        known = {city.name: city for city in self.base.cities} if self.base else {}
        latitudes = [row.decimal("lat") or 0.0 for row in rows if row.text("lat")]
        middle = sum(latitudes) / len(latitudes) if latitudes else 0.0
        lines = []
        for row in rows:
            name = row.name("name") or ""
            if name.casefold() in self._by_name:
                row.error("name", f'there are two stops named "{name}"; every city needs its own name')
            self._by_name.setdefault(name.casefold(), name)
            if row.text("id"):
                self._by_id.setdefault(row.text("id").casefold(), name)
            x, y = _position(row, middle)
            city = known.get(name, City("", 0, 0, None, None, 0))
            line = {"name": name, "x": x, "y": y}
            line["country"] = row.text("country") if "country" in row.row else city.country or ""
            line["region"] = row.text("region") if "region" in row.row else city.region or ""
            line["passengers"] = city.passengers
            if "passengers" in row.row:
                line["passengers"] = row.whole("passengers", 0, limits.MAX_CARDS, default=0) or 0
            lines.append(line)
        junctions = [row.text("name") for row in rows if row.text("type").casefold() in JUNCTIONS]
        if junctions:
            self.notes.append(f"Junctions become cities that no ticket names: {', '.join(junctions)}.")
        return lines

    def _find_city(self, row: Reader, heading: str, kind: str, more: Sequence[str] = ()) -> str:
        """Find a city by id or by name in any case. Empty after reporting an unknown one."""
        written = row.text(heading)
        by_name = {**{name.casefold(): name for name in more}, **self._by_name}
        # An id stays when a stop is renamed in the editor.
        named = self._by_id.get(row.text(f"{heading} id").casefold())
        named = named or by_name.get(written.casefold()) or self._by_id.get(written.casefold())
        if named:
            return named
        if self._routes_make_cities:
            name = row.name(heading) or ""
            return self._by_name.setdefault(name.casefold(), name)
        if not written:
            row.error(heading, f"{heading} is empty")
        else:
            row.error(heading, unknown(kind, written, by_name.values()), closest(written, by_name.values()))
        return ""

    def _read_routes(self, rows: Sequence[Reader]) -> list[Line]:
        carts = _merchandise(self.base) if self.base else {}
        odd_kinds: dict[str, None] = {}
        lines = []
        for row in rows:
            source, target = self._find_city(row, "from", "city"), self._find_city(row, "to", "city")
            if source and source == target:
                row.error("to", "the route ends where it begins")
            length = row.whole("length", 1, limits.MAX_LENGTH) or 1
            color = self._read_color(row)
            kind, locomotives = _read_kind(row, length, odd_kinds)
            left = carts.get((frozenset((source, target)), length, color))
            if "merchandise" in row.row:
                merchandise = row.whole("merchandise", 0, 1, default=0) or 0
            else:
                merchandise = left.pop(0) if left else 0
            line = {"from": source, "to": target, "length": length, "color": color, "kind": kind}
            lines.append({**line, "locomotives": locomotives, "merchandise": merchandise})
        if odd_kinds:
            listed = ", ".join(odd_kinds)
            self.notes.append(f"Routes of a type or wagon style that has no rule here play as plain ones: {listed}.")
        return lines

    def _read_color(self, row: Reader) -> str:
        colors = [color.name for color in self.base.colors] if self.base else [SAME_COLOR.get(c, c) for c in COLORS]
        written = row.text("colour").casefold()
        if written in GRAYS:
            return GRAY
        known = {color.casefold(): color for color in colors}
        # The editor prints purple where the card is called pink.
        for name in (written, SAME_COLOR.get(written, written)):
            if name in known:
                return known[name]
        row.error("colour", unknown("color", row.text("colour"), [GRAY, *colors]), closest(written, known))
        return GRAY

    def _read_tickets(self, rows: Sequence[Reader], has_countries: bool) -> list[Line]:
        if self.cities is not None:
            country_of = {city["name"]: city["country"] for city in self.cities if city.get("country")}
        else:
            country_of = {city.name: city.country for city in self.base.cities if city.country} if self.base else {}
        countries = sorted(set(country_of.values()))
        decks = [deck.name for deck in self.base.decks] if self.base else ["regular"]
        main_label = ""  # the label of the editor that stands for the first deck
        lines = []
        for row in rows:
            ends = [self._find_city(row, heading, "city or country", countries) for heading in ("from", "to")]
            if not has_countries:  # the editor holds a country's spots as plain stops: their tickets mean the country
                ends = [country_of.get(end, end) for end in ends]
            if ends[0] and ends[0] == ends[1]:
                row.error("to", "the ticket ends where it begins")
            points = row.whole("points", 0, limits.MAX_POINTS) or 0
            deck = self._find_deck(row, decks)
            if deck is None:
                label = row.text("deck")
                main_label = main_label or label
                if label and label != main_label:
                    advice = "the editor plays one of them, so export only that one"
                    row.error("deck", f'"{label}" and "{main_label}" are two decks; {advice}')
                deck = next((name for name in decks if name.casefold() != LONG), decks[0])
            lines.append({"from": ends[0], "to": ends[1], "points": points, "deck": deck})
        return lines

    def _find_deck(self, row: Reader, decks: Sequence[str]) -> str | None:
        """Find the long deck or one with the ticket's label. None for any other label."""
        by_name = {name.casefold(): name for name in decks}
        label = row.text("deck").casefold()
        if row.text("long deck").casefold() in YES or label == LONG:
            if LONG not in by_name and self.base:
                heading = "long deck" if "long deck" in row.row else "deck"
                row.error(heading, f'edition.toml has no deck "{LONG}", only {", ".join(decks)}')
            return by_name.get(LONG, LONG)
        return by_name.get(label)


def _merchandise(base: Edition) -> dict[tuple[frozenset[str], int, str], list[int]]:
    """Merchandise of the base edition's routes by ends, length and color."""
    carts: dict[tuple[frozenset[str], int, str], list[int]] = {}
    for route in base.routes:
        ends = frozenset((base.cities[route.a].name, base.cities[route.b].name))
        carts.setdefault((ends, route.length, color_name(base, route)), []).append(int(route.merchandise))
    return carts


def _position(row: Reader, middle: float) -> tuple[float | None, float | None]:
    """Position on the drawing, or none. Latitudes are drawn with north up."""
    if row.text("x") or row.text("y"):
        x, y = (row.decimal(axis) if axis in row.row else None for axis in ("x", "y"))
        return (None, None) if x is None or y is None else (x, y)
    if row.text("lat") and row.text("lon"):
        latitude, longitude = row.decimal("lat"), row.decimal("lon")
        if latitude is not None and longitude is not None:
            # Degrees of longitude are shorter than those of latitude, by the map's mean latitude.
            return longitude * math.cos(math.radians(middle)), -latitude
    return None, None


def _read_kind(row: Reader, length: int, odd_kinds: dict[str, None]) -> tuple[str, int]:
    """Kind and locomotives of a route. A boat, or locomotives on a railway, makes a ferry."""
    kind, style = row.text("type").casefold(), row.text("wagon style").casefold()
    locomotives = row.whole("locomotives", 0, length, default=0) or 0
    if kind not in (*RAILWAYS, *BOATS, "tunnel"):
        odd_kinds[row.text("type")] = None
    if style not in ("", "tunnel"):
        odd_kinds[row.text("wagon style")] = None
    is_ferry = locomotives > 0 or kind in BOATS
    if "tunnel" in (kind, style) or row.text("tunnel").casefold() in YES:
        if is_ferry:
            row.error("from", "a route cannot be both a tunnel and a ferry; make it one of them in the editor")
        return "tunnel", 0
    return ("ferry", locomotives) if is_ferry else ("plain", 0)


def _write(path: Path, lines: Sequence[Line]) -> None:
    """Write lines with the headings of the first, without optional columns that are empty throughout."""
    headings = [name for name in lines[0] if name not in OPTIONAL_COLUMNS or any(line[name] for line in lines)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, headings, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def _fit_rules(text: str, drawn: DrawnMap) -> str:
    """Give default rules the blocks, scores and number of players that a map needs."""
    rules = load_edition(DEFAULT_RULES)
    routes, tickets = drawn.routes or [], drawn.tickets or []
    if max(route["length"] for route in routes) > len(rules.route_scores or ()):
        text = replaced(text, ("route_scores",), toml_value(list(LONG_SCORES)))
    # As many players as setup can deal to; too few tickets even for the fewest are left to `check`.
    long = sum(ticket["deck"] == LONG for ticket in tickets)
    players = (len(tickets) - long) // rules.decks[0].deal
    players = max(rules.players[0], min(players, long) if long else players)
    if players < rules.players[1]:
        text = replaced(text, ("players",), toml_value([rules.players[0], players]))
    kinds = {route["kind"] for route in routes}
    blocks = ((long > 0, LONG_DECK), ("tunnel" in kinds, TUNNELS), ("ferry" in kinds, FERRIES))
    return text + "".join(block for is_needed, block in blocks if is_needed)


def _about_rules(drawn: DrawnMap) -> str:
    """Sentence on the source of the rules and of all else that the editor does not hold."""
    base = drawn.base
    if base is None:
        kinds = {route["kind"] for route in drawn.routes or ()}
        added = [words for kind, words in (("tunnel", "tunnels"), ("ferry", "ferries")) if kind in kinds]
        added += ["a long deck"] if any(ticket["deck"] == LONG for ticket in drawn.tickets or ()) else []
        also = f" with {', '.join(added)} added" if added else ""
        return f"The files hold no rules: edition.toml is that of {DEFAULT_RULES}{also}; --from EDITION brings others."
    features = (
        ("countries", any(city.country for city in base.cities)),
        ("regions", any(city.region for city in base.cities)),
        ("passengers", any(city.passengers for city in base.cities)),
        ("merchandise", any(route.merchandise for route in base.routes)),
    )
    carried = ", ".join(words for words, present in features if present)
    also = f", and so are {carried} of cities and routes that it has too" if carried else ""
    return f"The files hold no rules: edition.toml is that of {base.name}{also}."
