"""The longest trail, against trying every trail of small networks."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import pytest

from ttr_sim.referee.scoring import longest_trail

Edges = list[tuple[int, int, int]]


def best_of_all_trails(edges: Edges) -> int:
    """Every start, every way on."""

    def longest_from(city: int, rest: Edges) -> int:
        best = 0
        for place, (a, b, length) in enumerate(rest):
            for here, there in ((a, b), (b, a)):
                if here == city:
                    best = max(best, length + longest_from(there, rest[:place] + rest[place + 1 :]))
        return best

    return max((longest_from(city, edges) for edge in edges for city in edge[:2]), default=0)


@pytest.mark.parametrize("seed", range(60))
def test_random_networks(seed: int) -> None:
    random = Random(seed)
    pairs = random.sample(list(permutations(range(6), 2)), random.randint(0, 9))
    edges = [(a, b, random.randint(1, 6)) for a, b in pairs]
    assert longest_trail(edges) == best_of_all_trails(edges)


def test_a_loop_may_be_part_of_it_and_a_city_visited_twice() -> None:
    assert longest_trail([(0, 1, 1), (1, 2, 2), (2, 3, 2), (3, 1, 2)]) == 7


def test_of_three_arms_the_shortest_is_left_out() -> None:
    assert longest_trail([(0, 1, 5), (0, 2, 4), (0, 3, 3)]) == 9


def test_parts_that_do_not_hang_together_do_not_add_up() -> None:
    assert longest_trail([(0, 1, 5), (2, 3, 6)]) == 6


@pytest.mark.parametrize(("cities", "longest"), [(6, 13), (8, 25)])
def test_every_city_joined_with_every_other(cities: int, longest: int) -> None:
    """All are odd, so all but two leave out a route, which serves two."""
    assert longest_trail([(a, b, 1) for a, b in combinations(range(cities), 2)]) == longest


def test_a_dense_network_takes_no_time() -> None:
    """A square of six by six cities has sixteen odd ones, paired along its border: seven of sixty routes stay out."""
    square = [(6 * y + x, 6 * y + x + 1, 1) for x in range(5) for y in range(6)]
    square += [(6 * y + x, 6 * y + x + 6, 1) for x in range(6) for y in range(5)]
    assert longest_trail(square) == 53
