"""Planted boards show their property, and the order of lines shows nowhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.edition.planted import planted
from tests.shuffled import shuffled_copy
from ttr_sim.edition import Edition, check_folder, load_edition, official_names
from ttr_sim.edition.model import Ticket
from ttr_sim.edition.network import SLACK, RouteNetwork, distances, ways_of
from ttr_sim.edition.statics import Statics, chances_of_a_deal, measured, statics

SQUARES = [("A", "B", 2), ("B", "C", 2), ("C", "D", 2), ("D", "A", 2), ("E", "F", 2), ("F", "G", 2), ("G", "H", 2)]
TWO_SQUARES = [*SQUARES, ("H", "E", 2)]
TICKETS = [("A", "C", 4), ("E", "G", 4)]
OPEN = ("closed_up_to_players = 3", "closed_up_to_players = 0")


def values(edition: Edition) -> dict[str, float | None]:
    return {row.name: row.value for row in measured(statics(edition))}


def names(edition: Edition, cities: tuple[int, ...]) -> str:
    return "".join(sorted(edition.cities[city].name for city in cities))


def test_a_bridge(tmp_path: Path) -> None:
    edition = planted(tmp_path, [*TWO_SQUARES, ("C", "E", 3)], TICKETS)
    board = statics(edition)
    assert [board.net.connections[number].length for number in board.shape.bridges] == [3]
    assert names(edition, board.shape.cut_cities) == "CE"
    assert board.shape.dead_ends == ()
    assert "whoever claims C–E, which has one lane, cuts the board in two" in str(check_folder(tmp_path).warnings)
    # Nobody can close a double route.
    planted(tmp_path, [*TWO_SQUARES, ("C", "E", 3), ("C", "E", 3)], TICKETS, changes=[OPEN])
    assert "whoever claims C–E" not in str(check_folder(tmp_path).warnings)


def test_a_dead_end_and_a_region(tmp_path: Path) -> None:
    links = [(a, b, 1) for a, b in ("AB", "BC", "CD", "DE", "EA", "AC", "BD", "CE", "DA", "AF", "FG", "GB")]
    edition = planted(tmp_path, [*links, ("E", "H", 1)], TICKETS)
    board = statics(edition)
    assert names(edition, board.shape.dead_ends) == "H"
    assert [names(edition, region) for region in board.shape.regions] == ["FG"]


def test_a_country_is_neither_a_dead_end_nor_a_bridge(tmp_path: Path) -> None:
    cities = ["A,0,0,", "B,1,0,", "C,0,1,", "X in A,0,0,X", "X in B,1,0,X"]
    routes = [("A", "B", 2), ("B", "C", 2), ("C", "A", 2), ("A", "X in A", 1), ("B", "X in B", 1)]
    edition = planted(tmp_path, routes, [("C", "X", 3), ("A", "B", 2)], cities=cities)
    board = statics(edition)
    assert (board.shape.bridges, board.shape.cut_cities, board.shape.dead_ends) == ((), (), ())
    assert board.tickets_by_place == {"A": 1, "B": 1, "C": 1, "X": 1}
    assert board.ways[0].count == 4  # to either spot, straight or around


def test_two_near_duplicates(tmp_path: Path) -> None:
    line = [("A", "B", 4), ("B", "C", 4), ("C", "D", 1), ("A", "E", 3), ("E", "F", 4)]
    board = statics(planted(tmp_path, line, [("A", "C", 8), ("A", "F", 7), ("A", "D", 9)]))
    assert [(pair.first, pair.second, pair.overlap) for pair in board.near_duplicates] == [(0, 2, pytest.approx(8 / 9))]


def test_an_unused_corner(tmp_path: Path) -> None:
    edition = planted(tmp_path, [*TWO_SQUARES, ("C", "E", 3)], [("A", "C", 4), ("B", "D", 4)])
    assert values(edition)["unneeded connections"] == pytest.approx(100 * 5 / 9)
    assert values(edition)["places without"] == 50
    assert values(edition)["worth their path"] == 100


def test_nothing_to_fight_over(tmp_path: Path) -> None:
    """Each ticket has a connection of its own, and there are far more tickets than are dealt."""
    links = [(a, b, 3) for a, b in ("AB", "BC", "CD", "DE", "EF", "FG", "GH", "HI", "IJ", "JA")]
    edition = planted(tmp_path, links, links)
    found = values(edition)
    assert found["heaviest load"] == found["load"] == pytest.approx(0.2)
    assert (found["crowded connections"], found["near-duplicates"], found["overlap"]) == (0, 0, 0)
    assert any("crowded connections: 0 connections" in str(warning) for warning in check_folder(tmp_path).warnings)


def test_a_crowded_connection(tmp_path: Path) -> None:
    star = [*((end, "E", 1) for end in "ABCD"), ("E", "F", 2), *(("F", end, 1) for end in "GHIJ")]
    crossing = [("A", "G", 4), ("B", "H", 4), ("C", "I", 4), ("D", "J", 4)]
    edition = planted(tmp_path, star, crossing)
    board = statics(edition)
    assert [load.crowded for load in board.loads] == [False] * 4 + [True] + [False] * 4
    assert (board.loads[4].tickets, board.loads[4].per_lane) == (2, 2)
    assert board.tickets_wanting(4) == [(0, 1), (1, 1), (2, 1), (3, 1)]
    assert board.tickets_wanting(0) == [(0, 1)]


def test_lanes_closed_at_a_full_table_do_not_share_the_load(tmp_path: Path) -> None:
    double = [("A", "B", 2), ("A", "B", 2), ("B", "C", 2)]
    wanted = [("A", "B", 2), ("A", "C", 4)]
    closed = statics(planted(tmp_path, double, wanted))
    opened = statics(planted(tmp_path, double, wanted, changes=[OPEN]))
    assert (closed.loads[0].per_lane, opened.loads[0].per_lane) == (2, 1)
    assert closed.loads[0].tickets == opened.loads[0].tickets == 2


@pytest.mark.parametrize(("name", "dealt"), [("usa", 15), ("europe", 20), ("germany", 20), ("first_journey", 8)])
def test_a_full_table_holds_what_setup_deals(name: str, dealt: int) -> None:
    assert sum(chances_of_a_deal(load_edition(name))) == pytest.approx(dealt)


@pytest.mark.parametrize("name", official_names())
def test_the_order_of_lines_does_not_matter(name: str, tmp_path: Path) -> None:
    edition = load_edition(name)
    shuffled = shuffled_copy(name, tmp_path / "shuffled")
    before, after = statics(edition), statics(shuffled)
    assert values(shuffled) == values(edition)
    assert _named(before) == _named(after)


def _named(board: Statics) -> object:
    name = board.net.name
    loads = {
        frozenset((name(connection.a), name(connection.b))): (connection.lanes, round(load.per_lane, 9), load.crowded)
        for connection, load in zip(board.net.connections, board.loads, strict=True)
    }
    return loads, {frozenset(map(name, region)) for region in board.shape.regions}


@pytest.mark.parametrize("name", official_names())
def test_norms_of_official_boards(name: str) -> None:
    """The norms that designers' tools know: a busy full table, few idle connections, tickets worth their path."""
    found = values(load_edition(name))
    exact = found["worth their path"]
    fewest = 7 if name in ("new_york", "london") else 8  # small boards of one city
    assert fewest <= (found["crowded connections"] or 0) <= 19
    assert 7 <= round(found["unneeded connections"] or 0) <= (26 if name == "london" else 21)
    assert exact is None if name == "first_journey" else exact is not None and exact > 80


def test_an_official_board_is_not_set_beside_itself() -> None:
    europe = statics(load_edition("europe"))
    bridges = next(row for row in measured(europe) if row.name == "bridges")
    assert (bridges.value, bridges.low, bridges.high) == (1, 0, 0)
    assert not any(row.beyond(0) for row in measured(europe, among_others=False))


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
        # No way runs through a country.
        cities = {city for number in uses for city in (net.connections[number].a, net.connections[number].b)}
        assert {city for city in cities if net.edition.cities[city].country} <= {*ticket.a_cities, *ticket.b_cities}


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
