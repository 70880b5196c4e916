"""The ways of tickets, against paths listed one by one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.edition.statics.planted import planted
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.model import Ticket
from ttr_sim.edition.network import SLACK, RouteNetwork, distances, ways_of
from ttr_sim.edition.statics import statics


def listed(net: RouteNetwork, ticket: Ticket) -> tuple[int, Counter[int]]:
    """Return how many ways there are, and how many use each connection, by walking them all."""
    fewest = min(distances(net.edition)[a][b] for a in ticket.a_cities for b in ticket.b_cities)
    uses: Counter[int] = Counter()
    ways = 0

    def walk(city: int, trains: int, used: tuple[int, ...], seen: frozenset[int]) -> None:
        nonlocal ways
        if trains + min(distances(net.edition)[city][b] for b in ticket.b_cities) > fewest + SLACK:
            return
        if city in ticket.b_cities:
            ways += 1
            uses.update(used)
            return
        for number, connection in enumerate(net.connections):
            if city in (connection.a, connection.b):
                other = connection.a + connection.b - city
                if other not in seen:
                    walk(other, trains + connection.length, (*used, number), seen | {other})

    for city in ticket.a_cities:
        walk(city, 0, (), frozenset(ticket.a_cities))
    return ways, uses


@pytest.mark.parametrize("name", official_names())
def test_shares_are_those_of_the_listed_paths(name: str) -> None:
    net = statics(load_edition(name)).net
    for ticket in net.edition.tickets:
        ways = ways_of(net, ticket)
        count, uses = listed(net, ticket)
        assert ways.count == count
        assert ways.shares == {number: used / count for number, used in uses.items()}


@pytest.mark.parametrize("name", official_names())
def test_no_way_runs_through_a_country(name: str) -> None:
    net = statics(load_edition(name)).net
    for ticket in net.edition.tickets:
        ends = {*ticket.a_cities, *ticket.b_cities}
        for number in ways_of(net, ticket).shares:
            connection = net.connections[number]
            spots = {city for city in (connection.a, connection.b) if net.edition.cities[city].country}
            assert spots <= ends


def test_a_detour_of_two_trains_is_a_way_and_of_three_is_none(tmp_path: Path) -> None:
    routes = [("A", "B", 4), ("A", "C", 3), ("C", "B", 3), ("A", "D", 3), ("D", "B", 4)]
    board = statics(planted(tmp_path, routes, [("A", "B", 4), ("A", "C", 3)]))
    assert board.ways[0].shares == {0: 0.5, 1: 0.5, 2: 0.5}
    assert (board.ways[0].trains, board.ways[0].count, board.ways[0].shortest) == (4, 2, {0})


def test_a_walk_that_turns_around_is_no_way(tmp_path: Path) -> None:
    board = statics(planted(tmp_path, [("A", "B", 1), ("B", "C", 1), ("B", "D", 1)], [("A", "C", 2), ("A", "D", 2)]))
    assert board.ways[0].count == 1


def test_a_ticket_that_no_path_completes_has_no_way(tmp_path: Path) -> None:
    board = statics(planted(tmp_path, [("A", "B", 1), ("C", "D", 1)], [("A", "C", 2), ("A", "B", 1)]))
    assert (board.ways[0].trains, board.ways[0].count, board.ways[0].shares) == (None, 0, {})
    assert board.loads[1].tickets == 0
