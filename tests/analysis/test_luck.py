"""Luck of the deal: what the opening explains, where the truth is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ttr_sim.analysis.luck import EITHER_WAY, _explained_by_skill, explained

SEATS = 2


def replays(openings: int, luck: float, seed: int, times: int = 4) -> pd.DataFrame:
    """Games of two players: with chance `luck` the opening decides, else a coin of the replay."""
    chance = np.random.default_rng(seed)
    deciding, favorite = chance.random(openings) < luck, chance.random(openings) < 0.5
    columns = {}
    for n in range(times):
        first = np.where(deciding, favorite, chance.random(openings) < 0.5)
        columns[f"replay {n}"] = np.column_stack([first, ~first]).ravel().astype(float)
    deal, seat = np.repeat(np.arange(openings), SEATS), np.tile(np.arange(SEATS), openings)
    return pd.DataFrame({"deal": deal, "rotation": 0, "seat": seat, "bot": "planner", **columns})


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
        frame = pd.DataFrame(
            {
                "deal": np.repeat(np.arange(4_000), 2),
                "rotation": 0,
                "seat": np.tile([0, 1], 4_000),
                "bot": ["planner", "racer"] * 4_000,
                "replay 0": np.column_stack([won, ~won]).ravel().astype(float),
            }
        )
        assert _explained_by_skill(frame, 2).value[0] == pytest.approx(expected, abs=0.02)


def test_intervals_of_skill_hold_the_truth_in_19_of_20_studies() -> None:
    """A strong player wins seven games of ten against a weaker one: its wins have 0.16 of the variance."""
    truth, held = (0.7 - 0.5) ** 2 / 0.25, 0
    for seed in range(200):
        won = np.random.default_rng(seed).random(400) < 0.7
        frame = pd.DataFrame(
            {
                "deal": np.repeat(np.arange(400), SEATS),
                "rotation": 0,
                "seat": np.tile(np.arange(SEATS), 400),
                "bot": ["planner", "racer"] * 400,
                "replay 0": np.column_stack([won, ~won]).ravel().astype(float),
            }
        )
        low, high = _explained_by_skill(frame, SEATS).bounded_interval(400, 0.0, 1.0)
        held += bool(low[0] <= truth <= high[0])
    assert 180 <= held <= 200
