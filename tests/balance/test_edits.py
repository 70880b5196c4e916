"""Edits change their cells and lines, and no other byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ttr_sim.balance.edits import (
    ADD,
    CELL,
    COLOR,
    LENGTH,
    REMOVE,
    ROUTES,
    TICKETS,
    Edit,
    as_rows,
    edited,
    edited_files,
    points_edit,
)
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.write import write_folder


@pytest.fixture
def usa() -> Edition:
    return load_edition("usa")


def lines_that_differ(edition: Edition, edits: list[Edit], file: str) -> list[tuple[str, str]]:
    old, new = (data.decode().splitlines() for data in (edition.files[file], edited_files(edition, edits)[file]))
    return [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]


def test_one_cell_changes_and_nothing_else(usa: Edition) -> None:
    assert lines_that_differ(usa, [points_edit(0, 11)], TICKETS) == [
        ("Atlanta,Montréal,9,regular", "Atlanta,Montréal,11,regular")
    ]
    assert edited_files(usa, [points_edit(0, 11)])[ROUTES] == usa.files[ROUTES]


def test_two_cells_of_one_line_change_together(usa: Edition) -> None:
    both = [Edit(ROUTES, 1, CELL, LENGTH, "10"), Edit(ROUTES, 1, CELL, COLOR, "yellow")]
    assert lines_that_differ(usa, both, ROUTES) == [("Atlanta,Miami,5,blue,plain,0", "Atlanta,Miami,10,yellow,plain,0")]


def test_a_double_is_added_below_its_line_and_a_line_is_removed(usa: Edition, tmp_path: Path) -> None:
    edits = [Edit(ROUTES, 1, ADD, COLOR, "gray"), Edit(ROUTES, 99, REMOVE)]
    text = edited_files(usa, edits)[ROUTES].decode()
    lines, old = text.splitlines(), usa.files[ROUTES].decode().splitlines()
    assert lines == [*old[:3], "Atlanta,Miami,5,gray,plain,0", *old[3:100]]
    edition = edited(usa, edits, tmp_path / "edited")
    assert (edition.routes[2].color, edition.routes[2].group) == (None, edition.routes[1].group)


def test_line_ends_quotes_and_a_mark_at_the_beginning_stay(usa: Edition, tmp_path: Path) -> None:
    data = b'\xef\xbb\xbfpoints;to;from;deck;note\r\n"9";Miami;Boston;regular;mine\r\n\r\n 4 ;Miami;Denver;regular;'
    edition = replace(usa, files={**usa.files, TICKETS: data})
    changed = edited_files(edition, [points_edit(0, 12), points_edit(1, 5)])[TICKETS]
    assert changed == data.replace(b'"9"', b"12").replace(b" 4 ", b" 5 ")


def test_rows_name_file_line_and_column(usa: Edition) -> None:
    edits = [points_edit(0, 11), Edit(ROUTES, 0, REMOVE), Edit(ROUTES, 1, ADD, COLOR, "gray")]
    cell, removed, added = as_rows(usa, edits)
    assert cell == {"file": "tickets.csv", "line": 2, "column": 18, "what": "cell", "from": "9", "to": "11"}
    assert (removed["line"], removed["from"], removed["to"]) == (2, "Atlanta,Charleston,2,gray,plain,0", None)
    new = edited_files(usa, edits)[ROUTES].decode().splitlines()
    assert new[added["line"] - 1] == added["to"] == "Atlanta,Miami,5,gray,plain,0"


def test_an_edited_edition_is_checked_like_any_other(usa: Edition, tmp_path: Path) -> None:
    write_folder(usa, tmp_path / "copy")
    copy = load_edition(tmp_path / "copy")
    assert edited(copy, [points_edit(3, 12)], tmp_path / "same").fingerprint == usa.fingerprint
