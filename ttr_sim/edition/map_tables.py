"""Read cities.csv, routes.csv and tickets.csv: cells with their places, then the values of the map."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations

from ttr_sim.edition import limits
from ttr_sim.edition.model import City, Route, Ticket
from ttr_sim.edition.problems import Place, Problems
from ttr_sim.edition.schema import either, shown
from ttr_sim.errors import closest

# By heading: whether a file must have the column.
CITY_COLUMNS = {
    **dict.fromkeys(("name", "x", "y"), True),
    **dict.fromkeys(("country", "region", "passengers", "attraction"), False),
}
ROUTE_COLUMNS = {
    **dict.fromkeys(("from", "to", "length", "color"), True),
    **dict.fromkeys(("kind", "locomotives", "merchandise"), False),
}
TICKET_COLUMNS = {"from": True, "to": True, "points": True, "deck": True}
KINDS = ("plain", "tunnel", "ferry")
GRAY, GREY = "gray", "grey"

DELIMITERS = ",;\t"
MAX_CELLS = 100_000
MOST_LISTED = 13  # names that an error lists: as many as colors with gray
CLEARLY = 4  # times fewer texts must be misplaced once headings are swapped back

WHOLE = re.compile(r"[+-]?[0-9]{1,4000}")  # Python refuses to convert more digits
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
WHOLE_OR_EMPTY, A_NUMBER = re.compile(rf"({WHOLE.pattern})?"), re.compile(DECIMAL.pattern.replace(r"\.", "[.,]"))

Alias = Callable[[str], str]  # names with the same alias are the same name
Fits = Mapping[str, Callable[[str], object]]  # by heading: whether a text could stand below it


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class CsvTable:
    """Rows by heading, in file order. A heading that is not in the file has no cell."""

    headings: dict[str, Place]
    rows: list[dict[str, Cell]]
    decimal_comma: bool
    complete: bool  # every row could be read


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns the cells of one row into values. Reports a wrong one and makes it None."""

    row: Mapping[str, Cell]
    problems: Problems
    decimal_comma: bool = False

    def line(self, heading: str) -> int:
        return self.row[heading].place.line

    def error(self, heading: str, message: str, hint: str | None = None) -> None:
        self.problems.error(self.row[heading].place, message, hint)

    def warn(self, heading: str, message: str) -> None:
        self.problems.warn(self.row[heading].place, message)

    def text(self, heading: str) -> str:
        """Text of a cell. Empty when the file has no such column."""
        return self.row[heading].text if heading in self.row else ""

    def whole(self, heading: str, low: int, high: int, default: int | None = None) -> int | None:
        written = self.text(heading)
        if not written and default is not None:
            return default
        if not WHOLE.fullmatch(written):
            self.refuse(heading, "is not a whole number")
        elif not low <= int(written) <= high:
            self.error(heading, f"{heading} must be from {low} to {high}, not {shown(int(written))}")
        else:
            return int(written)
        return None

    def decimal(self, heading: str) -> float | None:
        written = self.text(heading)
        if self.decimal_comma:
            written = written.replace(",", ".", 1)
        if DECIMAL.fullmatch(written) and abs(float(written)) <= limits.MAX_COORDINATE:
            return float(written)
        self.refuse(heading, f"is not a number between -{limits.MAX_COORDINATE:,} and {limits.MAX_COORDINATE:,}")
        return None

    def refuse(self, heading: str, why: str) -> None:
        written = self.text(heading)
        self.error(heading, f"{heading} {shown(written)} {why}" if written else f"{heading} is empty")

    def name(self, heading: str) -> str | None:
        """A name of printable characters on one line."""
        written = self.text(heading)
        if not written:
            self.error(heading, f"{heading} is empty")
        elif len(written) > limits.MAX_NAME:
            self.error(heading, f"{heading} has {len(written):,} characters; at most {limits.MAX_NAME} are allowed")
        elif not written.isprintable():
            self.error(heading, f"{heading} contains a character that cannot be printed")
        else:
            return written
        return None

    def known(self, heading: str, kind: str, names: Mapping[str, int] | None, alias: Alias = str) -> int | None:
        """Number of a known name. None also when the known names could not be read."""
        written = self.text(heading)
        if not written:
            self.error(heading, f"{heading} is empty")
        # Without all known names nothing can be called unknown, and their own errors come first.
        elif names is not None:
            numbers = {alias(name): number for name, number in names.items()}
            if alias(written) in numbers:
                return numbers[alias(written)]
            self.error(heading, unknown(kind, written, names), closest(written, names))
        return None


def one_of_names(names: Iterable[str] | None, alias: Alias = str) -> Callable[[str], bool]:
    """Make a test for known names. It accepts any text when the names could not be read."""
    aliases = None if names is None else {alias(name) for name in names}
    return lambda written: aliases is None or alias(written) in aliases


def unknown(kind: str, written: str, names: Iterable[str]) -> str:
    """Message about an unknown name, listing the allowed names when they are few."""
    allowed = list(names)
    listed = f"; it must be {either(allowed)}" if 0 < len(allowed) <= MOST_LISTED else ""
    return f"unknown {kind} {shown(written)}{listed}"


def read_table(file: str, text: str, columns: Mapping[str, bool], most: int, problems: Problems) -> CsvTable | None:
    """Read a file with these `columns` (True: required). None without usable headings."""
    # Lines of spaces are skipped, but they count: numbers are those of a text editor.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip(" ")]
    if not lines:
        problems.error(Place(file), "the file is empty")
        return None

    def known(delimiter: str) -> int:
        return sum(field.strip().strip('"').casefold() in columns for field in lines[0][1].split(delimiter))

    # Spreadsheets write semicolons where the comma is the decimal mark.
    delimiter = max(DELIMITERS, key=known)
    cells_in_all = sum(line.count(delimiter) + 1 for _, line in lines)
    if cells_in_all > MAX_CELLS:  # each takes memory, and may take a message
        problems.error(Place(file, lines[0][0]), f"{cells_in_all:,} cells; at most {MAX_CELLS:,} are allowed")
        return None
    first, *below = [read_line(file, number, line, delimiter, problems) for number, line in lines]
    if first is None or not check_headings(first, columns, problems):
        return None

    filled: list[tuple[list[Cell], Place]] = []
    for cells, (number, line) in zip(below, lines[1:], strict=True):
        if cells and any(cell.text for cell in cells):
            filled.append((cells, Place(file, number, len(line) + 1)))
        elif cells:
            problems.warn(cells[0].place, "this row is empty and is ignored")
    extra = [next((cell for cell in cells[len(first) :] if cell.text), None) for cells, _ in filled]
    surplus = [cell for cell in extra if cell]
    # A heading that is missing moves all cells to the right of it.
    if len(surplus) > max(1, len(filled) / 2):
        place = first[-1].place
        problems.error(place, f"{len(first)} headings, and {len(surplus)} lines have more cells; is one missing?")
    else:
        for cell in surplus:
            problems.error(cell.place, "more cells than headings (does text that contains the delimiter need quotes?)")
    if len(filled) > most:
        problems.error(Place(file, lines[0][0]), f"{len(filled):,} rows; at most {most} are allowed")

    headings = [cell.text.casefold() for cell in first]
    rows = []
    for cells, end in filled[:most]:
        # Cells missing at the end of a line are empty ones, placed behind its last character.
        missing = range(len(cells), len(headings))
        empty = [Cell("", end._replace(cell=spreadsheet_cell(index, end.line))) for index in missing]
        rows.append({name: cell for name, cell in zip(headings, cells + empty, strict=False) if name})
    places = {heading: cell.place for heading, cell in zip(headings, first, strict=True)}
    return CsvTable(places, rows, delimiter != ",", complete=None not in below and len(filled) <= most)


def check_headings(cells: list[Cell], columns: Mapping[str, bool], problems: Problems) -> bool:
    """Report columns that are missing, misspelled or there twice. False where the file cannot be read so."""
    headings = [cell.text.casefold() for cell in cells]
    twice = [cell for place, cell in enumerate(cells) if cell.text and headings[place] in headings[:place]]
    for cell in twice:
        problems.error(cell.place, f'the column "{cell.text}" appears twice')
    missing = [name for name in columns if name not in headings]
    # A misspelled optional column would be ignored silently, so it gets a warning at least.
    guessed = {closest(cell.text, missing): cell for cell in cells if cell.text.casefold() not in columns}
    for name in missing:
        if name in guessed:
            report = problems.error if columns[name] else problems.warn
            report(guessed[name].place, f'unknown column "{guessed[name].text}"', name)
        elif columns[name]:
            problems.error(cells[0].place, f'the column "{name}" is missing')
    return not twice and not any(columns[name] for name in missing)


def read_line(file: str, number: int, line: str, delimiter: str, problems: Problems) -> list[Cell] | None:
    """Split a line into cells. None after reporting a quote that does not close."""
    # The csv module would not report columns, and would read on into the next lines after a lost quote.
    field = re.compile(rf'\s*"(?:[^"]++|"")*+"[^{delimiter}]*|[^{delimiter}]*')
    cells: list[Cell] = []
    offset = 0
    while offset <= len(line):
        match = field.match(line, offset)  # a delimiter inside quotes does not split
        written = match[0] if match else ""
        column = offset + len(written) - len(written.lstrip()) + 1
        place = Place(file, number, column, spreadsheet_cell(len(cells), number))
        offset += len(written) + 1
        text = written.strip()
        if text.startswith('"'):
            inner = text[1:-1]
            if len(text) == 1 or not text.endswith('"') or '"' in inner.replace('""', ""):
                problems.error(place, "this quote is not closed before the end of the cell")
                return None
            text = inner.replace('""', '"').strip()
        cells.append(Cell(unicodedata.normalize("NFC", text), place))
    return cells


def spreadsheet_cell(place: int, line: int) -> str:
    """Name of a cell in a spreadsheet, such as C2. Places count from 0."""
    letters = ""
    while place >= 0:
        place, letter = divmod(place, 26)
        letters, place = chr(ord("A") + letter) + letters, place - 1
    return f"{letters}{line}"


def unswapped(table: CsvTable, fits: Fits, problems: Problems) -> CsvTable:
    """Report swapped headings once and put the columns below the headings they fit."""
    # Read as they are, swapped columns would give an error in every row.
    headings = sorted(fits.keys() & table.headings.keys(), key=lambda heading: table.headings[heading].column)
    misfits = {
        (heading, below): sum(not fits[heading](row[below].text) for row in table.rows)
        for heading in headings
        for below in headings
    }
    if not any(misfits[heading, heading] > len(table.rows) / 2 for heading in headings):
        return table

    def misplaced(order: Iterable[str]) -> tuple[int, int]:
        pairs = list(zip(headings, order, strict=True))
        return sum(misfits[pair] for pair in pairs), sum(heading != column for heading, column in pairs)

    # Five headings give 120 orders, seven 5,040: few enough to try them all.
    # The order in which the fewest texts are out of place, and then the fewest headings move.
    best = min(permutations(headings), key=misplaced)
    moved = {heading: column for heading, column in zip(headings, best, strict=True) if heading != column}
    if sum(misfits[heading, heading] for heading in moved) <= CLEARLY * sum(misfits[pair] for pair in moved.items()):
        return table
    if len(moved) == 2:
        first, second = moved
        sentence = f'the headings "{first}" and "{second}" are swapped'
    else:
        owner = {column: heading for heading, column in moved.items()}
        right_order = ", ".join(owner[column] for column in moved)
        sentence = f"the headings {', '.join(moved)} stand where {right_order} should stand"
    problems.error(table.headings[next(iter(moved))], sentence)
    return replace(table, rows=[{**row, **{h: row[column] for h, column in moved.items()}} for row in table.rows])


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


def read_rows(
    file: str, text: str | None, columns: Mapping[str, bool], most: int, fits: Fits, problems: Problems
) -> tuple[list[Reader], bool]:
    """Read the rows of a file as far as possible. True when these are all."""
    table = None if text is None else read_table(file, text, columns, most, problems)
    if table is None:
        return [], False
    rows = unswapped(table, fits, problems).rows
    return [Reader(row, problems, table.decimal_comma) for row in rows], table.complete


def read_cities(text: str | None, tables: MapTables, problems: Problems) -> None:
    whole = dict.fromkeys(("passengers", "attraction"), WHOLE_OR_EMPTY.fullmatch)
    fits: Fits = {"name": bool, "x": A_NUMBER.fullmatch, "y": A_NUMBER.fullmatch, **whole}
    rows, tables.knows_cities = read_rows("cities.csv", text, CITY_COLUMNS, limits.MAX_CITIES, fits, problems)
    seen: dict[str, Reader] = {}
    for reader in rows:
        name, x, y = reader.name("name"), reader.decimal("x"), reader.decimal("y")
        country = reader.name("country") if reader.text("country") else None
        region = reader.name("region") if reader.text("region") else None
        passengers = reader.whole("passengers", 0, limits.MAX_CARDS, default=0)
        attraction = reader.whole("attraction", 0, 1, default=0)
        if name in seen:
            reader.error("name", f'the city "{name}" is already on line {seen[name].line("name")}')
        seen.setdefault(name or "", reader)
        # Rows with errors stay in the list, so that places in it are row numbers of the file.
        tables.cities.append(City(name or "", x or 0.0, y or 0.0, country, region, passengers or 0, attraction == 1))
        tables.city_rows.append(reader)


def read_routes(text: str | None, colors: Mapping[str, int] | None, tables: MapTables, problems: Problems) -> None:
    names = numbered(city.name for city in tables.cities) if tables.knows_cities else None
    known_colors = None if colors is None else {**colors, GRAY: -1}
    fits: Fits = {
        **dict.fromkeys(("from", "to"), one_of_names(names)),
        **dict.fromkeys(("length", "locomotives", "merchandise"), WHOLE_OR_EMPTY.fullmatch),
        "color": one_of_names(known_colors, color_key),
        "kind": one_of_names(("", *KINDS)),
    }
    rows, _ = read_rows("routes.csv", text, ROUTE_COLUMNS, limits.MAX_ROUTES, fits, problems)
    groups: dict[frozenset[int | None], int] = {}
    copies: Counter[int] = Counter()
    for reader in rows:
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


def read_tickets(text: str | None, decks: Mapping[str, int] | None, tables: MapTables, problems: Problems) -> None:
    # Each possible end of a ticket is a city itself, or all spots of a country.
    ends: dict[str, tuple[int, ...]] = {}
    for number, city in enumerate(tables.cities):
        if city.country:
            ends[city.country] = (*ends.get(city.country, ()), number)
    ends.update({city.name: (number,) for number, city in enumerate(tables.cities) if city.name})
    names = numbered(ends) if tables.knows_cities else None
    fits: Fits = {
        **dict.fromkeys(("from", "to"), one_of_names(names)),
        "points": WHOLE_OR_EMPTY.fullmatch,
        "deck": one_of_names(decks),
    }
    rows, _ = read_rows("tickets.csv", text, TICKET_COLUMNS, limits.MAX_TICKETS, fits, problems)
    copies: Counter[tuple[frozenset[str], int | None]] = Counter()
    for reader in rows:
        reader.known("from", "city or country", names)
        reader.known("to", "city or country", names)
        a, b = reader.text("from"), reader.text("to")
        points = reader.whole("points", 0, limits.MAX_POINTS)
        deck = reader.known("deck", "deck", decks)
        a_cities, b_cities = ends.get(a, ()), ends.get(b, ())
        if set(a_cities) & set(b_cities):
            reader.error("to", "both ends include the same city")
        same = (frozenset((a, b)), deck)
        tables.tickets.append(Ticket(a, b, a_cities, b_cities, points or 0, deck or 0, copies[same]))
        tables.ticket_rows.append(reader)
        copies[same] += 1
