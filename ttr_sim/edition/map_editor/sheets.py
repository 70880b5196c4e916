"""Find the tables in files, folders and workbooks, and know each by its headings."""

from __future__ import annotations

import unicodedata
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from ttr_sim.edition import limits
from ttr_sim.edition.csv_reader import Cell, Reader, read_table, spreadsheet_cell
from ttr_sim.edition.map_editor.format import ALL_HEADINGS, FORMULA, HEADINGS, TICKETS, kind_of
from ttr_sim.edition.problems import Place, Problems, decode, read_bytes
from ttr_sim.errors import UserError

CSV, WORKBOOK = ".csv", ".xlsx"
MOST_ROWS = 500  # of any table: more than an edition may have, so that the limits are reported as such
MOST_COLUMNS = 100
MOST_UNPACKED = limits.MAX_FILE_BYTES  # XML takes a hundred times its size in memory
NOT_A_WORKBOOK = (BadZipFile, zlib.error, SyntaxError, LookupError, ValueError, TypeError, AttributeError, RuntimeError)
GUARDED = tuple(f"'{sign}" for sign in FORMULA)

Row = Mapping[str, Cell]


@dataclass(slots=True)
class Tables:
    """Rows by kind of table, and what is worth saying about the files."""

    problems: Problems = field(default_factory=Problems)
    rows: dict[str, list[Reader]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def is_table_file(path: Path) -> bool:
    return path.suffix.lower() in (CSV, WORKBOOK)


def read_tables(paths: Sequence[Path]) -> Tables:
    """Read every table of the files and folders; a folder's other files are left alone."""
    tables = Tables()
    for path in paths:
        inside = sorted(file for file in path.iterdir() if is_table_file(file)) if path.is_dir() else [path]
        if not inside:
            raise UserError(f"{path} holds no edition.toml and no .csv or .xlsx file, so there is nothing to read")
        for file in inside:
            _read_file(file, tables, optional=path.is_dir())
    return tables


def _read_file(file: Path, tables: Tables, optional: bool) -> None:
    if file.suffix.lower() == WORKBOOK:
        for name, rows in _sheets(file):
            _add(name, rows, tables, optional=True)
        return
    problems = Problems()  # columns that are not read are no trouble here, so its warnings are not passed on
    data = read_bytes(file, problems)
    text = None if data is None else decode(data, file.name, problems)
    table = None if text is None else read_table(file.name, text, ALL_HEADINGS, MOST_ROWS, problems)
    tables.problems.errors.extend(problems.errors)
    if table is not None:
        _add(file.name, table.rows, tables, optional, table.decimal_comma)


def _add(name: str, rows: Sequence[Row], tables: Tables, optional: bool, decimal_comma: bool = False) -> None:
    """Add the rows of a table under the column names of its kind."""
    if not rows:
        tables.notes.append(f"{name} has no rows and is skipped.")
        return
    kind = kind_of(set(rows[0]))
    if kind == TICKETS and "points" not in rows[0]:
        tables.problems.error(Place(name), 'the column "Points" is missing')
    elif kind is not None:
        readers = [Reader(_renamed(row, kind), tables.problems, decimal_comma) for row in rows]
        tables.rows.setdefault(kind, []).extend(readers)
    elif optional:
        tables.notes.append(f"{name} is not a table of stops, routes or tickets and is skipped.")
    else:
        tables.problems.error(
            Place(name), "the headings are not those of stops (Name), routes (From, To, Length) or tickets"
        )


def _renamed(row: Row, kind: str) -> dict[str, Cell]:
    found = {}
    for column, names in HEADINGS[kind].items():
        cell = next((row[name] for name in names if name in row), None)
        if cell is not None:
            text = cell.text[1:] if cell.text.startswith(GUARDED) else cell.text
            found[column] = Cell(text, cell.place)
    return found


def _sheets(file: Path) -> Iterator[tuple[str, list[dict[str, Cell]]]]:
    """Yield name and rows of each sheet of a workbook."""
    from openpyxl import load_workbook

    try:
        _refuse_large(file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and the like, which are not read
            book = load_workbook(file, read_only=True, data_only=True)
            for sheet in book.worksheets:
                cells = sheet.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True)
                yield f"{file.name}, sheet {sheet.title}", _rows(f"{file.name}, sheet {sheet.title}", cells)
            book.close()
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror or error}") from error
    except NOT_A_WORKBOOK as error:
        raise UserError(f"{file} cannot be read as an .xlsx workbook; save it again, or as .csv files") from error


def _refuse_large(file: Path) -> None:
    """Refuse a workbook that is too large, packed or unpacked: a small file may unpack to gigabytes."""
    with ZipFile(file) as packed:
        unpacked = sum(entry.file_size for entry in packed.infolist())
    if file.stat().st_size > limits.MAX_FILE_BYTES or unpacked > MOST_UNPACKED:
        raise UserError(f"{file} is too large; at most {limits.MAX_FILE_BYTES:,} bytes are read")


def _rows(name: str, cells: Iterator[tuple[Any, ...]]) -> list[dict[str, Cell]]:
    headings: list[str] = []
    rows = []
    for line, values in enumerate(cells, start=1):
        texts = [_text(value) for value in values]
        if not any(texts):
            continue
        if not headings:
            headings = [text.casefold() for text in texts]
            continue
        places = (Place(name, 0, 0, spreadsheet_cell(index, line)) for index in range(len(texts)))
        written = zip(headings, texts, places, strict=False)
        rows.append({heading: Cell(text, place) for heading, text, place in written if heading})
    return rows


def _text(value: object) -> str:
    """Return a cell as a CSV file would hold it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return unicodedata.normalize("NFC", str(value).strip())
