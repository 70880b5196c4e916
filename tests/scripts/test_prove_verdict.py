"""Verdicts last: a sure state stays with ten times the games, and remedies work on other deals."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.tools.prove_verdict import main, may_change
from tests.mixed_editions import mixed_edition
from ttr_sim.analysis.targets import TICKET, Target

LIMIT = (-0.05, 0.05)
INTERVALS = {
    "sharp and within": ((0.01, -0.01, 0.03), False),
    "beyond": ((0.08, 0.06, 0.10), False),
    "the limit inside": ((0.06, 0.04, 0.08), True),
    "within, but wide": ((0.0, -0.04, 0.04), True),
    "one block": ((0.0, math.nan, math.nan), True),
}


@pytest.mark.parametrize(("numbers", "may"), INTERVALS.values(), ids=INTERVALS)
def test_only_unsure_states_may_change(numbers: tuple[float, float, float], may: bool) -> None:
    assert may_change(Target("ticket A–B", TICKET, 0, *numbers, LIMIT)) is may


@pytest.mark.slow
def test_states_and_remedies_last(tmp_path: Path) -> None:
    boards = ["amsterdam", str(mixed_edition(3, tmp_path / "mixed"))]
    done = CliRunner().invoke(main, [*boards, "--jobs", "2"])
    assert done.exit_code == 0, done.output
    assert done.output.count("2,000 and 20,000 games") == len(boards)
