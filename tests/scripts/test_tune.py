"""The tuner: paired, seeded, and quiet about chance."""

from __future__ import annotations

import numpy as np
import pytest

from scripts.tools.tune import Laboratory, changed, is_better, main
from ttr_sim.bots.style import load_style
from ttr_sim.edition import find_folder, load_edition


def test_check_measures_and_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    file = find_folder("amsterdam") / "bots.toml"
    before = file.read_bytes()
    main(["amsterdam", "--check", "--blocks", "3"])
    assert "amsterdam: the tuned values gain" in capsys.readouterr().out
    assert file.read_bytes() == before


def test_equal_values_gain_nothing_and_bad_ones_lose() -> None:
    laboratory = Laboratory(load_edition("amsterdam"), "planner", seed=1)
    values = laboratory.bots.table.parameters[0].copy()
    assert not laboratory.gain(values, values, 0, 10).any()
    bad = values.copy()
    bad[1] = 3.0  # tempo: no route is worth its turns
    gains = laboratory.gain(bad, values, 0, 40)
    assert len(gains) == 40
    assert gains.mean() < -0.05
    assert not is_better(gains, 1.0)


def test_search_is_seeded_and_stays_within_limits() -> None:
    parameters = list(load_style("planner").parameters)
    start = np.array([parameter.default for parameter in parameters])
    moved = [changed(start, parameters, [0, 1, 2], np.random.default_rng(5)) for _ in range(2)]
    assert np.array_equal(*moved)
    assert np.array_equal(moved[0][3:], start[3:])
    for seed in range(50):
        new = changed(start, parameters, list(range(16)), np.random.default_rng(seed))
        assert all(each.low <= value <= each.high for each, value in zip(parameters, new, strict=True))
