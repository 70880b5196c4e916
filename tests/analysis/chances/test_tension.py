"""Drama, decisiveness and the lead in chances, worked out on paper; and games that are decided at once or by a coin."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ttr_sim.analysis.chances.sample import Rounds
from ttr_sim.analysis.chances.tension import chances, course, of_games, shape


def rounds_of(games: list[list[tuple[float, float]]], winners: list[tuple[float, float]]) -> Rounds:
    """Games of two players by the chances after setup and each round; a game has one round more, in which it ends."""
    lengths = np.array([2 * len(rounds) + 1 for rounds in games])
    starts = np.cumsum(lengths) - lengths
    steps = np.concatenate([start + 2 * np.arange(len(rounds)) for start, rounds in zip(starts, games, strict=True)])
    game_of_step = np.repeat(np.arange(len(games)), lengths)
    courses: Any = SimpleNamespace(
        players=2,
        games=len(games),
        blocks=np.arange(len(games)),
        lengths=lengths,
        starts=starts,
        wins=np.array(winners),
        game_of_step=game_of_step,
        turns_taken=np.arange(lengths.sum()) - starts[game_of_step],
    )
    return Rounds(courses, steps, np.array([chance for rounds in games for chance in rounds]))


@pytest.fixture
def three() -> Rounds:
    """A comeback, a walk-over and a draw."""
    return rounds_of(
        [
            [(0.5, 0.5), (0.3, 0.7), (0.6, 0.4), (0.95, 0.05)],
            [(0.9, 0.1), (0.95, 0.05)],
            [(0.6, 0.4), (0.2, 0.8)],
        ],
        [(1, 0), (1, 0), (0.5, 0.5)],
    )


def test_measures_of_each_game(three: Rounds) -> None:
    games = of_games(three)
    assert games["drama"].tolist() == pytest.approx([0.4 / 4, 0.0, (0.1 + 0.3) / 2])
    assert games["winner_led"].tolist() == pytest.approx([3 / 4, 1.0, 0.5])
    assert games["decided_for_good"].tolist() == pytest.approx([6 / 8, 0.0, 1.0])
    assert games["chance_lead_changes"].tolist() == [2, 0, 1]


def test_course_starts_at_setup(three: Rounds) -> None:
    first = course({2: three}).iloc[0]
    assert (first["part"], first["n"]) == (0, 3)
    assert first["winner"] == pytest.approx((0.5 + 0.9 + 0.5) / 3)
    assert first["leader"] == pytest.approx((0.5 + 0.9 + 0.6) / 3)


def test_bins_count_every_seat(three: Rounds) -> None:
    table = chances({2: three})
    sure = table[table["low"] == 0.9].iloc[0]
    assert (sure["n"], sure["won"]) == (2, 1.0)
    assert sure["chance"] == pytest.approx((0.95 + 0.9 + 0.95) / 3)


def walks(games: int, seed: int, rounds: int = 12) -> Rounds:
    """A spectator's chances that are right: the share of paths of a coin-flip race that end ahead."""
    from scipy.stats import norm

    chance = np.random.default_rng(seed)
    ahead = chance.normal(size=(games, rounds)).cumsum(axis=1)
    left = np.sqrt(rounds - np.arange(rounds))
    first = norm.cdf(np.column_stack([np.zeros(games), ahead[:, :-1]]) / left)
    won = ahead[:, -1] > 0
    listed = [[(p, 1 - p) for p in row] for row in first.tolist()]
    return rounds_of(listed, [(float(w), float(not w)) for w in won])


def test_intervals_hold_the_truth_in_19_of_20_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ttr_sim.analysis.chances.tension.interaction", lambda courses: {})
    names = ("drama", "winner_led", "decided_for_good", "chance_lead_changes")
    truth = of_games(walks(20_000, 1)).mean()
    studies = [shape({2: walks(200, seed)}).iloc[0] for seed in range(2, 102)]
    for name in names:
        held = sum(row[f"{name}_low"] <= truth[name] <= row[f"{name}_high"] for row in studies)
        assert 88 <= held <= 100, name


def test_intervals_of_the_course_hold_the_truth_in_19_of_20_studies() -> None:
    names = ("winner", "leader")
    truth = course({2: walks(20_000, 1)}).set_index("part")
    held, seen = 0, 0
    for seed in range(2, 42):
        for part, row in course({2: walks(200, seed)}).set_index("part").iloc[1:].iterrows():
            held += sum(row[f"{name}_low"] <= truth.loc[part, name] <= row[f"{name}_high"] for name in names)
            seen += len(names)
    assert 0.92 <= held / seen <= 0.98


def test_intervals_show_that_right_chances_can_be_believed() -> None:
    """The rounds of a game lie in several bins, and share their winner; seats that are told the truth win as often."""
    held, seen = 0, 0
    for seed in range(60):
        table = chances({2: walks(400, seed)})
        held += int(((table["won_low"] <= table["chance"]) & (table["chance"] <= table["won_high"])).sum())
        seen += len(table)
    assert 0.92 <= held / seen <= 0.98
