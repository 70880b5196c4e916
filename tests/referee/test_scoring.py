"""Points for ranks and majorities: merchandise and passengers, with ties and with nothing."""

from __future__ import annotations

import pytest

from tests.referee.built import built, changed, game_log, messages
from ttr_sim.referee.scoring import FinalScore, check_standings, majority_points, points_by_rank


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ([4, 3, 2, 1], [8, 6, 4, 2]),
        ([4, 4, 2, 1], [8, 8, 4, 2]),
        ([3, 2, 2, 2], [8, 6, 6, 6]),
        ([2, 2, 2, 2], [8, 8, 8, 8]),
        ([5, 0, 1, 0], [8, 0, 6, 0]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
    ],
)
def test_merchandise_of_four(held: list[int], points: list[int]) -> None:
    """Tied players all score the rank; the ranks after it are ignored; no cards, no bonus."""
    assert points_by_rank(held, (8, 6, 4, 2)) == points


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ([3, 2, 1], [20, 10, 0]),
        ([3, 3, 2], [20, 20, 0]),
        ([3, 2, 2], [20, 10, 10]),
        ([3, 0, 0], [20, 0, 0]),
        ([2, 2, 2], [20, 20, 20]),
        ([0, 0, 0], [0, 0, 0]),
    ],
)
def test_passengers_of_a_color(held: list[int], points: list[int]) -> None:
    """Tied for most: no second; tied for second: all of them; nobody scores with none."""
    assert majority_points(held, most=20, second=10) == points


def test_five_seats_may_share_the_win() -> None:
    log = game_log(5, winners=0b11111, margin=0, lead_changes=0)
    log.seats[:] = [changed(row, rank=1, win_share=0.2) for row in log.seats]
    position = built("usa", log)
    check_standings(position, [FinalScore(score=70, tickets_completed=3, has_longest_path=True) for _ in range(5)])
    assert messages(position) == []


def test_the_last_tie_break_decides_among_five() -> None:
    log = game_log(5, winners=0b00100, margin=0, lead_changes=0)
    log.seats[:] = [changed(row, rank=1 if row.seat == 2 else 2, win_share=float(row.seat == 2)) for row in log.seats]
    position = built("usa", log)
    check_standings(position, [FinalScore(score=70, has_longest_path=seat == 2) for seat in range(5)])
    assert messages(position) == []
