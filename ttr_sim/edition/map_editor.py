"""Read and write the tables of the map editor (bjornhagstrom/ticket-to-ride-map-editor): see docs/editor.md.

Its tables are those of its documentation of version 0.4.0 (3 October 2026), as CSV files or sheets of a workbook.
"""

from __future__ import annotations

import csv
import io
import math
import unicodedata
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from ttr_sim.edition import limits
from ttr_sim.edition.canonical import color_name
from ttr_sim.edition.load import load_edition
from ttr_sim.edition.map_tables import GRAY, Cell, Reader, read_table, spreadsheet_cell, unknown
from ttr_sim.edition.model import City, Edition
from ttr_sim.edition.network import distances
from ttr_sim.edition.problems import BOTS_FILE, RULES_FILE, Place, Problems, decode, read_bytes
from ttr_sim.edition.rules import key_places, replaced
from ttr_sim.edition.write import toml_value, write_folder
from ttr_sim.errors import UserError, closest

CSV, WORKBOOK = ".csv", ".xlsx"
STOPS, ROUTES, TICKETS = "cities.csv", "routes.csv", "tickets.csv"  # kinds of tables, by our files

# Other headings of the editor and of this program's own files that mean the same. The first one in a file counts.
ALIASES = {
    **{"kind": "type", "color": "colour", "latitude": "lat", "lng": "lon", "longitude": "lon"},
    **{"a": "from", "b": "to", "ferrylocomotives": "locomotives", "long": "long deck"},
}
HEADINGS = {
    *("name", "id", "type", "x", "y", "lat", "lon", "country", "region", "passengers", "attraction"),
    *("from", "to", "from id", "to id", "length", "colour", "wagon style", "tunnel", "locomotives", "merchandise"),
    *("points", "deck", "long deck", *ALIASES),
}
# Columns that the editor lacks, and their facts as the notes call them.
FACTS = {
    **{"country": "countries", "region": "regions", "passengers": "passengers"},
    **{"attraction": "attractions", "merchandise": "merchandise"},
}

COLORS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple")
SAME_COLOR = {"purple": "pink", "pink": "purple"}  # one card has these two names
GRAYS = ("", "grey", "gray", "neutral", "any")
YES = ("yes", "true", "1", "ja", "y")
BOATS = ("boat", "ship", "ferry")
PLAYED_KINDS = ("", "railway", "city", "plain", "tunnel", *BOATS)  # `city` is the editor's own name for a railway
JUNCTIONS = ("junction", "waypoint")
LONG = "long"
BOARD = (1100, 731)  # the editor's lying board; positions beyond it are scaled to fit
FORMULA = ("=", "+", "-", "@")  # text with these first letters carries an apostrophe against spreadsheets
GUARDED = tuple(f"'{sign}" for sign in FORMULA)

MOST_ROWS = 500  # of any table: more than an edition may have, so that the limits are reported as such
MOST_COLUMNS = 100
NOT_A_WORKBOOK = (BadZipFile, zlib.error, SyntaxError, LookupError, ValueError, TypeError, AttributeError, RuntimeError)

DEFAULT_RULES = "usa"
LONG_SCORES = [1, 2, 4, 7, 10, 15, 18, 21]  # the printed scores, for maps with routes longer than the default's
BLOCKS = {
    "tunnels": "\n[tunnels]\nreveal = 3                               # cards turned up for every tunnel\n",
    "ferries": "\n[ferries]                                # routes that ask for wilds: `locomotives` in routes.csv\n",
    "a long deck": (
        "\n[decks.long]\ndeal = 1\ndraw = 0                                 # the long tickets come at setup only\n"
    ),
}
FROM_FILES = "Read from files of the map editor; edited by you."
UNREADABLE = "the map cannot be read"

Line = dict[str, Any]  # a row of one of our CSV files, by heading
Tables = dict[str, list[Reader]]  # rows by kind
NO_PLACE: Line = {"x": math.nan, "y": math.nan}
NEW_CITY = asdict(City("", **NO_PLACE, country=None, region=None, passengers=0))


def is_table_file(path: Path) -> bool:
    return path.suffix.lower() in (CSV, WORKBOOK)


def import_map(sources: Sequence[Path], base: Edition | None, folder: Path) -> list[str]:
    """Write an edition folder. Sentences name gaps in the files and where the rest came from."""
    problems, notes = Problems(), list[str]()
    tables = read_tables(sources, problems, notes)
    problems.refuse(UNREADABLE)
    drawn = DrawnMap(tables, base, notes)
    problems.refuse(UNREADABLE)
    for kind in () if base else (ROUTES, TICKETS):
        if kind not in tables:
            things = kind.removesuffix(CSV)
            raise UserError(
                f"no file holds {things}; name one with --from, or an edition whose {things} are to be kept"
            )
    if not tables:
        raise UserError("no file holds stops, routes or tickets")

    write_folder(drawn.rules, folder)
    (folder / BOTS_FILE).unlink(missing_ok=True)  # tuned for another map
    for kind, lines in ((STOPS, drawn.placed_cities()), (ROUTES, drawn.routes), (TICKETS, drawn.tickets)):
        if kind in tables or base is None:
            headings = [name for name in lines[0] if name not in FACTS or any(line[name] for line in lines)]
            with (folder / kind).open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, headings, extrasaction="ignore", lineterminator="\n")
                writer.writeheader()
                writer.writerows(lines)
    text = (folder / RULES_FILE).read_text(encoding="utf-8-sig")
    if ("provenance",) in key_places(text):
        text = replaced(text, ("provenance",), toml_value(FROM_FILES))
    if base is None:
        text, added = fit_default_rules(text, drawn)
        also = f" with {', '.join(added)} added" if added else ""
        source = f"{DEFAULT_RULES}{also}; --from EDITION brings others."
    else:
        rows = [*base.cities, *base.routes]
        carried = [words for name, words in FACTS.items() if any(getattr(row, name, None) for row in rows)]
        also = f", and so are {', '.join(carried)} of cities and routes that it has too" if carried else ""
        source = f"{base.name}{also}."
    (folder / RULES_FILE).write_text(text, encoding="utf-8")
    return [*notes, f"The files hold no rules: edition.toml is that of {source}"]


def fit_default_rules(text: str, drawn: DrawnMap) -> tuple[str, list[str]]:
    """Add the blocks, scores and number of players that a map needs, and name the additions."""
    rules, tickets = drawn.rules, len(drawn.tickets)
    if max(route["length"] for route in drawn.routes) > len(rules.route_scores or ()):
        text = replaced(text, ("route_scores",), toml_value(LONG_SCORES))
    # As many players as setup can deal to; too few tickets even for the fewest are left to `check`.
    long = sum(ticket["deck"] == LONG for ticket in drawn.tickets)
    players = (tickets - long) // rules.decks[0].deal
    players = max(rules.players[0], min(players, long) if long else players)
    if players < rules.players[1]:
        text = replaced(text, ("players",), toml_value([rules.players[0], players]))
    kinds = {route["kind"] for route in drawn.routes}
    needed = {"tunnels": "tunnel" in kinds, "ferries": "ferry" in kinds, "a long deck": bool(long)}
    added = [name for name, is_needed in needed.items() if is_needed]
    return text + "".join(BLOCKS[name] for name in added), added


def read_tables(paths: Sequence[Path], problems: Problems, notes: list[str]) -> Tables:
    """Read every table of the files and folders. A folder's other files are left alone."""
    tables: Tables = {}
    # Files may come in any order and number: their headings decide.
    for path in paths:
        inside = sorted(file for file in path.iterdir() if is_table_file(file)) if path.is_dir() else [path]
        if not inside:
            raise UserError(f"{path} holds no edition.toml and no .csv or .xlsx file, so there is nothing to read")
        for file in inside:
            sheets: list[tuple[str, list[dict[str, Cell]], bool]] = []
            if file.suffix.lower() == WORKBOOK:
                sheets = [(name, rows, False) for name, rows in read_sheets(file)]
            elif (data := read_bytes(file, problems)) and (text := decode(data, file.name, problems)) is not None:
                table = read_table(file.name, text, dict.fromkeys(HEADINGS, False), MOST_ROWS, problems)
                sheets = [(file.name, table.rows, table.decimal_comma)] if table else []
            for name, rows, decimal_comma in sheets:
                headings = set(rows[0]) if rows else set()
                kind, fault = kind_of_table(headings)
                if not rows:
                    notes.append(f"{name} has no rows and is skipped.")
                elif not kind and (path.is_dir() or file.suffix.lower() == WORKBOOK):
                    notes.append(f"{name} is not a table of stops, routes or tickets and is skipped.")
                elif fault:
                    problems.error(Place(name), fault)
                else:
                    of_kind = tables.setdefault(kind, [])
                    of_kind += [Reader(renamed(row, kind), problems, decimal_comma) for row in rows]
    return tables


def kind_of_table(headings: set[str]) -> tuple[str, str]:
    """Kind of a table, or the fault of its headings."""
    if not (headings & {"from", "a"} and headings & {"to", "b"}):
        kind = STOPS if "name" in headings else ""
    elif headings & {"points", "deck"}:  # before routes: the editor writes a column Length here, too
        return TICKETS, "" if "points" in headings else 'the column "Points" is missing'
    else:
        kind = ROUTES if "length" in headings else ""
    return kind, "" if kind else "the headings are not those of stops (Name), routes (From, To, Length) or tickets"


def renamed(row: Mapping[str, Cell], kind: str) -> dict[str, Cell]:
    """Put the cells of a row under the editor's main headings, without apostrophes against spreadsheets."""
    aliases = {**ALIASES, "long": "lon"} if kind == STOPS else ALIASES
    cells: dict[str, Cell] = {}
    for heading, cell in row.items():
        text = cell.text[1:] if cell.text.startswith(GUARDED) else cell.text
        cells.setdefault(aliases.get(heading, heading), Cell(text, cell.place))
    return cells


def read_sheets(file: Path) -> Iterator[tuple[str, list[dict[str, Cell]]]]:
    """Yield name and rows of each sheet of a workbook."""
    from openpyxl import load_workbook

    try:
        with ZipFile(file) as packed:
            unpacked = sum(entry.file_size for entry in packed.infolist())
        if max(file.stat().st_size, unpacked) > limits.MAX_FILE_BYTES:  # XML takes a hundred times its size in memory
            raise UserError(f"{file} is too large; at most {limits.MAX_FILE_BYTES:,} bytes are read")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and the like, which are not read
            book = load_workbook(file, read_only=True, data_only=True)
            for sheet in book.worksheets:
                name = f"{file.name}, sheet {sheet.title}"
                headings: list[str] = []
                rows = []
                lines = sheet.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True)
                for number, values in enumerate(lines, start=1):
                    texts = [as_text(value) for value in values]
                    if any(texts) and not headings:
                        headings = [text.casefold() for text in texts]
                    elif any(texts):
                        places = (Place(name, 0, 0, spreadsheet_cell(index, number)) for index in range(len(texts)))
                        cells = map(Cell, texts, places)
                        rows.append({heading: cell for heading, cell in zip(headings, cells, strict=False) if heading})
                yield name, rows
            book.close()
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror or error}") from error
    except NOT_A_WORKBOOK as error:
        raise UserError(f"{file} cannot be read as an .xlsx workbook; save it again, or as .csv files") from error


def as_text(value: object) -> str:
    """Format a cell as a CSV file would hold it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else unicodedata.normalize("NFC", str(value).strip())


class DrawnMap:
    """Cities, routes and tickets as lines of our files. Facts that the editor lacks come from the base edition."""

    def __init__(self, tables: Tables, base: Edition | None, notes: list[str]) -> None:
        self.base, self.notes = base, notes
        self.rules = base or load_edition(DEFAULT_RULES)
        self.ids: dict[str, str] = {}
        # A table of stops replaces all cities, so names of the base edition are unknown then.
        self.known = {city.name: asdict(city) for city in base.cities} if base else {}
        self.names = {} if STOPS in tables else {name.casefold(): name for name in self.known}
        self.routes_make_cities = base is None and STOPS not in tables
        self.cities = self.read_cities(tables[STOPS]) if STOPS in tables else list(self.known.values())
        self.routes = self.read_routes(tables[ROUTES]) if ROUTES in tables else self.base_routes()
        if self.routes_make_cities:
            self.cities = [{**NEW_CITY, "name": name} for name in self.names.values()]
            self.routes_make_cities = False
        # The editor holds a country's spots as plain stops: their tickets mean the country.
        has_countries = any("country" in row.row for row in tables.get(STOPS, ()))
        self.tickets = self.read_tickets(tables.get(TICKETS, ()), has_countries)

    def base_routes(self) -> list[Line]:
        lines = []
        for route in self.base.routes if self.base else ():
            ends = {"from": self.rules.cities[route.a].name, "to": self.rules.cities[route.b].name}
            color = color_name(self.rules, route)
            lines.append({**ends, "length": route.length, "color": color, "merchandise": int(route.merchandise)})
        return lines

    def placed_cities(self) -> list[Line]:
        """Cities, the ones without a position placed by their routes."""
        placed: dict[str, Sequence[float]] = {
            city["name"]: (city["x"], city["y"]) for city in self.cities if not math.isnan(city["x"])
        }
        missing = len(self.cities) - len(placed)
        if missing:
            import networkx

            graph = networkx.Graph()
            graph.add_nodes_from(city["name"] for city in self.cities)
            graph.add_edges_from((route["from"], route["to"]) for route in self.routes)
            middle = (BOARD[0] / 2, BOARD[1] / 2)
            # Cities in place hold the others; without any, the drawing is centered on the editor's board.
            where = {"pos": placed, "fixed": list(placed)} if placed else {"center": middle, "scale": min(middle)}
            found = networkx.spring_layout(graph, seed=1, **where)
            placed = {name: [round(float(axis), 1) for axis in place] for name, place in found.items()} | placed
            self.notes.append(
                f"{missing} of {len(self.cities)} cities have no position and are placed by their routes."
            )
        lines = []
        for city in self.cities:
            x, y = placed[city["name"]]
            lines.append({**city, "x": x, "y": y, "attraction": int(city["attraction"])})
        return lines

    def read_cities(self, rows: Sequence[Reader]) -> list[Line]:
        latitudes = [row.decimal("lat") or 0.0 for row in rows if row.text("lat")]
        # Degrees of longitude are shorter than those of latitude, by the map's mean latitude.
        shrink = math.cos(math.radians(sum(latitudes) / len(latitudes))) if latitudes else 1.0
        cities = []
        for row in rows:
            name = row.name("name") or ""
            if name.casefold() in self.names:
                row.error("name", f'there are two stops named "{name}"; every city needs its own name')
            self.names.setdefault(name.casefold(), name)
            if row.text("id"):
                self.ids.setdefault(row.text("id").casefold(), name)
            x = y = None
            if row.text("x") or row.text("y"):
                x, y = (row.decimal(axis) if axis in row.row else None for axis in ("x", "y"))
            elif row.text("lat") and row.text("lon"):
                latitude, longitude = row.decimal("lat"), row.decimal("lon")
                if latitude is not None and longitude is not None:
                    x, y = longitude * shrink, -latitude  # north is up
            given: Line = NO_PLACE if x is None or y is None else {"x": x, "y": y}
            given = given | {heading: row.text(heading) for heading in ("country", "region") if heading in row.row}
            for heading, most in (("passengers", limits.MAX_CARDS), ("attraction", 1)):
                if heading in row.row:
                    given[heading] = row.whole(heading, 0, most, default=0) or 0
            cities.append({**self.known.get(name, NEW_CITY), "name": name, **given})
        junctions = [row.text("name") for row in rows if row.text("type").casefold() in JUNCTIONS]
        if junctions:
            self.notes.append(f"Junctions become cities that no ticket names: {', '.join(junctions)}.")
        return cities

    def find_city(self, row: Reader, heading: str, kind: str, more: Sequence[str] = ()) -> str:
        """Find a city by id or by name in any case. Empty after reporting an unknown one."""
        written = row.text(heading)
        names = {**{name.casefold(): name for name in more}, **self.names}
        # An id stays when a stop is renamed in the editor.
        named = self.ids.get(row.text(f"{heading} id").casefold())
        named = named or names.get(written.casefold()) or self.ids.get(written.casefold())
        if named:
            return named
        if self.routes_make_cities:
            name = row.name(heading) or ""
            return self.names.setdefault(name.casefold(), name)
        if not written:
            row.error(heading, f"{heading} is empty")
        else:
            row.error(heading, unknown(kind, written, names.values()), closest(written, names.values()))
        return ""

    def read_routes(self, rows: Sequence[Reader]) -> list[Line]:
        carts: dict[tuple[object, ...], list[int]] = {}  # the base edition's merchandise
        for line in self.base_routes():
            same = frozenset((line["from"], line["to"])), line["length"], line["color"]
            carts.setdefault(same, []).append(line["merchandise"])
        colors = [color.name for color in self.rules.colors]
        known_colors = {color.casefold(): color for color in colors} | dict.fromkeys(GRAYS, GRAY)
        odd_kinds: dict[str, None] = {}
        lines = []
        for row in rows:
            source, target = self.find_city(row, "from", "city"), self.find_city(row, "to", "city")
            if source and source == target:
                row.error("to", "the route ends where it begins")
            length = row.whole("length", 1, limits.MAX_LENGTH) or 1
            written = row.text("colour").casefold()
            # The editor prints purple where the card is called pink.
            color = known_colors.get(written) or known_colors.get(SAME_COLOR.get(written, written))
            if color is None:
                row.error(
                    "colour", unknown("color", row.text("colour"), [GRAY, *colors]), closest(written, known_colors)
                )
            locomotives = row.whole("locomotives", 0, length, default=0) or 0
            kind, style = row.text("type").casefold(), row.text("wagon style").casefold()
            if kind not in PLAYED_KINDS:
                odd_kinds[row.text("type")] = None
            if style not in ("", "tunnel"):
                odd_kinds[row.text("wagon style")] = None
            # A boat, or locomotives on a railway, makes a ferry.
            is_ferry = locomotives > 0 or kind in BOATS
            is_tunnel = "tunnel" in (kind, style) or row.text("tunnel").casefold() in YES
            if is_tunnel and is_ferry:
                row.error("from", "a route cannot be both a tunnel and a ferry; make it one of them in the editor")
            left = carts.get((frozenset((source, target)), length, color))
            if "merchandise" in row.row:
                merchandise = row.whole("merchandise", 0, 1, default=0) or 0
            else:
                merchandise = left.pop(0) if left else 0
            line = {"from": source, "to": target, "length": length, "color": color}
            line["kind"] = "tunnel" if is_tunnel else "ferry" if is_ferry else "plain"
            lines.append({**line, "locomotives": 0 if is_tunnel else locomotives, "merchandise": merchandise})
        if odd_kinds:
            listed = ", ".join(odd_kinds)
            self.notes.append(f"Routes of a type or wagon style that has no rule here play as plain ones: {listed}.")
        return lines

    def read_tickets(self, rows: Sequence[Reader], has_countries: bool) -> list[Line]:
        country_of = {city["name"]: city["country"] for city in self.cities if city["country"]}
        countries = sorted(set(country_of.values()))
        decks = {deck.name.casefold(): deck.name for deck in self.rules.decks}
        main_deck = next((name for key, name in decks.items() if key != LONG), LONG)
        main_label = ""  # the label of the editor that stands for the main deck
        lines = []
        for row in rows:
            ends = [self.find_city(row, heading, "city or country", countries) for heading in ("from", "to")]
            if not has_countries:
                ends = [country_of.get(end, end) for end in ends]
            if ends[0] and ends[0] == ends[1]:
                row.error("to", "the ticket ends where it begins")
            points = row.whole("points", 0, limits.MAX_POINTS) or 0
            label = row.text("deck")
            if row.text("long deck").casefold() in YES or label.casefold() == LONG:
                if LONG not in decks and self.base:
                    heading = "long deck" if "long deck" in row.row else "deck"
                    row.error(heading, f'edition.toml has no deck "{LONG}", only {", ".join(decks.values())}')
                deck = decks.get(LONG, LONG)
            elif label.casefold() in decks:
                deck = decks[label.casefold()]
            else:
                main_label = main_label or label
                if label and label != main_label:
                    advice = "the editor plays one of them, so export only that one"
                    row.error("deck", f'"{label}" and "{main_label}" are two decks; {advice}')
                deck = main_deck
            lines.append({"from": ends[0], "to": ends[1], "points": points, "deck": deck})
        return lines


def export_map(edition: Edition, folder: Path) -> list[str]:
    """Write stops.csv, routes.csv and tickets.csv. Sentences name all that they cannot hold."""
    names = [city.name for city in edition.cities]
    own = {color.name.casefold() for color in edition.colors}
    # Pink is the editor's purple, unless the edition has both.
    same = {"pink": "purple"} if "purple" not in own else {}
    colors = [same.get(color.name.casefold(), color.name) for color in edition.colors]
    # One deck of the editor for all where the only other is the long one.
    others = [deck.name for deck in edition.decks if deck.name.casefold() != LONG]
    decks = [others[0] if len(others) == 1 else deck.name for deck in edition.decks]

    stops: list[tuple[object, ...]] = [("Name", "Type", "X", "Y")]
    stops += [(city.name, "Regular", city.x, city.y) for city in edition.cities]
    routes: list[tuple[object, ...]] = [("From", "To", "Length", "Colour", "Type", "Wagon style", "Locomotives")]
    for route in edition.routes:
        color = "grey" if route.color is None else colors[route.color]
        color = color.capitalize() if color.casefold() in (*COLORS, "grey") else color
        boat, style = "Boat" if route.kind == "ferry" else "Railway", "Tunnel" if route.kind == "tunnel" else ""
        routes.append((names[route.a], names[route.b], route.length, color, boat, style, route.locomotives))
    tickets: list[tuple[object, ...]] = [("Deck", "From", "To", "Points", "Long deck")]
    trains = distances(edition)
    for ticket in edition.tickets:
        # For a country, its spot nearest to the other end.
        _, a, b = min((trains[a][b], a, b) for a in ticket.a_cities for b in ticket.b_cities)
        long = edition.decks[ticket.deck].name.casefold() == LONG
        tickets.append((decks[ticket.deck], names[a], names[b], ticket.points, "yes" if long else ""))

    tables = {
        folder / f"{kind}.csv": rows for kind, rows in (("stops", stops), ("routes", routes), ("tickets", tickets))
    }
    for path in tables if folder.is_dir() else [folder]:
        if path.exists() or path.is_symlink():
            raise UserError(f"{path} already exists and is not overwritten; choose another folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    for path, rows in tables.items():
        text = io.StringIO()
        # No spreadsheet shall take a name for a formula; numbers stay as they are.
        for row in rows:
            guards = ("'" if isinstance(cell, str) and cell.startswith(FORMULA) else "" for cell in row)
            csv.writer(text).writerow([f"{guard}{cell}" for guard, cell in zip(guards, row, strict=True)])
        # As the editor writes them: a byte-order mark, so that Excel reads é, and lines that end as on Windows.
        path.write_bytes(text.getvalue().encode("utf-8-sig"))
    return list(losses(edition, colors, sorted(set(decks))))


def losses(edition: Edition, colors: Sequence[str], decks: Sequence[str]) -> Iterator[str]:
    """Sentences on the facts that the editor's tables cannot hold."""
    countries = {city.country for city in edition.cities if city.country}
    if countries:
        yield (
            f"The editor knows no countries: the spots of {', '.join(sorted(countries))} become separate stops, "
            "and a ticket to a country names the nearest of them."
        )
    counts = {
        "passengers of cities": sum(city.passengers for city in edition.cities),
        "attractions": sum(city.attraction for city in edition.cities),
        "regions of cities": sum(city.region is not None for city in edition.cities),
        "merchandise symbols of routes": sum(route.merchandise for route in edition.routes),
    }
    for words, count in counts.items():
        if count:
            yield f"The editor has no place for {words}: {count} are left out."
    if len(decks) > 1:
        yield f"The editor takes decks for alternatives of which one is played: {', '.join(decks)}."
    odd = [color.name for color, name in zip(edition.colors, colors, strict=True) if name.casefold() not in COLORS]
    if odd:
        yield f"The editor makes routes gray that have a color it does not know: {', '.join(odd)}."
    if any(not (0 <= city.x <= BOARD[0] and 0 <= city.y <= BOARD[1]) for city in edition.cities):
        yield "Some cities lie beyond the editor's board, so it will scale the drawing to fit."
    yield f"The editor's files hold no rules: to read them back, add --from {edition.name} for its edition.toml."
