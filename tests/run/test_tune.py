"""The tuner: paired, seeded, quiet about chance, and never at work on what is shipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import Command
from ttr_sim.bots.tuning import FITTING, state_of_tuning, tuned_of
from ttr_sim.cli.output import Progress
from ttr_sim.edition import find_folder, load_edition
from ttr_sim.run import tune
from ttr_sim.run.tune import Laboratory, evolve, measure, open_laboratory
from ttr_sim.run.workers import ThisMachine


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tune, "GAMES", 6)
    monkeypatch.setattr(tune, "FINAL_GAMES", 20)


@pytest.fixture
def laboratory() -> Iterator[Laboratory]:
    with open_laboratory(load_edition("amsterdam"), "planner", 1, ThisMachine(1), Progress(quiet=True)) as opened:
        yield opened


def test_equal_values_win_their_share_and_bad_ones_lose(laboratory: Laboratory) -> None:
    values = laboratory.defaults
    bad = laboratory.values({"tempo": 2.2})  # no route is worth its turns
    same, worse = laboratory.fitness([values, bad], values, laboratory.tables[:1], 0)
    assert same == pytest.approx(1)
    assert worse < 0.9
    measured = measure(laboratory, bad, values, 2, 400)
    assert measured.low < measured.mean < measured.high < 0


def test_a_search_finds_its_way_back_from_bad_values_within_the_limits(laboratory: Laboratory) -> None:
    start, lineups = laboratory.values({"tempo": 2.2}), laboratory.tables[:1]
    found = [evolve(laboratory, start, laboratory.defaults, lineups, range(3), lambda done: None) for _ in range(2)]
    assert np.array_equal(*found)
    assert all(each.low <= value <= each.high for each, value in zip(laboratory.parameters, found[0], strict=True))
    untouched = [place for place in range(len(start)) if place not in laboratory.places]
    assert np.array_equal(found[0][untouched], start[untouched])
    before, after = laboratory.fitness([start, found[0]], laboratory.defaults, lineups, 5_000)
    assert after > before + 0.02


@pytest.mark.slow
def test_the_same_seed_writes_the_same_file(quick: None, command: Command) -> None:
    command("new", "mine", "--from", "amsterdam")
    texts = []
    for jobs in (1, 2):
        outcome = command("tune", "mine", "--steps", 3, "--jobs", jobs, "-q")
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out.startswith("On fresh deals, a seat with the tuned values wins ")
        texts.append(Path("mine/bots.toml").read_text())
    assert texts[0] == texts[1]
    edition = load_edition("mine")
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
