"""The editor's tables by its documentation of version 0.4.0 (3 October 2026), found in files and workbooks."""

from __future__ import annotations

import unicodedata
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from ttr_sim.edition.csv_reader import Cell, Reader, read_table, spreadsheet_cell
from ttr_sim.edition.limits import MAX_FILE_BYTES
from ttr_sim.edition.problems import Place, Problems, decode, read_bytes
from ttr_sim.errors import UserError

CSV, WORKBOOK = ".csv", ".xlsx"
STOPS, ROUTES, TICKETS = "stops", "routes", "tickets"

# Columns of each table, with those of this program's own files, and other headings that mean the same.
COLUMNS = {
    STOPS: ("name", "id", "type", "x", "y", "lat", "lon", "country", "region", "passengers"),
    ROUTES: (
        *("from", "to", "from id", "to id", "length", "colour"),
        *("type", "wagon style", "tunnel", "locomotives", "merchandise"),
    ),
    TICKETS: ("from", "to", "from id", "to id", "points", "deck", "long deck"),
}
ALIASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    STOPS: {"type": ("kind",), "lat": ("latitude",), "lon": ("lng", "long", "longitude")},
    ROUTES: {
        "from": ("a",),
        "to": ("b",),
        "colour": ("color",),
        "type": ("kind",),
        "locomotives": ("ferrylocomotives",),
    },
    TICKETS: {"from": ("a",), "to": ("b",), "long deck": ("long",)},
}
ALL_HEADINGS = {
    heading: False
    for kind, columns in COLUMNS.items()
    for column in columns
    for heading in (column, *ALIASES[kind].get(column, ()))
}

COLORS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple")
SAME_COLOR = {"purple": "pink", "pink": "purple"}  # one card has these two names
LONG = "long"
BOARD = (1100, 731)  # the editor's lying board; positions beyond it are scaled to fit
FORMULA = ("=", "+", "-", "@")  # text with these first letters carries an apostrophe against spreadsheets
GUARDED = tuple(f"'{sign}" for sign in FORMULA)

MOST_ROWS = 500  # of any table: more than an edition may have, so that the limits are reported as such
MOST_COLUMNS = 100
NOT_A_WORKBOOK = (BadZipFile, zlib.error, SyntaxError, LookupError, ValueError, TypeError, AttributeError, RuntimeError)


@dataclass(slots=True)
class Tables:
    """Rows by kind of table, problems in them, and notes about files that were skipped."""

    problems: Problems = field(default_factory=Problems)
    rows: dict[str, list[Reader]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def is_table_file(path: Path) -> bool:
    return path.suffix.lower() in (CSV, WORKBOOK)


def read_tables(paths: Sequence[Path]) -> Tables:
    """Read every table of the files and folders. A folder's other files are left alone."""
    tables = Tables()
    # Files may come in any order and number: their headings decide.
    for path in paths:
        inside = sorted(file for file in path.iterdir() if is_table_file(file)) if path.is_dir() else [path]
        if not inside:
            raise UserError(f"{path} holds no edition.toml and no .csv or .xlsx file, so there is nothing to read")
        for file in inside:
            if file.suffix.lower() == WORKBOOK:
                for name, rows in _read_sheets(file):
                    _add(name, rows, tables, optional=True)
                continue
            problems = Problems()  # its warnings, about columns that are not read, do not matter here
            data = read_bytes(file, problems)
            text = None if data is None else decode(data, file.name, problems)
            table = None if text is None else read_table(file.name, text, ALL_HEADINGS, MOST_ROWS, problems)
            tables.problems.errors.extend(problems.errors)
            if table is not None:
                _add(file.name, table.rows, tables, path.is_dir(), table.decimal_comma)
    return tables


def _add(
    name: str, rows: Sequence[Mapping[str, Cell]], tables: Tables, optional: bool, decimal_comma: bool = False
) -> None:
    """Recognize a table by its headings and add its rows."""
    if not rows:
        tables.notes.append(f"{name} has no rows and is skipped.")
        return
    headings = set(rows[0])
    has_ends = bool(headings & {"from", "a"}) and bool(headings & {"to", "b"})
    if has_ends and headings & {"points", "deck"}:  # before routes: the editor writes a column Length here, too
        if "points" not in headings:
            tables.problems.error(Place(name), 'the column "Points" is missing')
            return
        kind = TICKETS
    elif has_ends and "length" in headings:
        kind = ROUTES
    elif not has_ends and "name" in headings:
        kind = STOPS
    elif optional:
        tables.notes.append(f"{name} is not a table of stops, routes or tickets and is skipped.")
        return
    else:
        message = "the headings are not those of stops (Name), routes (From, To, Length) or tickets"
        tables.problems.error(Place(name), message)
        return
    readers = [Reader(_by_column(row, kind), tables.problems, decimal_comma) for row in rows]
    tables.rows.setdefault(kind, []).extend(readers)


def _by_column(row: Mapping[str, Cell], kind: str) -> dict[str, Cell]:
    cells = {}
    for column in COLUMNS[kind]:
        heading = next((name for name in (column, *ALIASES[kind].get(column, ())) if name in row), None)
        if heading is not None:
            text, place = row[heading].text, row[heading].place
            cells[column] = Cell(text[1:] if text.startswith(GUARDED) else text, place)
    return cells


def _read_sheets(file: Path) -> Iterator[tuple[str, list[dict[str, Cell]]]]:
    """Yield name and rows of each sheet of a workbook."""
    from openpyxl import load_workbook

    try:
        with ZipFile(file) as packed:
            unpacked = sum(entry.file_size for entry in packed.infolist())
        if max(file.stat().st_size, unpacked) > MAX_FILE_BYTES:  # XML takes a hundred times its size in memory
            raise UserError(f"{file} is too large; at most {MAX_FILE_BYTES:,} bytes are read")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and the like, which are not read
            book = load_workbook(file, read_only=True, data_only=True)
            for sheet in book.worksheets:
                lines = sheet.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True)
                name = f"{file.name}, sheet {sheet.title}"
                yield name, _rows_of_sheet(name, lines)
            book.close()
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror or error}") from error
    except NOT_A_WORKBOOK as error:
        raise UserError(f"{file} cannot be read as an .xlsx workbook; save it again, or as .csv files") from error


def _rows_of_sheet(name: str, lines: Iterator[tuple[object, ...]]) -> list[dict[str, Cell]]:
    headings: list[str] = []
    rows = []
    for number, values in enumerate(lines, start=1):
        texts = [_as_text(value) for value in values]
        if any(texts) and not headings:
            headings = [text.casefold() for text in texts]
        elif any(texts):
            places = (Place(name, 0, 0, spreadsheet_cell(index, number)) for index in range(len(texts)))
            written = zip(headings, texts, places, strict=False)
            rows.append({heading: Cell(text, place) for heading, text, place in written if heading})
    return rows


def _as_text(value: object) -> str:
    """Format a cell as a CSV file would hold it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return unicodedata.normalize("NFC", str(value).strip())
