"""Workbooks: the same tables as sheets."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest

from tests.conftest import Outcome
from tests.edition.editor.conftest import FILES, changed
from ttr_sim.edition import load_edition

Command = Callable[..., Outcome]
DISTANCES = ",Åre,Berg\nÅre,0,3\nBerg,3,0\n"


def workbook(path: Path, files: Mapping[str, str]) -> Path:
    """Write each file as a sheet, its numbers as numbers."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, text in files.items():
        sheet = book.create_sheet(name.removesuffix(".csv").capitalize())
        for line in text.splitlines():
            sheet.append([int(cell) if cell.isdecimal() else cell or None for cell in line.split(",")])
    book.save(path)
    return path


def test_a_workbook_of_four_sheets_is_the_map_of_its_files(command: Command, tmp_path: Path) -> None:
    book = workbook(tmp_path / "map.xlsx", {**FILES, "distances.csv": DISTANCES})
    outcome = command("new", tmp_path / "one", "--from", book)
    assert outcome.code == 0
    assert "map.xlsx, sheet Distances is not a table of stops, routes or tickets and is skipped." in outcome.err
    files = [tmp_path / name for name in FILES]
    for file in files:
        file.write_text(FILES[file.name], encoding="utf-8")
    command("new", tmp_path / "two", *(word for file in files for word in ("--from", file)))
    one, two = load_edition(tmp_path / "one"), load_edition(tmp_path / "two")
    assert (one.cities, one.routes, one.tickets) == (two.cities, two.routes, two.tickets)


def test_errors_name_sheet_and_cell(command: Command, tmp_path: Path) -> None:
    book = workbook(tmp_path / "map.xlsx", changed("routes.csv", "Fen,Åre,2,Black", "Fen,Åre,2,Teal"))
    outcome = command("new", tmp_path / "new", "--from", book)
    assert outcome.code == 2
    assert 'map.xlsx, sheet Routes: [D9] unknown color "Teal"; it must be' in outcome.err


@pytest.mark.parametrize("data", [b"", b"Name,X,Y\n", b"PK\x03\x04 cut short"])
def test_a_file_that_is_no_workbook(command: Command, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "map.xlsx").write_bytes(data)
    outcome = command("new", tmp_path / "new", "--from", tmp_path / "map.xlsx")
    assert outcome.code == 2
    assert "map.xlsx cannot be read as an .xlsx workbook" in outcome.err


def test_a_workbook_that_unpacks_to_far_too_much(command: Command, tmp_path: Path) -> None:
    """Millions of empty cells are a few kilobytes, packed."""
    book = workbook(tmp_path / "map.xlsx", FILES)
    outcome = command("new", tmp_path / "new", "--from", with_part(book, STOPS_SHEET, SHEET % (b"<row/>" * 900_000)))
    assert outcome.code == 2
    assert "map.xlsx is too large" in outcome.err


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_workbook_is_refused_in_words(command: Command, tmp_path: Path, seed: int) -> None:
    """Cut one part short, or change one of its bytes."""
    random = Random(seed)
    book = workbook(tmp_path / "map.xlsx", FILES)
    with zipfile.ZipFile(book) as packed:
        part = random.choice(packed.namelist())
        data = bytearray(packed.read(part))
    if seed % 2:
        del data[random.randrange(len(data)) :]
    else:
        data[random.randrange(len(data))] = random.randrange(256)
    outcome = command("new", tmp_path / "new", "--from", with_part(book, part, bytes(data)))
    assert outcome.code == 0 or (outcome.code == 2 and outcome.err.startswith("Error: "))


SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%b</sheetData></worksheet>'
STOPS_SHEET = "xl/worksheets/sheet1.xml"


def with_part(book: Path, part: str, data: bytes) -> Path:
    """Put something else in the place of a part of a workbook."""
    with zipfile.ZipFile(book) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()} | {part: data}
    with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return book
