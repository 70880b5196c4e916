"""Passengers and merchandise: what a claim brings, and what majorities score."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import Position, edition_of, new_game, with_rules
from ttr_sim.edition.model import Merchandise
from ttr_sim.engine.actions import ASK_PASSENGER, passenger


def standing(game: Position, city: int) -> str:
    """Letters of the passengers at a city, or in the country of a spot."""
    return game.letters(game.view["passengers"][int(game.boards[0]["pool_city"][city])])


def germany(people: dict[int, str] | None = None) -> Position:
    """A game in which the first player can pay for any route, with passengers at these cities and nowhere else."""
    game = new_game("germany").rig(hands={0: "r" * 12 + "*" * 14})
    if people is not None:
        game.view["passengers"][:] = 0
        for city, standing_there in people.items():
            for letter in standing_there:
                game.view["passengers"][city][game.code(letter)] += 1
    return game


GERMANY = edition_of("germany")
# A route between two cities of no country.
INNER = next(
    row for row, e in enumerate(GERMANY.routes) if not GERMANY.cities[e.a].country and not GERMANY.cities[e.b].country
)
NEAR, FAR = GERMANY.routes[INNER].a, GERMANY.routes[INNER].b


def route_to(city: int) -> int:
    return next(row for row, entry in enumerate(GERMANY.routes) if city in (entry.a, entry.b))


def test_germany_sixty_passengers_at_random_each_city_as_many_as_it_says() -> None:
    """And a country one for all of its spots."""
    layouts = set()
    for deal in range(5):
        game = Position(GERMANY, 2, deal=deal)
        pools = {int(pool) for pool in game.boards[0]["pool_city"][: len(GERMANY.cities)]}
        by_color = Counter("".join(standing(game, pool) for pool in pools))
        assert by_color == dict.fromkeys("wkrbgy", 10)
        by_country: dict[str, set[str]] = {}
        for row, city in enumerate(game.edition.cities):
            if city.country is None:
                assert len(standing(game, row)) == city.passengers
            else:
                by_country.setdefault(city.country, set()).add(standing(game, row))
        assert all(len(people) == 1 and len(next(iter(people))) == 1 for people in by_country.values())
        layouts.add(game.view["passengers"].tobytes())
    assert len(layouts) == 5


def test_one_passenger_from_each_end_of_a_chosen_color() -> None:
    game = germany({NEAR: "rrb", FAR: "wk"})
    game.claim_wild(INNER)
    game.expect(decision=ASK_PASSENGER, passenger_city=NEAR)
    assert set(game.choices()) == {passenger(game.code("r")), passenger(game.code("b"))}
    assert game.why_not(passenger(game.code("w"))) == "no passenger of this color waits there"
    game.apply(passenger(game.code("b")))
    game.expect(passenger_city=FAR)
    game.apply(passenger(game.code("k")))
    assert Counter(game.letters(game.view["held_passengers"][0])) == Counter("bk")
    assert (standing(game, NEAR), standing(game, FAR)) == ("rr", "w")
    game.expect(seat=1, turn=1)


@pytest.mark.parametrize(
    ("first", "second", "taken"), [("rr", "k", "rk"), ("", "k", "k"), ("k", "", "k"), ("", "", "")]
)
def test_case_9_single_color_is_taken_without_a_question(first: str, second: str, taken: str) -> None:
    """And a city without passengers gives none."""
    game = germany({NEAR: first, FAR: second})
    game.claim_wild(INNER)
    game.expect(seat=1)
    assert Counter(game.letters(game.view["held_passengers"][0])) == Counter(taken)


def test_passenger_of_a_country_is_gone_for_all_of_its_spots() -> None:
    game = germany()
    cities, pools = game.edition.cities, game.boards[0]["pool_city"]
    spot = next(place for place, city in enumerate(cities) if city.country and pools[place] != place)
    game.claim_wild(route_to(spot))
    while game.view["decision"] == ASK_PASSENGER:
        game.apply(game.choices()[0])
    assert all(standing(game, row) == "" for row, city in enumerate(cities) if city.country == cities[spot].country)
    check_invariants(game)


def test_every_spot_of_a_country_gives_its_passenger() -> None:
    pools = new_game("germany").boards[0]["pool_city"]
    for spot, city in enumerate(GERMANY.cities):
        if city.country:
            game = germany({int(pools[spot]): "r"})
            game.claim_wild(route_to(spot))
            game.expect(held_passengers="r")


MAJORITIES = {
    **{(3, 2): [20, 10], (3, 0): [20, 0], (0, 0): [0, 0], (2, 2): [20, 20]},
    **{(3, 3, 1): [20, 20, 0], (3, 1, 1): [20, 10, 10], (1, 1, 1): [20, 20, 20]},
    **{(4, 3, 2, 1): [20, 10, 0, 0], (4, 0, 0, 0): [20, 0, 0, 0], (1, 4, 2, 2, 0): [0, 20, 10, 10, 0]},
}
RANKS = {
    **{(2, 1): [8, 4], (1, 1): [8, 8], (3, 0): [8, 0], (0, 0): [0, 0]},
    **{(3, 2, 1): [8, 5, 2], (2, 2, 1): [8, 8, 2], (2, 1, 1): [8, 5, 5], (1, 1, 1): [8, 8, 8], (2, 1, 0): [8, 5, 0]},
    **{(4, 3, 2, 1): [8, 6, 4, 2], (4, 4, 2, 1): [8, 8, 4, 2], (4, 3, 3, 1): [8, 6, 6, 2], (4, 4, 4, 1): [8, 8, 8, 2]},
    **{(4, 3, 3, 3): [8, 6, 6, 6], (1, 0, 0, 0): [8, 0, 0, 0], (1, 2, 2, 0): [4, 8, 8, 0]},
}


@pytest.mark.parametrize(("counts", "points"), MAJORITIES.items())
def test_germany_passenger_majorities(counts: tuple[int, ...], points: list[int]) -> None:
    game = new_game("germany", len(counts))
    game.view["held_passengers"][: len(counts), game.code("r")] = counts
    assert game.points_for("passenger") == points
    game.view["held_passengers"][0, game.code("k")] = 1  # each color scores by itself
    assert game.points_for("passenger") == [points[0] + 20, *points[1:]]


def test_hundreds_of_passengers_of_one_color_are_counted() -> None:
    """More than a byte can hold: a folder may ask for 250 of one color."""
    cities = tuple(replace(city, passengers=200 if row == 1 else 0) for row, city in enumerate(GERMANY.cities))
    crowd = replace(GERMANY, cities=cities, passengers=replace(GERMANY.passengers, colors=(0,), each=200))
    game = Position(crowd, 2)
    assert int(game.view["passengers"][1].astype(int).sum()) == 200
    assert game.view["passengers"].min() >= 0


def with_merchandise(cards: int) -> Position:
    rules = Merchandise(cards, edition_of("amsterdam").merchandise.points)
    return new_game(with_rules("amsterdam", merchandise=rules)).rig(hands={0: "*" * 8})


def free_cart_route(game: Position) -> int:
    rows = enumerate(game.edition.routes)
    return next(row for row, entry in rows if entry.merchandise and game.view["owner"][row] == -1)


def test_amsterdam_cart_symbol_earns_one_card_whatever_the_length() -> None:
    edition = edition_of("amsterdam")
    for row, entry in enumerate(edition.routes):
        game = new_game(edition).rig(hands={0: "*" * 8})
        game.claim_wild(row)
        game.expect(merchandise=int(entry.merchandise))
    check_invariants(game)


def test_amsterdam_merchandise_runs_out() -> None:
    game = with_merchandise(0)
    game.claim_wild(free_cart_route(game))
    game.expect(merchandise=0, merchandise_left=0)
    game = with_merchandise(1)
    game.claim_wild(free_cart_route(game))
    game.expect(merchandise=1, merchandise_left=0)
    game.rig(hands={1: "*" * 8}, seat=1)
    game.claim_wild(free_cart_route(game))
    assert (int(game.view["merchandise"][1]), int(game.view["merchandise_left"])) == (0, 0)


@pytest.mark.parametrize(("counts", "points"), RANKS.items())
def test_amsterdam_merchandise_ranks(counts: tuple[int, ...], points: list[int]) -> None:
    game = new_game("amsterdam", len(counts))
    game.view["merchandise"][: len(counts)] = counts
    assert game.points_for("merchandise") == points
