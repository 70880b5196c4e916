"""Passengers and merchandise: what a claim brings, and what majorities score."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import code, edition_of, new_game, rig, score, scored, with_rules
from ttr_sim.edition.model import Merchandise
from ttr_sim.engine.actions import ASK_PASSENGER, WILD, claim, passenger
from ttr_sim.engine.stepping import Game

EVERYTHING = "r" * 12 + "*" * 14


def standing(game: Game, city: int) -> str:
    """Letters of the passengers at a city, or in the country of a spot."""
    pool = int(game.boards[0]["pool_city"][city])
    colors = game.edition.colors
    return "".join(color.letter * int(game.view["passengers"][pool][index]) for index, color in enumerate(colors))


def held(game: Game, seat: int) -> str:
    counts, colors = game.view["held_passengers"][seat], game.edition.colors
    return "".join(color.letter * int(counts[index]) for index, color in enumerate(colors))


def place(game: Game, people: dict[int, str]) -> Game:
    """Passengers at these cities and nowhere else."""
    game.view["passengers"][:] = 0
    for city, letters in people.items():
        for letter in letters:
            game.view["passengers"][city][code(game, letter)] += 1
    return game


def wild_claim(game: Game, row: int) -> int:
    return int(claim(row, WILD, game.edition.routes[row].length))


def test_germany_sixty_passengers_at_random_each_city_as_many_as_it_says() -> None:
    edition = edition_of("germany")
    layouts = set()
    for deal in range(5):
        game = Game(edition, 2, deal=deal)
        pools = {int(pool) for pool in game.boards[0]["pool_city"][: len(edition.cities)]}
        by_color = Counter("".join(standing(game, pool) for pool in pools))
        assert by_color == dict.fromkeys("wkrbgy", 10)
        for row, city in enumerate(game.edition.cities):
            if city.country is None:
                assert len(standing(game, row)) == city.passengers
        layouts.add(game.view["passengers"].tobytes())
    assert len(layouts) == 5


def test_germany_country_holds_one_for_all_of_its_spots() -> None:
    game = Game(edition_of("germany"), 2)
    by_country: dict[str, set[str]] = {}
    for row, city in enumerate(game.edition.cities):
        if city.country:
            by_country.setdefault(city.country, set()).add(standing(game, row))
    assert all(len(people) == 1 and len(next(iter(people))) == 1 for people in by_country.values())


def inner_route(game: Game) -> int:
    """A route between two cities of no country."""
    cities = game.edition.cities
    return next(row for row, e in enumerate(game.edition.routes) if not cities[e.a].country and not cities[e.b].country)


def test_one_passenger_from_each_end_of_a_chosen_color() -> None:
    game = rig(new_game("germany"), hands={0: EVERYTHING})
    row = inner_route(game)
    entry = game.edition.routes[row]
    place(game, {entry.a: "rrb", entry.b: "wk"})
    game.apply(wild_claim(game, row))
    assert (game.view["decision"], int(game.view["passenger_city"])) == (ASK_PASSENGER, entry.a)
    assert set(game.choices()) == {passenger(code(game, "r")), passenger(code(game, "b"))}
    assert game.why_not(passenger(code(game, "w"))) == "no passenger of this color waits there"
    game.apply(passenger(code(game, "b")))
    assert int(game.view["passenger_city"]) == entry.b
    game.apply(passenger(code(game, "k")))
    assert (held(game, 0), standing(game, entry.a), standing(game, entry.b)) == ("bk", "rr", "w")
    assert (game.seat, game.turn) == (1, 1)


def test_case_9_single_color_is_taken_without_a_question() -> None:
    game = rig(new_game("germany"), hands={0: EVERYTHING})
    row = inner_route(game)
    entry = game.edition.routes[row]
    place(game, {entry.a: "rr", entry.b: "k"})
    game.apply(wild_claim(game, row))
    assert (sorted(held(game, 0)), game.seat) == (["k", "r"], 1)


@pytest.mark.parametrize(("first", "second", "taken"), [("", "k", "k"), ("k", "", "k"), ("", "", "")])
def test_city_without_passengers_gives_none(first: str, second: str, taken: str) -> None:
    game = rig(new_game("germany"), hands={0: EVERYTHING})
    row = inner_route(game)
    entry = game.edition.routes[row]
    place(game, {entry.a: first, entry.b: second})
    game.apply(wild_claim(game, row))
    assert (held(game, 0), game.seat) == (taken, 1)


def test_passenger_of_a_country_is_gone_for_all_of_its_spots() -> None:
    game = rig(new_game("germany"), hands={0: EVERYTHING})
    cities = game.edition.cities
    pools = game.boards[0]["pool_city"]
    spot = next(place for place, city in enumerate(cities) if city.country and pools[place] != place)
    row = next(row for row, entry in enumerate(game.edition.routes) if spot in (entry.a, entry.b))
    game.apply(wild_claim(game, row))
    while game.view["decision"] == ASK_PASSENGER:
        game.apply(game.choices()[0])
    others = [place for place, city in enumerate(cities) if city.country == cities[spot].country]
    assert all(standing(game, place) == "" for place in others)
    check_invariants(game)


def test_every_spot_of_a_country_gives_its_passenger() -> None:
    cities = edition_of("germany").cities
    for spot, place_of_it in enumerate(cities):
        if place_of_it.country:
            game = rig(new_game("germany"), hands={0: EVERYTHING})
            row = next(row for row, entry in enumerate(game.edition.routes) if spot in (entry.a, entry.b))
            place(game, {int(game.boards[0]["pool_city"][spot]): "r"})
            game.apply(wild_claim(game, row))
            assert held(game, 0) == "r"


def majority(*counts: int, seats: int | None = None) -> list[int]:
    """Points for one color, the seats holding so many each."""
    game = new_game("germany", seats or len(counts))
    for seat, count in enumerate(counts):
        game.view["held_passengers"][seat][code(game, "r")] = count
    return [scored(result, "passenger") for result in score(game)]


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((3, 2), [20, 10]),
        ((3, 0), [20, 0]),
        ((0, 0), [0, 0]),
        ((2, 2), [20, 20]),
        ((3, 3, 1), [20, 20, 0]),
        ((3, 1, 1), [20, 10, 10]),
        ((1, 1, 1), [20, 20, 20]),
        ((4, 3, 2, 1), [20, 10, 0, 0]),
        ((4, 0, 0, 0), [20, 0, 0, 0]),
        ((1, 4, 2, 2, 0), [0, 20, 10, 10, 0]),
    ],
)
def test_germany_passenger_majorities(counts: tuple[int, ...], points: list[int]) -> None:
    assert majority(*counts) == points


def test_germany_each_color_scores_by_itself() -> None:
    game = new_game("germany", 2)
    for letter, seat, count in (("r", 0, 2), ("b", 1, 1), ("k", 0, 1), ("k", 1, 1)):
        game.view["held_passengers"][seat][code(game, letter)] = count
    assert [scored(result, "passenger") for result in score(game)] == [20 + 20, 20 + 20]


# --- merchandise -----------------------------------------------------------------------------


def cart_route(game: Game, has_symbol: bool, longest: int = 9) -> int:
    rows = enumerate(game.edition.routes)
    return next(row for row, entry in rows if entry.merchandise == has_symbol and 1 < entry.length <= longest)


def test_amsterdam_cart_symbol_earns_one_card_whatever_the_length() -> None:
    edition = edition_of("amsterdam")
    for row, entry in enumerate(edition.routes):
        game = rig(new_game(edition), hands={0: "*" * 8})
        game.apply(wild_claim(game, row))
        assert int(game.view["merchandise"][0]) == int(entry.merchandise)
    check_invariants(game)


def test_amsterdam_no_card_when_none_is_left() -> None:
    points = edition_of("amsterdam").merchandise.points
    game = rig(new_game(with_rules("amsterdam", merchandise=Merchandise(0, points))), hands={0: "*" * 8})
    game.apply(wild_claim(game, cart_route(game, True)))
    assert int(game.view["merchandise"][0]) == 0


def test_amsterdam_merchandise_runs_out() -> None:
    one = Merchandise(1, edition_of("amsterdam").merchandise.points)
    game = rig(new_game(with_rules("amsterdam", merchandise=one)), hands={0: "*" * 8})
    game.apply(wild_claim(game, cart_route(game, True)))
    assert (int(game.view["merchandise"][0]), int(game.view["merchandise_left"])) == (1, 0)
    rig(game, hands={1: "*" * 8}, seat=1)
    rows = enumerate(game.edition.routes)
    row = next(row for row, entry in rows if entry.merchandise and game.view["owner"][row] == -1)
    game.apply(wild_claim(game, row))
    assert (int(game.view["merchandise"][1]), int(game.view["merchandise_left"])) == (0, 0)


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((2, 1), [8, 4]),
        ((1, 1), [8, 8]),
        ((3, 0), [8, 0]),
        ((0, 0), [0, 0]),
        ((3, 2, 1), [8, 5, 2]),
        ((2, 2, 1), [8, 8, 2]),
        ((2, 1, 1), [8, 5, 5]),
        ((1, 1, 1), [8, 8, 8]),
        ((2, 1, 0), [8, 5, 0]),
        ((4, 3, 2, 1), [8, 6, 4, 2]),
        ((4, 4, 2, 1), [8, 8, 4, 2]),
        ((4, 3, 3, 1), [8, 6, 6, 2]),
        ((4, 4, 4, 1), [8, 8, 8, 2]),
        ((4, 3, 3, 3), [8, 6, 6, 6]),
        ((1, 0, 0, 0), [8, 0, 0, 0]),
        ((1, 2, 2, 0), [4, 8, 8, 0]),
    ],
)
def test_amsterdam_merchandise_ranks(counts: tuple[int, ...], points: list[int]) -> None:
    game = new_game("amsterdam", len(counts))
    for seat, count in enumerate(counts):
        game.view["merchandise"][seat] = count
    assert [scored(result, "merchandise") for result in score(game)] == points


def test_hundreds_of_passengers_of_one_color_are_counted() -> None:
    """More than a byte can hold: a folder may ask for 250 of one color."""
    edition = edition_of("germany")
    cities = tuple(replace(city, passengers=200 if row == 1 else 0) for row, city in enumerate(edition.cities))
    crowd = replace(edition, cities=cities, passengers=replace(edition.passengers, colors=(0,), each=200))
    game = Game(crowd, 2)
    assert int(game.view["passengers"][1].astype(int).sum()) == 200
    assert game.view["passengers"].min() >= 0
