"""Read a CSV file of an edition folder into cells with their places, and turn cells into values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import permutations

from ttr_sim.edition.limits import MAX_COORDINATE, MAX_NAME
from ttr_sim.edition.model import either, shown
from ttr_sim.edition.problems import Place, Problems
from ttr_sim.errors import closest

DELIMITERS = ",;\t"
MOST_LISTED = 13  # names that an error lists: as many as colors with gray
CLEARLY = 4  # times fewer texts must be misplaced once headings are swapped back

WHOLE = re.compile(r"[+-]?[0-9]{1,4000}")  # Python refuses to convert more digits
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

Alias = Callable[[str], str]  # names with the same alias are the same name
Fits = Mapping[str, Callable[[str], bool]]  # by heading: whether a text could stand below it


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
        if is_number(written, self.decimal_comma):
            value = float(written.replace(",", ".") if self.decimal_comma else written)
            if abs(value) <= MAX_COORDINATE:
                return value
        self.refuse(heading, f"is not a number between -{MAX_COORDINATE:,} and {MAX_COORDINATE:,}")
        return None

    def refuse(self, heading: str, why: str) -> None:
        written = self.text(heading)
        self.error(heading, f"{heading} {shown(written)} {why}" if written else f"{heading} is empty")

    def name(self, heading: str) -> str | None:
        """A name of printable characters on one line."""
        written = self.text(heading)
        if not written:
            self.error(heading, f"{heading} is empty")
        elif len(written) > MAX_NAME:
            self.error(heading, f"{heading} has {len(written):,} characters; at most {MAX_NAME} are allowed")
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


def is_number(written: str, decimal_comma: bool) -> bool:
    return bool(DECIMAL.fullmatch(written.replace(",", ".", 1) if decimal_comma else written))


def is_whole_or_empty(written: str) -> bool:
    return not written or bool(WHOLE.fullmatch(written))


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
    first, *below = [_read_line(file, number, line, delimiter, problems) for number, line in lines]
    headings = _read_headings(first, columns, problems) if first else None
    if first is None or headings is None:
        return None

    filled: list[tuple[list[Cell], Place]] = []
    for cells, (number, line) in zip(below, lines[1:], strict=True):
        if cells and any(cell.text for cell in cells):
            filled.append((cells, Place(file, number, len(line) + 1)))
        elif cells:
            problems.warn(cells[0].place, "this row is empty and is ignored")
    _report_extra_cells([cells for cells, _ in filled], first, problems)
    if len(filled) > most:
        problems.error(Place(file, lines[0][0]), f"{len(filled):,} rows; at most {most} are allowed")

    rows = []
    for cells, end in filled[:most]:
        # Cells missing at the end of a line are empty ones, placed behind its last character.
        missing = range(len(cells), len(headings))
        empty = [Cell("", end._replace(cell=spreadsheet_cell(index, end.line))) for index in missing]
        rows.append({name: cell for name, cell in zip(headings, cells + empty, strict=False) if name})
    places = {heading: cell.place for heading, cell in zip(headings, first, strict=True)}
    return CsvTable(places, rows, delimiter != ",", complete=None not in below and len(filled) <= most)


def spreadsheet_cell(place: int, line: int) -> str:
    """Name of a cell in a spreadsheet, such as C2. Places count from 0."""
    letters = ""
    while place >= 0:
        place, letter = divmod(place, 26)
        letters, place = chr(ord("A") + letter) + letters, place - 1
    return f"{letters}{line}"


def _read_headings(fields: list[Cell], columns: Mapping[str, bool], problems: Problems) -> list[str] | None:
    """Lower-case headings, unknown ones included. None after reporting why they cannot be used."""
    headings = [cell.text.casefold() for cell in fields]
    twice = [cell for place, cell in enumerate(fields) if cell.text and headings[place] in headings[:place]]
    for cell in twice:
        problems.error(cell.place, f'the column "{cell.text}" appears twice')
    missing = [name for name in columns if name not in headings]
    # A misspelled optional column would be ignored silently, so it gets a warning at least.
    guessed = {closest(cell.text, missing): cell for cell in fields if cell.text.casefold() not in columns}
    for name in missing:
        if name in guessed:
            report = problems.error if columns[name] else problems.warn
            report(guessed[name].place, f'unknown column "{guessed[name].text}"', name)
        elif columns[name]:
            problems.error(fields[0].place, f'the column "{name}" is missing')
    return None if twice or any(columns[name] for name in missing) else headings


def _read_line(file: str, number: int, line: str, delimiter: str, problems: Problems) -> list[Cell] | None:
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


def _report_extra_cells(rows: list[list[Cell]], headings: list[Cell], problems: Problems) -> None:
    """Report cells without a heading. Once, where most rows have them."""
    extra = []
    for cells in rows:
        extra += [cell for cell in cells[len(headings) :] if cell.text][:1]
    # A heading that is missing moves all cells to the right of it.
    if len(extra) > max(1, len(rows) / 2):
        place = headings[-1].place
        problems.error(place, f"{len(headings)} headings, and {len(extra)} lines have more cells; is one missing?")
        return
    for cell in extra:
        problems.error(cell.place, "more cells than headings (does text that contains the delimiter need quotes?)")


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
