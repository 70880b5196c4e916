"""Read a CSV file of an edition folder into cells that know their place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ttr_sim.edition.problems import Place, Problems
from ttr_sim.spelling import closest

DELIMITERS = ",;\t"


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by heading, in file order; a heading the file lacks gives no cell."""

    file: str
    rows: list[dict[str, Cell]]
    decimal_comma: bool


def read_table(file: str, text: str, columns: Mapping[str, bool], most: int, problems: Problems) -> Table | None:
    """The rows of a file whose columns are named in `columns` (True: required); None without usable headings."""
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None:
        problems.error(Place(file), "the file is empty")
        return None
    delimiter = _delimiter(lines[first], columns)
    fields = _fields(file, first + 1, lines[first], delimiter, problems)
    headings = _headings(fields, columns, problems) if fields else []
    if any(needed and name not in headings for name, needed in columns.items()):
        return None
    rows = []
    for number, line in enumerate(lines[first + 1 :], start=first + 2):
        cells = _fields(file, number, line, delimiter, problems) if line.strip(" ") else None
        if cells and _holds_text(cells, problems):
            rows.append(_row(cells, headings, Place(file, number, len(line) + 1), problems))
    if len(rows) > most:
        problems.error(Place(file, first + 1), f"{len(rows):,} rows; at most {most} are allowed")
    return Table(file, rows[:most], delimiter != ",")


def _delimiter(line: str, columns: Mapping[str, bool]) -> str:
    """The one that shows the most known headings."""

    def known(delimiter: str) -> int:
        return sum(field.strip().strip('"').casefold() in columns for field in line.split(delimiter))

    return max(DELIMITERS, key=known)


def _headings(fields: list[Cell], columns: Mapping[str, bool], problems: Problems) -> list[str]:
    """Lower-case headings in file order; unknown ones are kept, wrong ones told."""
    headings: list[str] = []
    for cell in fields:
        name = cell.text.casefold()
        if name in headings and name:
            problems.error(cell.place, f'the column "{name}" appears twice')
        headings.append(name)
    missing = [name for name in columns if name not in headings]
    unknown = [name for name in headings if name not in columns]
    for name in missing:
        if columns[name]:
            problems.error(fields[0].place, f'the column "{name}" is missing', closest(name, unknown))
    for cell, name in zip(fields, headings, strict=True):
        guess = closest(name, missing) if name in unknown else None
        if guess and not columns[guess]:
            problems.warn(cell.place, f'the column "{cell.text}" is not read', guess)
    return headings


def _fields(file: str, number: int, line: str, delimiter: str, problems: Problems) -> list[Cell] | None:
    """The cells of one line; None after telling of a quote that does not close."""
    cells = []
    for start, text in _split(line, delimiter):
        column = start + len(text) - len(text.lstrip()) + 1
        place = Place(file, number, column)
        stripped = text.strip()
        if stripped.startswith('"'):
            inner = stripped[1:-1]
            if len(stripped) < 2 or stripped[-1] != '"' or '"' in inner.replace('""', ""):
                problems.error(place, "the quote that opens here is not closed before the end of the cell")
                return None
            stripped = inner.replace('""', '"').strip()
        cells.append(Cell(unicodedata.normalize("NFC", stripped), place))
    return cells


def _split(line: str, delimiter: str) -> Iterator[tuple[int, str]]:
    """Start and text of each field; a delimiter within quotes does not split."""
    field = re.compile(rf'\s*"(?:[^"]|"")*"[^{delimiter}]*|[^{delimiter}]*')
    offset = 0
    while offset <= len(line):
        match = field.match(line, offset)
        text = match[0] if match else ""
        yield offset, text
        offset += len(text) + 1


def _holds_text(fields: list[Cell], problems: Problems) -> bool:
    if any(cell.text for cell in fields):
        return True
    problems.warn(fields[0].place, "this row is empty and does not count")
    return False


def _row(fields: list[Cell], headings: list[str], end: Place, problems: Problems) -> dict[str, Cell]:
    """Cells by heading; cells left out at the end of the line are empty ones."""
    for cell in fields[len(headings) :]:
        if cell.text:
            problems.error(cell.place, "more cells than headings (does a text with the delimiter need quotes?)")
            break
    padded = fields + [Cell("", end)] * (len(headings) - len(fields))
    return {name: cell for name, cell in zip(headings, padded, strict=False) if name}
