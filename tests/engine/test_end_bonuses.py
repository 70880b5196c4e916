"""Attractions, districts and the Mandala: bonuses that are scored at the end."""

from __future__ import annotations

import pytest

from tests.engine.rig import (
    code,
    give_between,
    hand,
    new_game,
    points_for,
    rig,
    rig_tickets,
    route,
    score,
    scored,
    ticket,
    with_rules,
)
from ttr_sim.edition.model import Mandala
from ttr_sim.engine.actions import claim
from ttr_sim.engine.stepping import Game

POINTS = (5, 10, 20, 30, 40)
# Two ways of USA that share no route, and two that share none but meet in Santa Fe.
LOOP = (("Denver", "Santa Fe"), ("El Paso", "Santa Fe"), ("El Paso", "Phoenix"), ("Denver", "Phoenix"))
EIGHT = (
    *(("Denver", "Santa Fe"), ("Denver", "Phoenix"), ("Phoenix", "Santa Fe")),
    *(("El Paso", "Santa Fe"), ("Oklahoma City", "Santa Fe"), ("El Paso", "Oklahoma City")),
)


def test_two_players_at_one_attraction_both_score_it() -> None:
    game = give_between(new_game("new_york"), 0, ("Brooklyn", "Chinatown"), ("Brooklyn", "Wall Street"))
    give_between(game, 1, ("Chinatown", "Lower East Side"))
    assert points_for(game, "attraction") == [3, 1]


def test_attraction_is_scored_once_and_other_places_never() -> None:
    game = give_between(new_game("new_york"), 0, ("Soho", "Wall Street"), ("Chinatown", "Wall Street"))
    assert points_for(game, "attraction") == [2, 0]
    assert int(score(game)[0]["score"]) == sum(int(part) for part in score(game)[0]["points"])


def test_district_is_joined_through_other_places() -> None:
    """Big Ben, Buckingham Palace, Piccadilly Circus and Trafalgar Square; not through Waterloo alone."""
    game = give_between(new_game("london"), 0, ("Big Ben", "Waterloo"), ("Trafalgar Square", "Waterloo"))
    give_between(game, 0, ("Buckingham Palace", "Trafalgar Square"))
    assert points_for(game, "district") == [0, 0]
    give_between(game, 0, ("Covent Garden", "Trafalgar Square"), ("Covent Garden", "Piccadilly Circus"))
    assert points_for(game, "district") == [2, 0]


def test_district_of_two_networks_is_not_joined() -> None:
    game = give_between(
        new_game("london"), 0, ("Big Ben", "Buckingham Palace"), ("Piccadilly Circus", "Trafalgar Square")
    )
    assert points_for(game, "district") == [0, 0]


def test_district_is_closed_with_the_last_bus() -> None:
    game = rig_tickets(rig(new_game("london"), hands={0: "b"}), {})
    game.view["trains"][0] = 1
    game.apply(claim(route(game, "British Museum", "Covent Garden"), code(game, "b"), 0))
    assert (hand(game, 0), int(game.view["trains"][0])) == ("", 0)
    assert points_for(game, "district") == [1, 0]


def on_usa(*routes: tuple[str, str]) -> Game:
    """USA with the Mandala, these routes and the ticket from Denver to El Paso."""
    game = new_game(with_rules("usa", mandala=Mandala(POINTS)))
    rig_tickets(game, {0: [ticket(game, "Denver", "El Paso")], 1: []})
    return give_between(game, 0, *routes)


@pytest.mark.parametrize(
    ("routes", "points"),
    [(LOOP, 5), (EIGHT, 5), (LOOP[:2], 0), ((*EIGHT[:1], *EIGHT[3:]), 0), (LOOP[1:], 0)],
    ids=["a loop", "ways that meet in a city", "one way", "a bridge", "one way around"],
)
def test_mandala_needs_two_ways_that_share_no_route(routes: tuple[tuple[str, str], ...], points: int) -> None:
    assert points_for(on_usa(*routes), "mandala") == [points, 0]


@pytest.mark.parametrize("tickets", range(7))
def test_mandala_scores_by_the_number_of_tickets_and_six_as_five(tickets: int) -> None:
    game = new_game("india")
    rig_tickets(game, {0: list(range(tickets)), 1: []})
    first_lanes = {(entry.a, entry.b): row for row, entry in reversed(list(enumerate(game.edition.routes)))}
    names = [entry.name for entry in game.edition.cities]
    give_between(game, 0, *((names[a], names[b]) for a, b in first_lanes))
    assert scored(score(game)[0], "mandala") == (0, *POINTS, POINTS[-1])[tickets]


def test_no_end_bonus_without_its_block() -> None:
    game = give_between(new_game("usa"), 0, *LOOP)
    assert [points_for(game, part) for part in ("attraction", "district", "mandala")] == [[0, 0]] * 3
