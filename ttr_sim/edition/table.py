"""Read a CSV file of an edition folder into cells that know their place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ttr_sim.edition.problems import Place, Problems
from ttr_sim.errors import closest

DELIMITERS = ",;\t"
MAX_COLUMNS = 1_000
MAX_CELLS = 100_000
MAX_NORMALIZED = 200


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class CsvTable:
    """Rows by heading, in file order; a heading that is not in the file has no cell."""

    headings: dict[str, Place]
    rows: list[dict[str, Cell]]
    decimal_comma: bool
    complete: bool  # every row could be read


def read_table(file: str, text: str, columns: Mapping[str, bool], most: int, problems: Problems) -> CsvTable | None:
    """Return the rows of a file with these `columns` (True: required), or None without usable headings."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip(" ")]
    if not lines:
        problems.error(Place(file), "the file is empty")
        return None
    delimiter = _delimiter(lines[0][1], columns)
    if refused := _too_much(lines, delimiter):
        problems.error(Place(file, refused[0]), refused[1])
        return None
    first, *below = [_fields(file, number, line, delimiter, problems) for number, line in lines]
    headings = _headings(first, columns, problems) if first else None
    if first is None or headings is None:
        return None
    ends = [Place(file, number, len(line) + 1) for number, line in lines[1:]]
    filled = [(cells, end) for cells, end in zip(below, ends, strict=True) if cells and _holds_text(cells, problems)]
    _report_further_cells([cells for cells, _ in filled], first, problems)
    rows = [_row(cells, headings, end) for cells, end in filled[:most]]
    if len(filled) > most:
        problems.error(Place(file, lines[0][0]), f"{len(filled):,} rows; at most {most} are allowed")
    places = {heading: cell.place for heading, cell in zip(headings, first, strict=True)}
    return CsvTable(places, rows, delimiter != ",", complete=None not in below and len(filled) <= most)


def _too_much(lines: list[tuple[int, str]], delimiter: str) -> tuple[int, str] | None:
    """Return the line and the sentence when the file has more cells than can be a board; each takes memory."""
    total = 0
    for number, line in lines:
        cells = line.count(delimiter) + 1
        total += cells
        if cells > MAX_COLUMNS:
            return number, f"{cells:,} cells in one line; at most {MAX_COLUMNS:,} are allowed"
    return (lines[0][0], f"{total:,} cells; at most {MAX_CELLS:,} are allowed") if total > MAX_CELLS else None


def spreadsheet_cell(place: int, line: int) -> str:
    """Return a cell's name in a spreadsheet, as in C2; places count from 0."""
    letters = ""
    while place >= 0:
        place, letter = divmod(place, 26)
        letters, place = chr(ord("A") + letter) + letters, place - 1
    return f"{letters}{line}"


def _delimiter(line: str, columns: Mapping[str, bool]) -> str:
    """Return the delimiter that gives the most known headings."""

    def known(delimiter: str) -> int:
        return sum(field.strip().strip('"').casefold() in columns for field in line.split(delimiter))

    return max(DELIMITERS, key=known)


def _headings(fields: list[Cell], columns: Mapping[str, bool], problems: Problems) -> list[str] | None:
    """Return lower-case headings in file order, unknown ones too, or None after reporting why they cannot be used."""
    headings = [cell.text.casefold() for cell in fields]
    twice = [cell for place, cell in enumerate(fields) if cell.text and headings[place] in headings[:place]]
    for cell in twice:
        problems.error(cell.place, f'the column "{cell.text}" appears twice')
    missing = [name for name in columns if name not in headings]
    guessed = {closest(cell.text, missing): cell for cell in fields if cell.text.casefold() not in columns}
    for name in missing:
        if name in guessed:
            report = problems.error if columns[name] else problems.warn
            report(guessed[name].place, f'unknown column "{guessed[name].text}"', name)
        elif columns[name]:
            problems.error(fields[0].place, f'the column "{name}" is missing')
    return None if twice or any(columns[name] for name in missing) else headings


def _fields(file: str, number: int, line: str, delimiter: str, problems: Problems) -> list[Cell] | None:
    """Return the cells of one line, or None after reporting a quote that does not close."""
    cells = []
    for index, (start, written) in enumerate(_split(line, delimiter)):
        column = start + len(written) - len(written.lstrip()) + 1
        place = Place(file, number, column, spreadsheet_cell(index, number))
        text = _unquoted(written.strip())
        if text is None:
            problems.error(place, "this quote is not closed before the end of the cell")
            return None
        cells.append(Cell(_normalized(text.strip()), place))
    return cells


def _normalized(text: str) -> str:
    """Write accents in one way; a long text is no name, and thousands of accents on one letter would take minutes."""
    return unicodedata.normalize("NFC", text) if len(text) <= MAX_NORMALIZED else text


def _unquoted(written: str) -> str | None:
    """Return the text inside the quotes, if there are any, or None when they are not a pair."""
    if not written.startswith('"'):
        return written
    inner = written[1:-1]
    closed = len(written) > 1 and written.endswith('"') and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if closed else None


def _split(line: str, delimiter: str) -> Iterator[tuple[int, str]]:
    """Yield start and text of each field; a delimiter inside quotes does not split."""
    field = re.compile(rf'\s*"(?:[^"]++|"")*+"[^{delimiter}]*|[^{delimiter}]*')
    offset = 0
    while offset <= len(line):
        match = field.match(line, offset)
        text = match[0] if match else ""
        yield offset, text
        offset += len(text) + 1


def _holds_text(fields: list[Cell], problems: Problems) -> bool:
    if any(cell.text for cell in fields):
        return True
    problems.warn(fields[0].place, "this row is empty and is ignored")
    return False


def _report_further_cells(rows: list[list[Cell]], headings: list[Cell], problems: Problems) -> None:
    """Report cells that have no heading; once, where most rows have them."""
    further = [cell for cells in rows if (cell := _first_text(cells[len(headings) :]))]
    if len(further) > max(1, len(rows) / 2):
        place = headings[-1].place
        problems.error(place, f"{len(headings)} headings, and {len(further)} lines have more cells; is one missing?")
        return
    for cell in further:
        problems.error(cell.place, "more cells than headings (does text that contains the delimiter need quotes?)")


def _first_text(cells: list[Cell]) -> Cell | None:
    return next((cell for cell in cells if cell.text), None)


def _row(cells: list[Cell], headings: list[str], end: Place) -> dict[str, Cell]:
    """Return the cells by heading; those missing at the end of the line are empty."""
    missing = range(len(cells), len(headings))
    empty = [Cell("", end._replace(cell=spreadsheet_cell(index, end.line))) for index in missing]
    return {name: cell for name, cell in zip(headings, cells + empty, strict=False) if name}
