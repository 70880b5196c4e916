from __future__ import annotations

import re

import pytest

from ttr_sim.report.board.paths import packed


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("M 10 20 L 11 20 L 11 19.5 z", "m10 20 1 0 0-.5z"),
        ("M 0.04 0 L 0.04 1 Q 1 1 2 2 Q 3 3 4 4", "m0 0 0 1q1 0 2 1 1 1 2 2"),
        ("M 1 1 L 2 2 z M 5 5 L 6 6", "m1 1 1 1zm4 4 1 1"),
        ("M 1 1 C 1 2 3 4 5 6 L 0 0", "m1 1c0 1 2 3 4 5l-5-6"),
    ],
)
def test_paths_are_told_from_point_to_point(long: str, short: str) -> None:
    assert packed(long) == short


def test_no_error_adds_up() -> None:
    steps = [0.04 * number for number in range(1_001)]
    path = packed("M 0 0 " + " ".join(f"L {step} {step}" for step in steps[1:]))
    told = [float(number) for number in re.findall(r"-?(?:\d*\.)?\d+", path)]
    assert sum(told[::2]) == pytest.approx(40.0, abs=0.05)
