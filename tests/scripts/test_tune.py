"""The tuner: paired, seeded, and quiet about chance."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttr_sim.edition import load_edition

SCRIPT = Path(__file__).parents[2] / "scripts" / "tune"


@pytest.fixture(scope="module")
def tune() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def test_check_measures_and_changes_nothing() -> None:
    tuned = SCRIPT.parents[1] / "ttr_sim" / "bots" / "tuned.json"
    before = tuned.read_bytes()
    words = [sys.executable, str(SCRIPT), "amsterdam", "--check", "--blocks", "3"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "amsterdam: the tuned values gain" in done.stdout
    assert tuned.read_bytes() == before


def test_equal_values_gain_nothing_and_bad_ones_lose(tune: dict[str, Any]) -> None:
    laboratory = tune["Laboratory"](load_edition("amsterdam"), "planner", seed=1)
    values = laboratory.bots.table.parameters[0].copy()
    assert not laboratory.gain(values, values, 0, 10).any()
    bad = values.copy()
    bad[1] = 3.0  # tempo: no route is worth its turns
    gains = laboratory.gain(bad, values, 0, 40)
    assert len(gains) == 40
    assert gains.mean() < -0.05
    assert not tune["is_better"](gains, 1.0)


def test_search_is_seeded_and_stays_within_limits(tune: dict[str, Any]) -> None:
    parameters = list(tune["load_style"]("planner").parameters)
    start = np.array([parameter.default for parameter in parameters])
    moved = [tune["changed"](start, parameters, [0, 1, 2], np.random.default_rng(5)) for _ in range(2)]
    assert np.array_equal(*moved)
    assert np.array_equal(moved[0][3:], start[3:])
    for seed in range(50):
        new = tune["changed"](start, parameters, list(range(16)), np.random.default_rng(seed))
        assert all(each.low <= value <= each.high for each, value in zip(parameters, new, strict=True))
