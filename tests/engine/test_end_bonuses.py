"""Attractions, districts and the Mandala: bonuses that are scored at the end."""

from __future__ import annotations

import pytest

from tests.engine.rig import new_game, scored, with_rules
from ttr_sim.edition.model import Mandala
from ttr_sim.engine.actions import claim

POINTS = (5, 10, 20, 30, 40)
# Two ways of USA that share no route, and two that share none but meet in Santa Fe.
LOOP = (("Denver", "Santa Fe"), ("El Paso", "Santa Fe"), ("El Paso", "Phoenix"), ("Denver", "Phoenix"))
EIGHT = (
    *(("Denver", "Santa Fe"), ("Denver", "Phoenix"), ("Phoenix", "Santa Fe")),
    *(("El Paso", "Santa Fe"), ("Oklahoma City", "Santa Fe"), ("El Paso", "Oklahoma City")),
)


def test_two_players_at_one_attraction_both_score_it() -> None:
    game = new_game("new_york").give_between(0, ("Brooklyn", "Chinatown"), ("Brooklyn", "Wall Street"))
    game.give_between(1, ("Chinatown", "Lower East Side"))
    assert game.points_for("attraction") == [3, 1]


def test_attraction_is_scored_once_and_other_places_never() -> None:
    game = new_game("new_york").give_between(0, ("Soho", "Wall Street"), ("Chinatown", "Wall Street"))
    assert game.points_for("attraction") == [2, 0]
    assert int(game.score()[0]["score"]) == sum(int(part) for part in game.score()[0]["points"])


def test_district_is_joined_through_other_places() -> None:
    """Big Ben, Buckingham Palace, Piccadilly Circus and Trafalgar Square; not through Waterloo alone."""
    game = new_game("london").give_between(0, ("Big Ben", "Waterloo"), ("Trafalgar Square", "Waterloo"))
    game.give_between(0, ("Buckingham Palace", "Trafalgar Square"))
    assert game.points_for("district") == [0, 0]
    game.give_between(0, ("Covent Garden", "Trafalgar Square"), ("Covent Garden", "Piccadilly Circus"))
    assert game.points_for("district") == [2, 0]


def test_district_of_two_networks_is_not_joined() -> None:
    game = new_game("london")
    game.give_between(0, ("Big Ben", "Buckingham Palace"), ("Piccadilly Circus", "Trafalgar Square"))
    assert game.points_for("district") == [0, 0]


def test_district_is_closed_with_the_last_bus() -> None:
    game = new_game("london").rig(hands={0: "b"}).rig_tickets({})
    game.view["trains"][0] = 1
    game.apply(claim(game.route("British Museum", "Covent Garden"), game.code("b"), 0))
    assert (game.hand(0), int(game.view["trains"][0])) == ("", 0)
    assert game.points_for("district") == [1, 0]


@pytest.mark.parametrize(
    ("routes", "points"),
    [(LOOP, 5), (EIGHT, 5), (LOOP[:2], 0), ((*EIGHT[:1], *EIGHT[3:]), 0), (LOOP[1:], 0)],
    ids=["a loop", "ways that meet in a city", "one way", "a bridge", "one way around"],
)
def test_mandala_needs_two_ways_that_share_no_route(routes: tuple[tuple[str, str], ...], points: int) -> None:
    game = new_game(with_rules("usa", mandala=Mandala(POINTS)))
    game.rig_tickets({0: [game.ticket("Denver", "El Paso")], 1: []})
    assert game.give_between(0, *routes).points_for("mandala") == [points, 0]


@pytest.mark.parametrize("tickets", range(7))
def test_mandala_scores_by_the_number_of_tickets_and_six_as_five(tickets: int) -> None:
    # Without the longest path: so many routes have too many trails to search.
    game = new_game(with_rules("india", longest_path=None, tie_breaks=("tickets",)))
    game.rig_tickets({0: list(range(tickets)), 1: []})
    first_lanes = {(entry.a, entry.b): row for row, entry in reversed(list(enumerate(game.edition.routes)))}
    names = [entry.name for entry in game.edition.cities]
    game.give_between(0, *((names[a], names[b]) for a, b in first_lanes))
    assert scored(game.score()[0], "mandala") == (0, *POINTS, POINTS[-1])[tickets]


def test_no_end_bonus_without_its_block() -> None:
    game = new_game("usa").give_between(0, *LOOP)
    assert [game.points_for(part) for part in ("attraction", "district", "mandala")] == [[0, 0]] * 3
