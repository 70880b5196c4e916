"""What happens to a folder in a spreadsheet: swapped headings, workbooks in place of CSV, cells by their names."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest

from tests.edition.conftest import Copy
from ttr_sim.edition import load_edition
from ttr_sim.edition.csv_reader import spreadsheet_cell

CopyOf = Callable[[str], Copy]

THREE_MOVED = "the headings deck, to, points stand where to, points, deck should stand"
FOUR_MOVED = "the headings color, length, from, to stand where from, to, length, color should stand"
SWAPS = [
    ("cities.csv", "name,x,y", "x,name,y", '1:1: the headings "x" and "name" are swapped'),
    ("routes.csv", "length,color", "color,length", '1:9: the headings "color" and "length" are swapped'),
    ("routes.csv", "color,kind", "kind,color", '1:16: the headings "kind" and "color" are swapped'),
    ("routes.csv", "from,to,length", "length,to,from", '1:1: the headings "length" and "from" are swapped'),
    ("tickets.csv", "points,deck", "deck,points", '1:9: the headings "deck" and "points" are swapped'),
    ("tickets.csv", "from,to,points,deck", "deck,to,points,from", '1:1: the headings "deck" and "from" are swapped'),
    ("tickets.csv", "to,points,deck", "deck,to,points", f"1:6: {THREE_MOVED}"),
    ("routes.csv", "from,to,length,color", "color,length,from,to", f"1:1: {FOUR_MOVED}"),
]


@pytest.mark.parametrize(("file", "old", "new", "expected"), SWAPS)
def test_swapped_headings_are_one_error(copy_of: CopyOf, file: str, old: str, new: str, expected: str) -> None:
    assert copy_of("usa").edit(file, old, new).errors() == [f"{file}:{expected}"]


def test_a_heading_that_every_row_lacks_is_one_error(copy_of: CopyOf) -> None:
    (error,) = copy_of("usa").edit("routes.csv", "color,kind,locomotives", "color").errors()
    assert error == "routes.csv:1:16: 4 headings, and 100 lines have more cells; is one missing?"


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
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    copy = copy_of("usa")
    (copy.folder / "cities.csv").write_bytes(book.getvalue())
    (error,) = copy.errors()
    assert error.startswith("cities.csv:1:1: this is a spreadsheet file, not a text file")


def test_a_workbook_beside_a_missing_file_is_named(copy_of: CopyOf) -> None:
    copy = copy_of("usa")
    (copy.folder / "tickets.csv").rename(copy.folder / "tickets.xlsx")
    (error,) = copy.errors()
    assert error.startswith("tickets.csv:1:1: the file is missing; open tickets.xlsx in your spreadsheet and save it")


@pytest.mark.parametrize(("old", "new"), [("5,blue", "5,Blue"), ("6,gray", "6,grey"), ("6,gray", "6,GREY")])
def test_colors_in_any_case_and_grey_are_the_same_edition(copy_of: CopyOf, old: str, new: str) -> None:
    copy = copy_of("usa").edit("routes.csv", old, new)
    assert copy.errors() == []
    assert load_edition(copy.folder).fingerprint == load_edition("usa").fingerprint


def test_passengers_name_colors_in_any_case(copy_of: CopyOf) -> None:
    copy = copy_of("germany").edit("edition.toml", '["white", "black"', '["White", "BLACK"')
    assert load_edition(copy.folder).fingerprint == load_edition("germany").fingerprint


@pytest.mark.parametrize(
    ("name", "message"),
    [("Red", '"Red" and "red" are the same color'), ("Grey", '"Grey" means a route that takes any one color')],
)
def test_color_names_that_would_be_confused(copy_of: CopyOf, name: str, message: str) -> None:
    copy = copy_of("usa").edit("edition.toml", "[wilds]", f'{name} = {{ letter = "z", cards = 1 }}\n\n[wilds]')
    (error,) = copy.errors()
    assert message in error


@pytest.mark.parametrize(("place", "line", "cell"), [(0, 1, "A1"), (2, 2, "C2"), (25, 9, "Z9"), (26, 9, "AA9")])
def test_cells_are_named_as_in_a_spreadsheet(place: int, line: int, cell: str) -> None:
    assert spreadsheet_cell(place, line) == cell


def test_a_cell_that_is_missing_at_the_end_of_a_line_has_its_name(copy_of: CopyOf) -> None:
    (problem,) = copy_of("usa").edit("tickets.csv", "Montréal,9,regular", "Montréal,9").check().errors
    assert str(problem) == "tickets.csv:2:19: [D2] deck is empty"


def test_equal_gray_routes_are_double_routes_up_to_three(copy_of: CopyOf) -> None:
    line = "Boston,Montréal,2,gray,plain,0"
    copy = copy_of("usa").edit("routes.csv", line, "\n".join([line] * 3))
    assert [warning for warning in copy.warnings() if "the same route as on line" in warning] == [
        "routes.csv:12:1: the same route as on line 9"
    ]
