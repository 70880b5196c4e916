"""The tuner: paired, seeded, quiet about chance, and never at work on what is shipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import Outcome
from ttr_sim.bots.tuning import FITTING, state_of_tuning, tuned_of
from ttr_sim.edition import find_folder, load_edition
from ttr_sim.run import tune
from ttr_sim.run.tune import Laboratory, is_better, measure_gain, open_laboratory
from ttr_sim.run.workers import SilentListener, ThisMachine

Command = Callable[..., Outcome]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tune, "BLOCKS", 3)
    monkeypatch.setattr(tune, "FINAL_BLOCKS", 5)


@pytest.fixture
def laboratory() -> Iterator[Laboratory]:
    with open_laboratory(load_edition("amsterdam"), "planner", 1, ThisMachine(1), SilentListener()) as opened:
        yield opened


def test_equal_values_gain_nothing_and_bad_ones_lose(laboratory: Laboratory) -> None:
    values = laboratory.defaults
    assert abs(laboratory.gain(values, values, 0, 40).mean()) < 0.1
    bad = values.copy()
    bad[1] = 3.0  # tempo: no route is worth its turns
    gains = laboratory.gain(bad, values, 0, 40)
    assert len(gains) == 40
    assert gains.mean() < -0.05
    assert not is_better(gains, 1.0)
    measured = measure_gain(laboratory, bad, 40)
    assert measured.low < measured.mean < measured.high < 0


def test_values_move_by_chance_within_their_limits(laboratory: Laboratory) -> None:
    start, parameters = laboratory.defaults, laboratory.parameters
    moved = [tune._moved(start, parameters, [0, 1, 2], np.random.default_rng(5)) for _ in range(2)]
    assert np.array_equal(*moved)
    assert np.array_equal(moved[0][3:], start[3:])
    for seed in range(50):
        new = tune._moved(start, parameters, list(range(16)), np.random.default_rng(seed))
        assert all(each.low <= value <= each.high for each, value in zip(parameters, new, strict=True))


@pytest.mark.slow
def test_the_same_seed_writes_the_same_file_whatever_the_jobs(quick: None, command: Command) -> None:
    texts = []
    for name, jobs in (("one", 1), ("two", 2), ("two", 1)):
        if not Path(name).exists():
            command("new", name, "--from", "amsterdam")
        outcome = command("tune", name, "--steps", 4, "--jobs", jobs, "-q")
        assert (outcome.code, outcome.err) == (0, "")
        beginnings = "On fresh deals, a seat with the tuned values wins", "No better values"
        assert outcome.out.splitlines()[0].startswith(beginnings)
        texts.append((Path(name) / "bots.toml").read_text())
    assert texts[0] == texts[1] == texts[2]
    edition = load_edition("one")
    assert state_of_tuning(edition, "planner") == FITTING
    assert "curiosity" in tuned_of(edition).values["planner"]


def test_other_styles_in_the_file_stay(quick: None, command: Command) -> None:
    command("new", "mine", "--from", "amsterdam")
    before = tuned_of(load_edition("mine")).values["planner"]
    assert command("tune", "mine", "--style", "path", "--steps", 1, "--jobs", 1, "-q").code == 0
    after = tuned_of(load_edition("mine")).values
    assert after["planner"] == before
    assert set(after) == {"planner", "path"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("amsterdam",), "amsterdam comes with ttr-sim"),
        ((find_folder("usa"),), "usa comes with ttr-sim"),
        (("nowhere",), 'no edition or folder "nowhere"'),
        (("mine", "--style", "random"), "random has no parameters"),
        (("mine", "--style", "planer"), "planer"),
        (("mine", "--steps", "0"), "--steps"),
    ],
)
def test_what_cannot_be_tuned_is_refused(quick: None, command: Command, words: tuple[str, ...], sentence: str) -> None:
    command("new", "mine", "--from", "amsterdam")
    outcome = command("tune", *words)
    assert outcome.code == 2
    assert sentence in outcome.err
