"""The canonical order: the same whatever the order of lines, with the way back to the rows of the files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.shuffled import shuffled_copy
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.canonical import in_canonical_order, route_keys, ticket_keys
from ttr_sim.edition.model import Edition


@pytest.mark.parametrize("name", official_names())
def test_the_order_of_lines_makes_no_difference(name: str, tmp_path: Path) -> None:
    edition, shuffled = load_edition(name), shuffled_copy(name, tmp_path)
    assert shuffled.routes != edition.routes
    first, second = (in_canonical_order(each).edition for each in (edition, shuffled))
    assert (first.cities, first.routes, first.tickets) == (second.cities, second.routes, second.tickets)


@pytest.mark.parametrize("name", official_names())
def test_rows_lead_back_to_the_files(name: str, tmp_path: Path) -> None:
    edition = shuffled_copy(name, tmp_path)
    canonical = in_canonical_order(edition)
    assert [edition.cities[row] for row in canonical.city_rows] == list(canonical.edition.cities)
    assert [route_keys(edition)[row] for row in canonical.route_rows] == route_keys(canonical.edition)
    assert [ticket_keys(edition)[row] for row in canonical.ticket_rows] == ticket_keys(canonical.edition)
    for row, ticket in zip(canonical.ticket_rows, canonical.edition.tickets, strict=True):
        assert ticket.points == edition.tickets[row].points
        assert spots(canonical.edition, ticket.a_cities) | spots(canonical.edition, ticket.b_cities) == spots(
            edition, edition.tickets[row].a_cities
        ) | spots(edition, edition.tickets[row].b_cities)


def spots(edition: Edition, cities: tuple[int, ...]) -> set[str]:
    return {edition.cities[city].name for city in cities}


@pytest.mark.parametrize("name", official_names())
def test_canonical_order_is_in_canonical_order(name: str) -> None:
    once = in_canonical_order(load_edition(name)).edition
    again = in_canonical_order(once)
    assert again.edition == once
    assert again.route_rows == tuple(range(len(once.routes)))


def test_copies_are_numbered_by_what_they_are() -> None:
    """Of two gray routes between the same cities the shorter is the first, whichever line comes first."""
    usa = load_edition("usa")
    keys = route_keys(usa)
    first = next(row for row, key in enumerate(keys) if key[2] == "gray" and (*key[:3], 1) in keys)
    second = keys.index((*keys[first][:3], 1))
    for longer, shorter in ((first, second), (second, first)):
        routes = [
            replace(route, length=5 if row == longer else 4 if row == shorter else route.length)
            for row, route in enumerate(usa.routes)
        ]
        renumbered = route_keys(replace(usa, routes=tuple(routes)))
        assert (renumbered[shorter][3], renumbered[longer][3]) == (0, 1)


def test_ends_in_the_other_order_are_the_same_ends() -> None:
    europe = load_edition("europe")
    turned = replace(
        europe,
        routes=tuple(replace(route, a=route.b, b=route.a) for route in europe.routes),
        tickets=tuple(
            replace(each, a=each.b, b=each.a, a_cities=each.b_cities, b_cities=each.a_cities) for each in europe.tickets
        ),
    )
    assert in_canonical_order(turned).edition == in_canonical_order(europe).edition
