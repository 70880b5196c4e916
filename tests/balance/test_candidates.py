"""Candidate edits of routes, and a race whose looks together make no more mistakes than one."""

from __future__ import annotations

import pytest

from ttr_sim.analysis.targets import CLAIMED, LOCKED_OUT, TICKET, Target, route_names, ticket_name
from ttr_sim.analysis.thresholds import ALPHA
from ttr_sim.balance.edits import ADD, CELL, LENGTH, REMOVE, ROUTES, Edit, describe_edit
from ttr_sim.balance.routes import COLORS, DOUBLES, LENGTHS, LOOKS, Allowed, candidates, error_allowance
from ttr_sim.edition import load_edition

USA = load_edition("usa")
ALL = Allowed(frozenset((LENGTHS, COLORS, DOUBLES)), frozenset())


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
