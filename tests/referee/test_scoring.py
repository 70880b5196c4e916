"""Points for ranks and majorities: merchandise and passengers, with ties and with nothing."""

from __future__ import annotations

import pytest

from ttr_sim.referee.scoring import majority_points, points_by_rank


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
