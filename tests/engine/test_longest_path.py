"""The longest trail: exact, whatever the network."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from tests.engine import kernels
from tests.engine.rig import edition_of, give, new_game, route, score, scored
from ttr_sim.edition.model import City, Edition, Route, Ticket
from ttr_sim.engine.stepping import Game


def trail_by_brute_force(routes: list[Route]) -> int:
    """Try every trail there is."""

    @cache
    def longest_from(city: int, unused: int) -> int:
        best = 0
        for place, entry in enumerate(routes):
            if unused >> place & 1 and city in (entry.a, entry.b):
                far = entry.a + entry.b - city
                best = max(best, entry.length + longest_from(far, unused & ~(1 << place)))
        return best

    everything = (1 << len(routes)) - 1
    return max((longest_from(city, everything) for entry in routes for city in (entry.a, entry.b)), default=0)


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
    game = Game(edition, 2)
    give(game, 0, *range(len(edition.routes)))
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


def test_longest_trail_equals_brute_force_on_random_networks() -> None:
    random = Random(3)
    for _ in range(2500):
        cities = random.randint(3, 8)
        routes = [
            (*random.sample(range(cities), 2), random.choice([1, 1, 2, 3, 4, 6])) for _ in range(random.randint(1, 9))
        ]
        edition = network(8, [(a, b, length) for a, b, length in routes])
        assert measured(edition) == trail_by_brute_force(list(edition.routes)), routes


def test_longest_trail_equals_brute_force_on_the_official_maps() -> None:
    random = Random(4)
    for name in ("usa", "europe"):
        for deal in range(25):
            game = new_game(name, 2, deal=deal)
            rows = random.sample(range(len(game.edition.routes)), 30)
            for row in rows:
                _give_if_possible(game, row)
            mine = [entry for row, entry in enumerate(game.edition.routes) if game.view["owner"][row] == 0]
            assert int(kernels.measure_trail(game.boards, game.states, 0)) == trail_by_brute_force(mine)


def _give_if_possible(game: Game, row: int) -> None:
    """Keep the brute force short: no more than 14 routes."""
    routes, table = game.edition.routes, game.view
    entry = routes[row]
    groups = {other.group for place, other in enumerate(routes) if table["owner"][place] == 0}
    if entry.group not in groups and entry.length <= table["trains"][0] and len(groups) < 14:
        give(game, 0, row)


@pytest.mark.parametrize(("seat_0", "seat_1", "points"), [(1, 0, [10, 0]), (1, 1, [10, 10]), (0, 0, [0, 0])])
def test_longest_path_bonus(seat_0: int, seat_1: int, points: list[int]) -> None:
    """Tied seats all score it; nobody does without a route."""
    game = new_game("usa")
    if seat_0:
        give(game, 0, route(game, "Calgary", "Vancouver"))
    if seat_1:
        give(game, 1, route(game, "El Paso", "Phoenix"))
    assert [scored(result, "longest") for result in score(game)] == points


def test_no_path_runs_through_a_country() -> None:
    """Routes to two spots of one country are one trail only where they meet at their other ends."""
    edition = replace(edition_of("germany"), longest_path=edition_of("usa").longest_path)
    countries = [city.country for city in edition.cities if city.country]
    country = next(name for name in countries if countries.count(name) > 1)
    spots = [row for row, city in enumerate(edition.cities) if city.country == country]
    ends = {spot: next(row for row, e in enumerate(edition.routes) if spot in (e.a, e.b)) for spot in spots}
    towns = {spot: edition.routes[row].a + edition.routes[row].b - spot for spot, row in ends.items()}
    first, second = next((a, b) for a in spots for b in spots if towns[a] != towns[b])
    game = give(new_game(edition), 0, ends[first], ends[second])
    lengths = [edition.routes[ends[spot]].length for spot in (first, second)]
    assert int(score(game)[0]["longest"]) == max(lengths)
