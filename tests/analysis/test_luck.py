"""Luck of the deal: what the opening explains, where the truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from ttr_sim.analysis.luck import EITHER_WAY, Replays, _explained_by_skill, _times_before, explained

SEATS = 2


def replays(openings: int, luck: float, seed: int, times: int = 4) -> Replays:
    """Games of two players: with chance `luck` the opening decides, else a coin of the replay."""
    chance = np.random.default_rng(seed)
    deciding, favorite = chance.random(openings) < luck, chance.random(openings) < 0.5
    won = []
    for _ in range(times):
        first = np.where(deciding, favorite, chance.random(openings) < 0.5)
        won.append(mirrored(first))
    return of_two(["planner", "planner"], np.hstack(won))


def of_two(bots: list[str], won: NDArray[np.float64]) -> Replays:
    openings = len(won) // SEATS
    deal, seat = np.repeat(np.arange(openings), SEATS), np.tile(np.arange(SEATS), openings)
    return Replays(deal, seat, np.array(bots * openings), won)


def mirrored(won: NDArray[np.bool_]) -> NDArray[np.float64]:
    """What both seats won, in one replay."""
    return np.column_stack([won, ~won]).ravel().astype(float)[:, None]


@pytest.mark.parametrize(("luck", "expected"), [(0.0, 0.0), (1.0, 1.0), (0.3, 0.3)])
def test_the_share_that_openings_decide_is_found(luck: float, expected: float) -> None:
    found = explained(replays(4_000, luck, seed=1))
    assert found.value[0] == pytest.approx(expected, abs=0.03)


def test_intervals_hold_the_truth_in_19_of_20_studies() -> None:
    """Two seats of one game mirror each other; still each opening is one independent piece."""
    held = 0
    for seed in range(200):
        low, high = explained(replays(300, 0.3, seed)).bounded_interval(300, *EITHER_WAY)
        held += bool(low[0] <= 0.3 <= high[0])
    assert 180 <= held <= 199


def test_skill_is_the_variance_between_strong_and_weaker_seats() -> None:
    """With a weak player that never wins, who sits where explains all of a game of two; with an equal one, nothing."""
    chance = np.random.default_rng(1)
    for strength, expected in ((1.0, 1.0), (0.5, 0.0)):
        won = chance.random(4_000) < strength
        games = of_two(["planner", "racer"], mirrored(won))
        assert _explained_by_skill(games, SEATS).value[0] == pytest.approx(expected, abs=0.02)


def test_intervals_of_skill_hold_the_truth_in_19_of_20_studies() -> None:
    """A strong player wins seven games of ten against a weaker one: its wins have 0.16 of the variance."""
    truth, held = (0.7 - 0.5) ** 2 / 0.25, 0
    for seed in range(200):
        won = np.random.default_rng(seed).random(400) < 0.7
        games = of_two(["planner", "racer"], mirrored(won))
        low, high = _explained_by_skill(games, SEATS).bounded_interval(400, 0.0, 1.0)
        held += bool(low[0] <= truth <= high[0])
    assert 180 <= held <= 200


def test_replays_are_joined_by_deal_and_place_in_whatever_order_they_stand() -> None:
    first = of_two(["planner", "racer"], np.arange(6.0)[:, None])
    turned = first.where(np.array([4, 1, 0, 3]))
    both = first.beside(turned)
    assert both.won.tolist() == [[0, 0], [1, 1], [3, 3], [4, 4]]
    assert both.bot.tolist() == ["planner", "racer", "racer", "planner"]


def test_the_games_of_a_deal_are_numbered_as_they_stand() -> None:
    assert _times_before(np.array([7, 3, 7, 7, 3])).tolist() == [0, 0, 1, 2, 1]
