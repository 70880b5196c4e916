"""However a spreadsheet or text program writes the files down, the edition is the same one."""

from __future__ import annotations

import csv
import io
import random
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.edition.conftest import Copy
from ttr_sim.edition import check_folder, load_edition, official_names

CopyOf = Callable[[str], Copy]
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


def test_decimal_comma_needs_another_delimiter(copy_of: CopyOf) -> None:
    (error,) = copy_of("usa").edit("cities.csv", "799.9,", '"799,9",').errors()
    assert error.startswith('cities.csv:2:9: x "799,9" is not a number')


def test_empty_rows_of_a_spreadsheet_are_told(copy_of: CopyOf) -> None:
    copy = copy_of("usa").append("routes.csv", ",,,,,\n")
    assert copy.errors() == []
    assert "routes.csv:102:1: this row is empty and is ignored" in copy.warnings()


def test_columns_count_characters_of_the_line(copy_of: CopyOf) -> None:
    copy = copy_of("germany").edit("tickets.csv", "Berlin,Dänemark,10,short", ' "Köln" ,"Öster ""reich""",10,short')
    (problem,) = check_folder(copy.folder).errors
    assert (problem.file, problem.line, problem.column) == ("tickets.csv", 6, 10)
