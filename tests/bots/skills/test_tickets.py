"""What drawing tickets is worth, against brute force over all draws."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from tests.bots.skills.skill_bench import bench
from tests.engine.rig import give
from ttr_sim.bots.skills.tickets import _expected_best, _sort_in, best_deck
from ttr_sim.bots.skills.ways import price_by_turns

GAINS = [7.0, -3.0, 2.5, -8.0, 0.5, 4.0]


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_mean_of_the_best_of_a_draw(n: int) -> None:
    at = bench()
    for found, gain in enumerate(GAINS):
        _sort_in(at.mind, found, gain)
    draws = list(combinations(GAINS, n))
    best, good = _expected_best(at.mind, len(GAINS), n)
    assert best == pytest.approx(sum(map(max, draws)) / len(draws))
    assert good == pytest.approx(sum(max(0.0, *draw) for draw in draws) / len(draws))


def test_tickets_are_worth_more_to_a_wide_network() -> None:
    at = bench()
    price_by_turns(at.board, at.view, at.seat, at.mind)
    before, _ = best_deck(at.board, at.view, at.mind, 20.0)
    ends = ("Seattle", "Helena", "Duluth", "Chicago", "Pittsburgh", "New York", "Boston")
    give(at.game, int(at.view["seat"]), *(at.route(a, b) for a, b in pairwise(ends)))
    price_by_turns(at.board, at.view, at.seat, at.mind)
    after, _ = best_deck(at.board, at.view, at.mind, 20.0)
    assert after > before + 3


def test_nothing_is_expected_of_empty_decks() -> None:
    at = bench()
    at.view["deck_tickets"][:] = 0
    assert best_deck(at.board, at.view, at.mind, 20.0)[0] < -1000
