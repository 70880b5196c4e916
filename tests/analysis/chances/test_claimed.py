"""Networks and distances on the board, against a search that takes one seat at a time."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from tests.played_runs import play_run
from ttr_sim.analysis.chances.claimed import ClaimedBoard, Networks
from ttr_sim.analysis.chances.courses import CourseReader, Courses, Snapshots
from ttr_sim.analysis.chances.features import open_tickets
from ttr_sim.analysis.chances.held import Held
from ttr_sim.analysis.chances.ways_left import trains_left


@pytest.fixture(scope="module")
def courses(tmp_path_factory: pytest.TempPathFactory) -> Courses:
    """Germany has tickets between countries, which are several cities, and connections of two and three routes."""
    run = play_run(tmp_path_factory.mktemp("claimed") / "run", "germany", 4, ("planner", "random"), 8)
    return CourseReader(run).read(0, 8)


def owner_of(courses: Courses, step: int) -> dict[int, int]:
    """Return who owns which route at a step."""
    claims, game = courses.claims, int(courses.game_of_step[step])
    known = (claims["game"] == game) & (claims["turn"] < step - courses.starts[game])
    return dict(zip(claims["route"][known].tolist(), claims["seat"][known].tolist(), strict=True))


def test_distances_are_those_of_a_search_on_each_board(courses: Courses) -> None:
    steps = np.arange(5, int(courses.lengths.sum()), 23)
    state, row = open_tickets(courses, steps)
    seat, ticket = (courses.tickets[name][row] for name in ("seat", "ticket"))
    found = trains_left(ClaimedBoard(courses), steps, state, seat, ticket)
    expected = [
        searched(courses, owner_of(courses, int(steps[at])), mover, number)
        for at, mover, number in zip(state, seat.tolist(), ticket.tolist(), strict=True)
    ]
    assert len(found) > 50
    assert found.tolist() == expected


def searched(courses: Courses, owner: dict[int, int], seat: int, ticket: int) -> float:
    board, edition = nx.Graph(), courses.edition
    group_of = [route.group for route in edition.routes]
    for group in set(group_of):
        routes = [number for number, other in enumerate(group_of) if other == group]
        owners = [owner[number] for number in routes if number in owner]
        is_open = not owners if courses.players <= edition.closed_up_to_players else len(owners) < len(routes)
        if seat in owners or is_open:
            length = 0 if seat in owners else min(edition.routes[number].length for number in routes)
            board.add_edge(edition.routes[routes[0]].a, edition.routes[routes[0]].b, weight=length)
    ends = edition.tickets[ticket]
    ways = [
        nx.shortest_path_length(board, a, b, weight="weight")
        for a in ends.a_cities
        for b in ends.b_cities
        if a in board and b in board and nx.has_path(board, a, b)
    ]
    return float(min(ways, default=np.inf))


def test_networks_grow_to_the_largest_component(courses: Courses) -> None:
    steps, claims = courses.starts + courses.lengths - 1, courses.claims
    growth = ClaimedBoard(courses).network_growth()
    largest = Snapshots(courses, steps).running(claims["game"], claims["turn"], claims["seat"], growth)
    for game, step in enumerate(steps.tolist()):
        owner = owner_of(courses, step)
        for seat in range(courses.players):
            board = nx.Graph()
            for number in (number for number, other in owner.items() if other == seat):
                route = courses.edition.routes[number]
                board.add_edge(route.a, route.b, weight=route.length)
            parts = [board.subgraph(cities).size(weight="weight") for cities in nx.connected_components(board)]
            assert largest[game, seat] == max(parts, default=0)


def test_a_circle_counts_each_connection_once() -> None:
    networks, length = Networks(4, 1), np.array([2], np.uint8)
    grown = [networks.grow(np.array([ends]), length).tolist() for ends in [(0, 1), (2, 3), (1, 2), (3, 0)]]
    assert grown == [[2], [0], [4], [2]]


def test_those_with_most_come_first_and_drop_out_last() -> None:
    held = Held.of(np.array([2, 0, 2, 2, 4, 4]), np.array([5, 0, 3, 4, 1, 0]))
    assert held.busiest.tolist() == [2, 4, 0]
    assert [rows.tolist() for rows in held.of_each(held.busiest)] == [[2, 5, 1], [3, 4], [0]]
