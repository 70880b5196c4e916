"""The final reckoning: bonuses, ranks, tie-breaks down to a shared victory."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.rig import edition_of, give, new_game, rig_tickets, route, score, scored, ticket, with_rules
from tests.engine.test_stations import build
from ttr_sim.edition.model import Globetrotter
from ttr_sim.engine.stepping import Game


def ranks(results: Any) -> list[int]:
    return [int(result["rank"]) for result in results]


def scores(results: Any) -> list[int]:
    return [int(result["score"]) for result in results]


def set_scores(game: Game, *points: int) -> Game:
    """Public scores by hand, without tickets."""
    rig_tickets(game, {}, hoarder=None)
    for seat, value in enumerate(points):
        game.view["score"][seat] = value
    return game


def test_score_is_the_sum_of_its_parts() -> None:
    game = new_game("usa")
    rig_tickets(game, {0: [ticket(game, "Boston", "Miami"), ticket(game, "Denver", "El Paso")]})
    give(game, 0, route(game, "Denver", "Santa Fe"), route(game, "El Paso", "Santa Fe"))
    result = score(game)[0]
    assert (scored(result, "ticket"), scored(result, "ticket_penalty"), scored(result, "longest")) == (4, -12, 10)
    assert int(result["score"]) == 2 + 2 + 4 - 12 + 10


def test_every_bonus_counts_in_the_score() -> None:
    game = set_scores(new_game("germany"), 0, 0)
    rig_tickets(game, {0: [0], 1: []})
    game.view["held_passengers"][0][6] = 1
    game.view["network"][0] = 0
    result = score(game)[0]
    assert (scored(result, "globetrotter"), scored(result, "passenger")) == (15, 20)
    assert int(result["score"]) == 15 + 20 + game.edition.tickets[0].points
    game = set_scores(new_game("amsterdam"), 0, 0)
    game.view["merchandise"][0] = 1
    assert scores(score(game))[0] == 8


def test_most_points_win_and_ranks_are_1_1_3() -> None:
    edition = with_rules("usa", longest_path=None, tie_breaks=())
    assert ranks(score(set_scores(new_game(edition, 4), 5, 9, 9, 2))) == [3, 1, 1, 4]
    assert ranks(score(set_scores(new_game(edition, 3), 7, 7, 7))) == [1, 1, 1]


def tie_with_tickets(edition: Any, mine: int, theirs: int) -> Game:
    """Equal scores; the seats complete so many tickets worth nothing in all."""
    game = new_game(edition)
    boards = game.boards[0]
    boards["ticket_points"][:] = 0
    give(game, 0, route(game, "Calgary", "Vancouver"))
    rig_tickets(game, {0: [], 1: []})
    boards["ticket_a"][:], boards["ticket_b"][:] = 0, 1
    network = game.view["network"]
    network[0][1] = network[0][0]
    network[1][1] = network[1][0]
    for seat, n in ((0, mine), (1, theirs)):
        holding = game.state["holdings"][seat]
        holding["tickets"] = 0
        holding["n_tickets"], holding["tickets"][:n] = n, range(10 * seat, 10 * seat + n)
    return game


@pytest.mark.parametrize(("mine", "theirs", "expected"), [(2, 1, [1, 2]), (1, 2, [2, 1])])
def test_usa_tie_goes_to_most_completed_tickets(mine: int, theirs: int, expected: list[int]) -> None:
    game = tie_with_tickets(with_rules("usa", longest_path=None), mine, theirs)
    game.view["score"][:2] = 30
    assert ranks(score(game)) == expected


def test_usa_tie_then_goes_to_the_longest_path() -> None:
    """Seat 1 has the longer path and ten points fewer from its routes."""
    game = set_scores(new_game("usa"), 0, 0)
    give(game, 0, route(game, "Calgary", "Vancouver"))
    give(game, 1, route(game, "El Paso", "Los Angeles"))
    game.view["score"][:2] = [40, 30]
    results = score(game)
    assert (scores(results), ranks(results)) == ([40, 40], [2, 1])


def test_length_of_a_path_that_is_not_the_longest_breaks_no_tie() -> None:
    game = set_scores(new_game("usa", 3), 0, 0, 0)
    give(game, 0, route(game, "Calgary", "Vancouver"))
    give(game, 1, route(game, "El Paso", "Phoenix"), route(game, "Denver", "Omaha"))
    give(game, 2, route(game, "Los Angeles", "Phoenix"), route(game, "El Paso", "Los Angeles"))
    give(game, 0, route(game, "Calgary", "Seattle"))
    game.view["score"][:3] = [30, 30, 0]
    results = score(game)
    assert int(results[0]["longest"]) > int(results[1]["longest"]) > 0
    assert (scores(results), ranks(results)) == ([30, 30, 10], [1, 1, 3])


def test_usa_tie_of_everything_is_shared() -> None:
    game = set_scores(new_game("usa"), 0, 0)
    give(game, 0, route(game, "Calgary", "Vancouver"))
    give(game, 1, route(game, "El Paso", "Phoenix"))
    results = score(game)
    assert (scores(results), ranks(results)) == ([14, 14], [1, 1])


def test_usa_tie_without_any_route_is_shared() -> None:
    assert ranks(score(set_scores(new_game("usa", 3), 0, 0, 0))) == [1, 1, 1]


def test_nobody_without_a_route_holds_the_longest_path() -> None:
    assert [scored(result, "longest") for result in score(new_game("usa"))] == [0, 0]


def test_europe_tie_goes_to_fewest_stations_used_before_the_longest_path() -> None:
    game = set_scores(new_game("europe"), 0, 0)
    give(game, 1, route(game, "Berlin", "Danzig"))
    build(game, 1, "Roma")
    game.view["score"][:2] = [6, 0]
    results = score(game)
    assert (scores(results), ranks(results)) == ([18, 18], [1, 2])


def test_europe_tie_then_goes_to_the_longest_path() -> None:
    game = set_scores(new_game("europe"), 0, 0)
    give(game, 1, route(game, "Berlin", "Danzig"))
    game.view["score"][:2] = [20, 10]
    assert ranks(score(game)) == [2, 1]


def test_germany_tie_goes_to_most_passengers() -> None:
    """Seat 0 leads in one color of two, seat 1 in another of three: 20 each."""
    game = set_scores(new_game("germany"), 0, 0)
    game.view["held_passengers"][0][6] = 2
    game.view["held_passengers"][1][7] = 3
    results = score(game)
    assert (scores(results), ranks(results)) == ([20, 20], [2, 1])


def test_germany_tie_of_everything_is_shared() -> None:
    game = set_scores(new_game("germany"), 0, 0)
    for seat in (0, 1):
        game.view["held_passengers"][seat][6 + seat] = 2
    assert ranks(score(game)) == [1, 1]


def test_amsterdam_and_first_journey_ties_are_shared() -> None:
    assert edition_of("amsterdam").tie_breaks == ("tickets",)
    assert edition_of("first_journey").tie_breaks == ()
    assert ranks(score(set_scores(new_game("amsterdam", 3), 5, 5, 4))) == [1, 1, 3]
    assert ranks(score(new_game("first_journey", 4))) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("completed", "points"),
    [((2, 1), [15, 0]), ((1, 1), [15, 15]), ((0, 0), [0, 0]), ((0, 1), [0, 15])],
)
def test_germany_globetrotter(completed: tuple[int, int], points: list[int]) -> None:
    """Most completed tickets by number; tied seats all score it; nobody does with none."""
    edition = with_rules("usa", globetrotter=Globetrotter(15), longest_path=None)
    game = tie_with_tickets(edition, *completed)
    assert [scored(result, "globetrotter") for result in score(game)] == points


def test_failed_tickets_do_not_count_for_the_globetrotter() -> None:
    game = rig_tickets(new_game("germany", 3), {0: [0, 1, 2, 3], 1: [4], 2: [5]})
    assert [scored(result, "globetrotter") for result in score(game)] == [0, 0, 0]


def test_completed_tickets_count_by_number_not_value() -> None:
    game = rig_tickets(new_game("germany"), {0: [], 1: []})
    values = sorted(range(len(game.edition.tickets)), key=lambda row: game.edition.tickets[row].points)
    rig_tickets(game, {0: values[:2], 1: values[-1:]})
    game.view["network"][:2] = 0
    assert [scored(result, "globetrotter") for result in score(game)] == [15, 0]


def test_no_bonus_that_the_edition_lacks() -> None:
    game = give(new_game(with_rules("usa", longest_path=None)), 0, 0, 50)
    result = score(game)[0]
    bonuses = ("longest", "globetrotter", "station", "passenger", "merchandise")
    assert [scored(result, part) for part in bonuses] == [0, 0, 0, 0, 0]


def test_race_scores_completed_tickets_alone() -> None:
    game = give(new_game("first_journey"), 0, 0, 10, 20)
    results = score(game)
    assert scores(results) == [int(result["completed"]) for result in results]
    assert all(scored(result, "ticket_penalty") == 0 for result in results)
