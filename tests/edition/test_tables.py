"""However a spreadsheet or text program writes the tables, the edition is the same one."""

from __future__ import annotations

import csv
import io
import random
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.edition.conftest import CopyOf
from ttr_sim.edition import load_edition, official_names

TABLES = ("cities.csv", "routes.csv", "tickets.csv")
Rows = list[list[str]]


def rewrite(folder: Path, change: Callable[[Rows], str], encoding: str = "utf-8") -> None:
    for name in TABLES:
        rows = list(csv.reader(io.StringIO((folder / name).read_text(encoding="utf-8"))))
        (folder / name).write_bytes(change(rows).encode(encoding))


def written(rows: Rows, *, end: str = "\n", **dialect: object) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator=end, **dialect).writerows(rows)  # type: ignore[arg-type]
    return file.getvalue()


def semicolons_and_decimal_commas(rows: Rows) -> str:
    places = [place for place, name in enumerate(rows[0]) if name in ("x", "y")]
    for row in rows[1:]:
        for place in places:
            row[place] = row[place].replace(".", ",")
    return written(rows, delimiter=";", end="\r\n")


def shuffled_columns(rows: Rows) -> str:
    order = list(range(len(rows[0])))
    random.Random(1).shuffle(order)
    return written([[row[place] for place in order] for row in rows])


def further_columns(rows: Rows) -> str:
    return written([["Notes", *rows[0], ""]] + [[f"see {place}", *row, ""] for place, row in enumerate(rows[1:])])


DIALECTS: dict[str, Callable[[Rows], str]] = {
    "semicolons": lambda rows: written(rows, delimiter=";"),
    "semicolons and decimal commas": semicolons_and_decimal_commas,
    "tabs": lambda rows: written(rows, delimiter="\t"),
    "everything quoted": lambda rows: written(rows, quoting=csv.QUOTE_ALL),
    "windows line ends": lambda rows: written(rows, end="\r\n"),
    "old mac line ends": lambda rows: written(rows, end="\r"),
    "spaces around cells": lambda rows: "\n".join(" , ".join(row) + "  " for row in rows),
    "blank lines": lambda rows: "\n" + "\n\n".join(",".join(row) for row in rows) + "\n\n\n",
    "no line end at the end": lambda rows: written(rows).rstrip("\n"),
    "headings in capitals": lambda rows: written([[name.upper() for name in rows[0]], *rows[1:]]),
    "columns in another order": shuffled_columns,
    "further columns": further_columns,
    "letters and accents apart": lambda rows: unicodedata.normalize("NFD", written(rows)),
}


@pytest.mark.parametrize("edition", official_names())
@pytest.mark.parametrize("dialect", DIALECTS)
def test_dialect_changes_nothing(copy_of: CopyOf, edition: str, dialect: str) -> None:
    copy = copy_of(edition)
    rewrite(copy.folder, DIALECTS[dialect])
    assert load_edition(copy.folder).fingerprint == load_edition(edition).fingerprint


def test_byte_order_mark(copy_of: CopyOf) -> None:
    copy = copy_of("germany")
    rewrite(copy.folder, written, encoding="utf-8-sig")
    toml = copy.folder / "edition.toml"
    toml.write_bytes(b"\xef\xbb\xbf" + toml.read_bytes().replace(b"\n", b"\r\n"))
    assert load_edition(copy.folder).fingerprint == load_edition("germany").fingerprint


def test_optional_columns_may_be_left_out_or_empty(copy_of: CopyOf) -> None:
    copy = copy_of("usa")
    fingerprint = load_edition("usa").fingerprint
    path = copy.folder / "routes.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(",plain,0", ",,"), encoding="utf-8")
    assert load_edition(copy.folder).fingerprint == fingerprint
    path.write_text(text.replace(",kind,locomotives", "").replace(",plain,0", ""), encoding="utf-8")
    assert load_edition(copy.folder).fingerprint == fingerprint


THREE_MOVED = "the headings deck, to, points stand where to, points, deck should stand"
FOUR_MOVED = "the headings color, length, from, to stand where from, to, length, color should stand"
ONE_MISSING = "4 headings, and 100 lines have more cells; is one missing?"
SWAPS = [
    ("cities.csv", "name,x,y", "x,name,y", '1:1: the headings "x" and "name" are swapped'),
    ("routes.csv", "length,color", "color,length", '1:9: the headings "color" and "length" are swapped'),
    ("routes.csv", "color,kind", "kind,color", '1:16: the headings "kind" and "color" are swapped'),
    ("routes.csv", "from,to,length", "length,to,from", '1:1: the headings "length" and "from" are swapped'),
    ("tickets.csv", "points,deck", "deck,points", '1:9: the headings "deck" and "points" are swapped'),
    ("tickets.csv", "from,to,points,deck", "deck,to,points,from", '1:1: the headings "deck" and "from" are swapped'),
    ("tickets.csv", "to,points,deck", "deck,to,points", f"1:6: {THREE_MOVED}"),
    ("routes.csv", "from,to,length,color", "color,length,from,to", f"1:1: {FOUR_MOVED}"),
    ("routes.csv", "color,kind,locomotives", "color", f"1:16: {ONE_MISSING}"),
]


@pytest.mark.parametrize(("file", "old", "new", "expected"), SWAPS)
def test_swapped_and_missing_headings_are_one_error(
    copy_of: CopyOf, file: str, old: str, new: str, expected: str
) -> None:
    assert copy_of("usa").edit(file, old, new).errors() == [f"{file}:{expected}"]


def test_errors_below_swapped_headings_are_still_found(copy_of: CopyOf) -> None:
    copy = copy_of("usa").edit("routes.csv", "length,color", "color,length").edit("routes.csv", "5,blue", "5,bleu")
    swapped, wrong = copy.errors()
    assert "are swapped" in swapped
    assert wrong.startswith('routes.csv:3:17: unknown color "bleu"')


def test_a_column_of_mistakes_is_not_called_swapped(copy_of: CopyOf) -> None:
    copy = copy_of("usa")
    rows = (copy.folder / "tickets.csv").read_text(encoding="utf-8").replace(",regular", ",normal")
    (copy.folder / "tickets.csv").write_text(rows, encoding="utf-8")
    errors = copy.errors()
    assert len(errors) == 30
    assert all('unknown deck "normal"; it must be "regular"' in error for error in errors)


def test_a_workbook_in_place_of_a_csv_file(copy_of: CopyOf) -> None:
    copy = copy_of("usa")
    (copy.folder / "cities.csv").write_bytes(b"PK\x03\x04 and more of a zip file")
    (copy.folder / "tickets.csv").rename(copy.folder / "tickets.xlsx")
    book, missing = copy.errors()
    assert book.startswith("cities.csv:1:1: this is a spreadsheet file, not a text file")
    assert missing.startswith("tickets.csv:1:1: the file is missing; open tickets.xlsx in your spreadsheet and save it")


SPELLINGS = [
    ("usa", "routes.csv", "5,blue", "5,Blue"),
    ("usa", "routes.csv", "6,gray", "6,grey"),
    ("usa", "routes.csv", "6,gray", "6,GREY"),
    ("germany", "edition.toml", '["white", "black"', '["White", "BLACK"'),
]


@pytest.mark.parametrize(("edition", "file", "old", "new"), SPELLINGS)
def test_colors_in_any_case_and_grey_are_the_same(copy_of: CopyOf, edition: str, file: str, old: str, new: str) -> None:
    assert load_edition(copy_of(edition).edit(file, old, new).folder).fingerprint == load_edition(edition).fingerprint


def test_a_cell_that_is_missing_at_the_end_of_a_line_has_its_name(copy_of: CopyOf) -> None:
    (problem,) = copy_of("usa").edit("tickets.csv", "Montréal,9,regular", "Montréal,9").check().errors
    assert str(problem) == "tickets.csv:2:19: [D2] deck is empty"


def test_equal_gray_routes_are_double_routes_up_to_three(copy_of: CopyOf) -> None:
    line = "Boston,Montréal,2,gray,plain,0"
    copy = copy_of("usa").edit("routes.csv", line, "\n".join([line] * 3))
    assert [warning for warning in copy.warnings() if "the same route as on line" in warning] == [
        "routes.csv:12:1: the same route as on line 9"
    ]
