"""Choices weighed: the gap between two actions is found, without flattering the one that looks best."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.played_runs import play_run
from ttr_sim.analysis.choices import choices, measure_choices
from ttr_sim.analysis.sums import stack
from ttr_sim.analysis.tables import SHAPE_CHOICES
from ttr_sim.errors import UserError
from ttr_sim.run.choices import FILE, Choice, TryMoves, find_gap, read_choices, weigh_choices
from ttr_sim.run.control import Silence

Floats = NDArray[np.float64]


def moves_that_win(chances: list[float], seed: int) -> TryMoves:
    """Tell wins by coins: the chance of each move is known."""
    coin = np.random.default_rng(seed)

    def tried(wanted: list[int], first: int, worlds: int) -> Floats:
        return (coin.random((worlds, len(wanted))) < np.array(chances)[wanted]).astype(float)

    return tried


def test_a_clear_choice_is_told_from_a_close_one() -> None:
    clear = [find_gap("abc", moves_that_win([0.7, 0.4, 0.3], seed)) for seed in range(40)]
    close = [find_gap("abc", moves_that_win([0.5, 0.5, 0.3], seed)) for seed in range(40)]
    assert np.mean([gap is not None and gap > 0.2 for gap in clear]) > 0.95
    assert np.mean([gap is not None and abs(gap) < 0.08 for gap in close]) > 0.95


def test_the_best_of_many_that_are_alike_is_not_flattered() -> None:
    gaps = [find_gap("abcdefgh", moves_that_win([0.5] * 8, seed)) or 0.0 for seed in range(200)]
    assert abs(np.mean(gaps)) < 3 * 0.029 / np.sqrt(200)


def test_moves_of_one_action_are_one_choice() -> None:
    assert find_gap("aaa", moves_that_win([0.9, 0.5, 0.1], 1)) is None
    gap = find_gap("aab", moves_that_win([0.8, 0.1, 0.5], 1))
    assert gap == pytest.approx(0.3, abs=0.1)


def test_intervals_hold_the_truth_in_19_of_20_studies() -> None:
    """Half of the turns are close; a gap is known to three wins in 100, as in real studies with paired worlds."""
    held, chance = 0, np.random.default_rng(1)
    for _ in range(200):
        true = np.where(chance.random(60) < 0.5, 0.0, 0.2)
        turns = [Choice(n, 3, 4, float(gap)) for n, gap in enumerate(chance.normal(true, 0.023))]
        row = stack(SHAPE_CHOICES, [measure_choices(2, turns)]).iloc[0]
        held += bool(row["genuine_low"] <= 0.5 <= row["genuine_high"] and row["gap_low"] - 0.02 <= 0.1)
    assert 180 <= held <= 200


def test_a_turn_with_one_action_is_no_choice() -> None:
    row = measure_choices(2, [Choice(n, 3, 1, None) for n in range(6)] + [Choice(9, 1, 3, 0.01)] * 6)
    table = stack(SHAPE_CHOICES, [row]).iloc[0]
    assert (table["n"], table["genuine"], table["gap"], table["actions"]) == (12, 0.5, pytest.approx(0.01), 2)


def test_choices_of_other_fields_are_refused(tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", "amsterdam", 2, ("random",), 4)
    with pytest.raises(UserError, match="was not played by planner in every seat"):
        weigh_choices(run, 2, 1, Silence())


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", "amsterdam", 2, ("random",), 4)
    assert read_choices(run) == []
    for damaged in ("{", "[]", '{"turns": []}', f'{{"plan": "{run.plan.hash}", "turns": [{{}}]}}'):
        (run.path / FILE).write_text(damaged, encoding="utf-8")
        with pytest.raises(UserError, match="is damaged; delete it"):
            read_choices(run)


@pytest.mark.slow
def test_turns_of_real_games_are_weighed_alike_by_one_worker_or_two(tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", "amsterdam", 2, ("planner",), 8)
    weigh_choices(run, 6, 1, Silence())
    first = read_choices(run)
    assert len(first) == 6
    lengths = run.games(["turns"])["turns"]
    assert all(0 <= choice.turn < lengths.iloc[choice.game] and choice.actions >= 1 for choice in first)
    (run.path / FILE).unlink()
    weigh_choices(run, 6, 2, Silence())
    assert read_choices(run) == first
    table = choices([run])
    assert table["n"].tolist() == [6] and 0 <= table["genuine"].iloc[0] <= 1
