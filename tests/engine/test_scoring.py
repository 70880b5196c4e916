"""Final scores: every part, the exact longest path, tie-breaks, totals that are known."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.engine import kernels
from tests.engine.rig import Position, edition_of, new_game, scored, with_rules
from tests.engine.test_stations import build
from ttr_sim.edition.model import Bonus, City, Edition, Route, Ticket
from ttr_sim.referee.scoring import longest_trail


def ranks(game: Position) -> list[int]:
    return [int(result["rank"]) for result in game.score()]


def scores(game: Position) -> list[int]:
    return [int(result["score"]) for result in game.score()]


def without_tickets(edition: str | Edition, players: int = 2) -> Position:
    return new_game(edition, players).rig_tickets({})


def set_scores(game: Position, *points: int) -> Position:
    """Set public scores, whatever was claimed."""
    game.view["score"][: len(points)] = points
    return game


def test_score_is_the_sum_of_its_parts() -> None:
    game = new_game("usa")
    game.rig_tickets({0: [game.ticket("Boston", "Miami"), game.ticket("Denver", "El Paso")]})
    result = game.give_between(0, ("Denver", "Santa Fe"), ("El Paso", "Santa Fe")).score()[0]
    assert (scored(result, "ticket"), scored(result, "ticket_penalty"), scored(result, "longest")) == (4, -12, 10)
    assert int(result["score"]) == 2 + 2 + 4 - 12 + 10


def test_every_bonus_counts_in_the_score() -> None:
    game = new_game("germany").rig_tickets({0: [0], 1: []})
    game.view["held_passengers"][0][6] = 1
    game.view["network"][0] = 0
    result = game.score()[0]
    assert (scored(result, "globetrotter"), scored(result, "passenger")) == (15, 20)
    assert int(result["score"]) == 15 + 20 + game.edition.tickets[0].points
    game = without_tickets("amsterdam")
    game.view["merchandise"][0] = 1
    assert scores(game)[0] == 8


def test_race_scores_completed_tickets_alone() -> None:
    results = new_game("first_journey").give(0, 0, 10, 20).score()
    assert all(int(result["score"]) == int(result["completed"]) for result in results)
    assert all(scored(result, "ticket_penalty") == 0 for result in results)


@pytest.mark.parametrize(("points", "expected"), [((5, 9, 9, 2), [3, 1, 1, 4]), ((7, 7, 7), [1, 1, 1])])
def test_most_points_win_and_ranks_are_1_1_3(points: tuple[int, ...], expected: list[int]) -> None:
    edition = with_rules("usa", longest_path=None, tie_breaks=())
    assert ranks(set_scores(without_tickets(edition, len(points)), *points)) == expected


def with_completed(edition: Any, mine: int, theirs: int) -> Position:
    """Equal scores; the seats complete so many tickets worth nothing in all."""
    game = new_game(edition)
    boards = game.boards[0]
    boards["ticket_points"][:] = 0
    game.give_between(0, ("Calgary", "Vancouver"))
    game.rig_tickets({0: [], 1: []})
    boards["ticket_a"][:], boards["ticket_b"][:] = 0, 1
    for seat, n in ((0, mine), (1, theirs)):
        game.view["network"][seat][1] = game.view["network"][seat][0]
        holding = game.state["holdings"][seat]
        holding["tickets"] = 0
        holding["n_tickets"], holding["tickets"][:n] = n, range(10 * seat, 10 * seat + n)
    return game


@pytest.mark.parametrize(("mine", "theirs", "expected"), [(2, 1, [1, 2]), (1, 2, [2, 1])])
def test_usa_tie_goes_to_most_completed_tickets(mine: int, theirs: int, expected: list[int]) -> None:
    game = with_completed(with_rules("usa", longest_path=None), mine, theirs)
    assert ranks(set_scores(game, 30, 30)) == expected


def test_usa_tie_then_goes_to_the_longest_path() -> None:
    """Seat 1 has the longer path and ten points fewer from its routes."""
    game = without_tickets("usa").give_between(0, ("Calgary", "Vancouver"))
    game.give_between(1, ("El Paso", "Los Angeles"))
    set_scores(game, 40, 30)
    assert (scores(game), ranks(game)) == ([40, 40], [2, 1])


def test_length_of_a_path_that_is_not_the_longest_breaks_no_tie() -> None:
    game = without_tickets("usa", 3).give_between(0, ("Calgary", "Vancouver"), ("Calgary", "Seattle"))
    game.give_between(1, ("El Paso", "Phoenix"), ("Denver", "Omaha"))
    game.give_between(2, ("Los Angeles", "Phoenix"), ("El Paso", "Los Angeles"))
    results = set_scores(game, 30, 30, 0).score()
    assert int(results[0]["longest"]) > int(results[1]["longest"]) > 0
    assert (scores(game), ranks(game)) == ([30, 30, 10], [1, 1, 3])


def test_usa_tie_of_everything_is_shared() -> None:
    game = without_tickets("usa").give_between(0, ("Calgary", "Vancouver"))
    game.give_between(1, ("El Paso", "Phoenix"))
    assert (scores(game), ranks(game)) == ([14, 14], [1, 1])
    assert ranks(without_tickets("usa", 3)) == [1, 1, 1]


def test_europe_tie_goes_to_fewest_stations_used_before_the_longest_path() -> None:
    game = without_tickets("europe").give_between(1, ("Berlin", "Danzig"))
    build(game, 1, "Roma")
    set_scores(game, 6, 0)
    assert (scores(game), ranks(game)) == ([18, 18], [1, 2])
    game = without_tickets("europe").give_between(1, ("Berlin", "Danzig"))
    assert ranks(set_scores(game, 20, 10)) == [2, 1]


@pytest.mark.parametrize(("counts", "expected"), [((2, 3), [2, 1]), ((2, 2), [1, 1])])
def test_germany_tie_goes_to_most_passengers(counts: tuple[int, int], expected: list[int]) -> None:
    """Seat 0 leads in one color, seat 1 in another: 20 each."""
    game = without_tickets("germany")
    for seat, count in enumerate(counts):
        game.view["held_passengers"][seat][6 + seat] = count
    assert (scores(game), ranks(game)) == ([20, 20], expected)


def test_amsterdam_and_first_journey_ties_are_shared() -> None:
    assert edition_of("amsterdam").tie_breaks == ("tickets",)
    assert edition_of("first_journey").tie_breaks == ()
    assert ranks(set_scores(without_tickets("amsterdam", 3), 5, 5, 4)) == [1, 1, 3]
    assert ranks(new_game("first_journey", 4)) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("completed", "points"), [((2, 1), [15, 0]), ((1, 1), [15, 15]), ((0, 0), [0, 0]), ((0, 1), [0, 15])]
)
def test_germany_globetrotter(completed: tuple[int, int], points: list[int]) -> None:
    """Most completed tickets by number; tied seats all score it; nobody does with none."""
    edition = with_rules("usa", globetrotter=Bonus(15), longest_path=None)
    assert with_completed(edition, *completed).points_for("globetrotter") == points


def test_completed_tickets_count_by_number_not_value() -> None:
    tickets = edition_of("germany").tickets
    values = sorted(range(len(tickets)), key=lambda row: tickets[row].points)
    game = new_game("germany").rig_tickets({0: values[:2], 1: values[-1:]})
    assert game.points_for("globetrotter") == [0, 0]  # none is completed
    game.view["network"][:2] = 0
    assert game.points_for("globetrotter") == [15, 0]


def network(cities: int, routes: list[tuple[int, int, int]]) -> Edition:
    """A map of these routes (from, to, length), each of a group of its own."""
    usa = edition_of("usa")
    made = tuple(Route(a, b, length, None, "plain", 0, False, group, 0) for group, (a, b, length) in enumerate(routes))
    ticket = Ticket("0", "1", (0,), (1,), 1, 0, 0)
    places = tuple(City(str(row), 0.0, 0.0, None, None, 0) for row in range(cities))
    rules = replace(usa.ticket_rules, keep_at_start=0)
    return replace(
        usa, cities=places, routes=made, tickets=(ticket,), trains=120, ticket_rules=rules, route_scores=(1,) * 12
    )


def measured(edition: Edition) -> int:
    """The longest trail of a seat that owns the whole map."""
    game = Position(edition, 2)
    game.give(0, *range(len(edition.routes)))
    return int(kernels.measure_trail(game.boards, game.states, 0))


@pytest.mark.parametrize(
    ("routes", "length"),
    [
        ([], 0),
        ([(0, 1, 3)], 3),
        ([(0, 1, 3), (2, 3, 4)], 4),
        ([(0, 1, 1), (1, 2, 1), (2, 0, 1)], 3),  # a loop
        ([(0, 1, 1), (1, 2, 1), (2, 0, 1), (0, 3, 2)], 5),  # a loop with a tail
        ([(0, 1, 5), (0, 2, 4), (0, 3, 3)], 9),  # a star
        ([(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 0, 1), (0, 2, 6)], 10),  # all of it, a city twice
        ([(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1), (3, 4, 1), (4, 2, 1)], 6),  # an eight
        ([(0, 1, 2), (0, 1, 3), (0, 1, 4)], 9),  # three side by side
        ([(0, 1, 2), (1, 2, 2), (1, 3, 6), (4, 5, 3), (5, 6, 4)], 8),
    ],
)
def test_longest_trail_of_small_networks(routes: list[tuple[int, int, int]], length: int) -> None:
    assert measured(network(7, routes)) == length


def test_longest_trail_is_the_referees_on_random_networks() -> None:
    """That one works in another way, and is tested against every trail there is."""
    random = Random(3)
    for _ in range(2500):
        cities = random.randint(3, 8)
        routes = [
            (*random.sample(range(cities), 2), random.choice([1, 1, 2, 3, 4, 6])) for _ in range(random.randint(1, 9))
        ]
        assert measured(network(8, routes)) == longest_trail(routes), routes


@pytest.mark.parametrize(("seat_0", "seat_1", "points"), [(1, 0, [10, 0]), (1, 1, [10, 10]), (0, 0, [0, 0])])
def test_longest_path_bonus(seat_0: int, seat_1: int, points: list[int]) -> None:
    """Tied seats all score it; nobody does without a route."""
    game = new_game("usa")
    game.give_between(0, *[("Calgary", "Vancouver")][:seat_0])
    game.give_between(1, *[("El Paso", "Phoenix")][:seat_1])
    assert game.points_for("longest") == points


# Found by searching over sets of routes; rows of routes.csv and tickets.csv.
BEST_CLAIMS = (1, 2, 7, 9, 19, 21, 31, 38, 59, 67, 68, 76, 77, 82, 85, 88, 90, 98)
BEST_TICKETS = (0, 1, 2, 3, 6, 8, 11, 18, 19, 20, 21, 23, 24, 26, 28, 29)


def test_usa_best_solo_total_is_285() -> None:
    """62 points of routes and 223 of 16 tickets."""
    game = new_game("usa").rig_tickets({0: list(BEST_TICKETS)}).give(0, *BEST_CLAIMS)
    result = game.score()[0]
    assert (int(game.view["score"][0]), int(game.view["trains"][0])) == (62, 0)
    assert (int(result["completed"]), scored(result, "ticket"), scored(result, "ticket_penalty")) == (16, 223, 0)
    assert int(result["score"]) - scored(result, "longest") == 285
