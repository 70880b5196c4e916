"""Edits change their cells and lines and no other byte. All looks at candidates make no more mistakes than one test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ttr_sim.analysis.targets import CLAIMED, LOCKED_OUT, TICKET, Target, route_names, ticket_name
from ttr_sim.analysis.thresholds import ALPHA
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
    describe_edit,
    edited,
    edited_files,
    points_edit,
)
from ttr_sim.balance.routes import COLORS, DOUBLES, LENGTHS, LOOKS, Allowed, candidates, error_allowance
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.write import write_folder

USA = load_edition("usa")
ALL = Allowed(frozenset((LENGTHS, COLORS, DOUBLES)), frozenset())


def lines_that_differ(edition: Edition, edits: list[Edit], file: str) -> list[tuple[str, str]]:
    old, new = (data.decode().splitlines() for data in (edition.files[file], edited_files(edition, edits)[file]))
    return [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]


def test_one_cell_changes_and_nothing_else() -> None:
    assert lines_that_differ(USA, [points_edit(0, 11)], TICKETS) == [
        ("Atlanta,Montréal,9,regular", "Atlanta,Montréal,11,regular")
    ]
    assert edited_files(USA, [points_edit(0, 11)])[ROUTES] == USA.files[ROUTES]


def test_two_cells_of_one_line_change_together() -> None:
    both = [Edit(ROUTES, 1, CELL, LENGTH, "10"), Edit(ROUTES, 1, CELL, COLOR, "yellow")]
    assert lines_that_differ(USA, both, ROUTES) == [("Atlanta,Miami,5,blue,plain,0", "Atlanta,Miami,10,yellow,plain,0")]


def test_a_double_is_added_below_its_line_and_a_line_is_removed(tmp_path: Path) -> None:
    edits = [Edit(ROUTES, 1, ADD, COLOR, "gray"), Edit(ROUTES, 99, REMOVE)]
    text = edited_files(USA, edits)[ROUTES].decode()
    lines, old = text.splitlines(), USA.files[ROUTES].decode().splitlines()
    assert lines == [*old[:3], "Atlanta,Miami,5,gray,plain,0", *old[3:100]]
    edition = edited(USA, edits, tmp_path / "edited")
    assert (edition.routes[2].color, edition.routes[2].group) == (None, edition.routes[1].group)


def test_line_ends_quotes_and_a_mark_at_the_beginning_stay(tmp_path: Path) -> None:
    data = b'\xef\xbb\xbfpoints;to;from;deck;note\r\n"9";Miami;Boston;regular;mine\r\n\r\n 4 ;Miami;Denver;regular;'
    edition = replace(USA, files={**USA.files, TICKETS: data})
    changed = edited_files(edition, [points_edit(0, 12), points_edit(1, 5)])[TICKETS]
    assert changed == data.replace(b'"9"', b"12").replace(b" 4 ", b" 5 ")


def test_rows_name_file_line_and_column() -> None:
    edits = [points_edit(0, 11), Edit(ROUTES, 0, REMOVE), Edit(ROUTES, 1, ADD, COLOR, "gray")]
    cell, removed, added = as_rows(USA, edits)
    assert cell == {"file": "tickets.csv", "line": 2, "column": 18, "what": "cell", "from": "9", "to": "11"}
    assert (removed["line"], removed["from"], removed["to"]) == (2, "Atlanta,Charleston,2,gray,plain,0", None)
    new = edited_files(USA, edits)[ROUTES].decode().splitlines()
    assert new[added["line"] - 1] == added["to"] == "Atlanta,Miami,5,gray,plain,0"


def test_an_edited_edition_is_checked_like_any_other(tmp_path: Path) -> None:
    write_folder(USA, tmp_path / "copy")
    copy = load_edition(tmp_path / "copy")
    assert edited(copy, [points_edit(3, 12)], tmp_path / "same").fingerprint == USA.fingerprint


def missed(name: str, measure: str, value: float, ticket: int | None = None) -> Target:
    limit = {CLAIMED: (0.02, None), LOCKED_OUT: (None, 0.5), TICKET: (-0.05, 0.05)}[measure]
    return Target(name, measure, 0 if measure == TICKET else 2, value, value, value, limit, ticket)


def row_of(one: str, other: str) -> int:
    names = [city.name for city in USA.cities]
    return next(row for row, route in enumerate(USA.routes) if {names[route.a], names[route.b]} == {one, other})


def found(target: Target, allowed: Allowed = ALL, edits: tuple[Edit, ...] = ()) -> list[Edit]:
    return list(candidates(USA, [target], edits, allowed))


def test_a_locked_out_single_route_is_doubled_in_another_color() -> None:
    row = row_of("Atlanta", "Miami")
    (edit,) = found(missed(route_names(USA)[row], LOCKED_OUT, 0.9))
    assert (edit.action, edit.row) == (ADD, row)
    assert edit.value not in ("blue", "gray")
    assert "a second route" in describe_edit(USA, edit)


def test_a_dead_connection_is_shortened_recolored_or_made_single() -> None:
    row = row_of("Atlanta", "Miami")
    edits = found(missed(route_names(USA)[row], CLAIMED, 0.001))
    assert [(edit.heading, edit.value) for edit in edits] == [("length", "4"), ("length", "6"), ("color", "gray")]
    double = row_of("Boston", "New York")
    assert Edit(ROUTES, double + 1, REMOVE) in found(missed(route_names(USA)[double], CLAIMED, 0.001))


@pytest.mark.parametrize(("value", "step"), [(0.1, 1), (-0.1, -1)])
def test_the_way_of_a_ticket_is_made_harder_or_easier(value: float, step: int) -> None:
    ticket = next(row for row, ticket in enumerate(USA.tickets) if (ticket.a, ticket.b) == ("Calgary", "Phoenix"))
    edits = found(missed(ticket_name(USA, ticket), TICKET, value, ticket))
    lengths = [edit for edit in edits if (edit.action, edit.heading) == (CELL, LENGTH)]
    assert lengths
    assert all(int(edit.value) == USA.routes[edit.row].length + step for edit in lengths)
    assert {edit.action for edit in edits} <= {CELL, REMOVE if value > 0 else ADD}


def test_what_serves_most_of_what_is_missed_races_first() -> None:
    """Two dead connections, and a ticket whose way leads over the second: that one's lane comes first."""
    first, second = row_of("Atlanta", "Miami"), row_of("El Paso", "Los Angeles")
    dead = [missed(route_names(USA)[row], CLAIMED, 0.001) for row in (first, second)]
    generous = Target(dead[1].name, CLAIMED, 3, 0.001, 0.001, 0.001, (0.02, None))
    edits = candidates(USA, [*dead, generous], (), ALL)
    assert edits[0].row == second
    assert {edit.row for edit in edits} == {first, second}


def test_what_is_locked_not_allowed_or_edited_already_is_left_alone() -> None:
    row = row_of("Atlanta", "Miami")
    target = missed(route_names(USA)[row], CLAIMED, 0.001)
    assert found(target, Allowed(ALL.kinds, frozenset({row}))) == []
    assert [edit.heading for edit in found(target, Allowed(frozenset((COLORS,)), frozenset()))] == ["color"]
    assert found(target, edits=(Edit(ROUTES, row, CELL, LENGTH, "4"),)) == []


def test_all_looks_at_all_candidates_spend_no_more_than_one_test() -> None:
    for count in (1, 12):
        assert count * sum(error_allowance(look, count) for look in range(1, len(LOOKS) + 1)) < ALPHA
