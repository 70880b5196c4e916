"""Chances of real games: they sum to 1, end with who won, and are the same however games are read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.played_runs import play_run
from ttr_sim.analysis.chances.courses import DISCARD, CourseReader, Snapshots, course_of
from ttr_sim.analysis.chances.features import Moments, _nearest_two, open_tickets
from ttr_sim.analysis.chances.sample import chances_of_game, rounds_of
from ttr_sim.analysis.columns import Columns, chosen_columns
from ttr_sim.referee.audit import one_game
from ttr_sim.run.opened import Run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play_run(tmp_path_factory.mktemp("chances") / "run", "amsterdam", 2, ("planner",), 240, part_size=100)


def test_chances_of_a_game_sum_to_1_and_end_with_who_won(run: Run) -> None:
    chances = np.array(chances_of_game(run, one_game(run.path, 150)[1]))
    games, seats = run.games(["game", "turns"]), run.seats(["game", "win_share"])
    assert chances.shape == (games["turns"].iloc[150] + 1, 2)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert chances[-1].tolist() == seats.loc[seats["game"] == 150, "win_share"].tolist()


def test_too_few_games_have_no_chances(tmp_path: Path) -> None:
    small = play_run(tmp_path / "run", "amsterdam", 2, ("planner",), 20)
    assert chances_of_game(small, one_game(small.path, 3)[1]) is None
    assert rounds_of(small) is None


def test_games_are_the_same_however_they_are_read(run: Run) -> None:
    from_middle, whole = CourseReader(run).read(95, 10), CourseReader(run).read(0, 240)
    assert are_equal(from_middle.turns, games_from(95, 10, whole.turns))
    assert are_equal(from_middle.tickets, games_from(95, 10, whole.tickets))
    assert from_middle.hands.tolist() == whole.hands[190:210].tolist()
    assert np.array_equal(from_middle.wins, whole.wins[95:105])
    from_log, alone = course_of(run, one_game(run.path, 97)[1]), CourseReader(run).read(97, 1)
    assert are_equal(from_log.turns, alone.turns)
    assert are_equal(from_log.tickets, alone.tickets)


def games_from(first: int, most: int, columns: Columns) -> Columns:
    found = chosen_columns(columns, (columns["game"] >= first) & (columns["game"] < first + most))
    return {**found, "game": found["game"] - first}


def are_equal(some: Columns, others: Columns) -> bool:
    pairs = {name: (values, others[name]) for name, values in some.items()}
    return all(np.array_equal(*pair, equal_nan=pair[0].dtype.kind == "f") for pair in pairs.values())


def test_what_runs_up_agrees_with_the_log(run: Run) -> None:
    """At the end of a game: the trains left, and route points as the seats have them."""
    courses = CourseReader(run).read(0, 240)
    last = courses.starts + courses.lengths - 1
    seats = run.seats(["trains_left", "route_points"]).to_numpy(float).reshape(-1, 2, 2)
    assert np.array_equal(Snapshots(courses, last).current("trains", courses.edition.trains), seats[:, :, 0])
    assert np.array_equal(Snapshots(courses, last).current("score", 0.0), seats[:, :, 1])


def test_nobody_holds_tickets_that_were_discarded(tmp_path: Path) -> None:
    """First Journey: two tickets in hand, of which both may be exchanged in a turn."""
    run = play_run(tmp_path / "run", "first_journey", 4, ("planner", "random"), 60)
    courses = CourseReader(run).read(0, 60)
    assert (courses.turns["action"] == DISCARD).sum() > 10
    steps = np.arange(int(courses.lengths.sum()))
    state, row = open_tickets(courses, steps)
    held = np.zeros((len(steps), 4), int)
    np.add.at(held, (state, courses.tickets["seat"][row]), 1)
    going_on = np.setdiff1d(steps, courses.starts + courses.lengths - 1)
    assert held.max() == 2
    assert (held[going_on] == 2).mean() > 0.95
    assert np.isfinite(Moments(courses, steps).looks).all()


def test_the_two_nearest_tickets_of_each_seat() -> None:
    ways = np.array([5.0, 2.0, 7.0, 3.0, 4.0])
    state, seat = np.array([0, 0, 0, 1, 0]), np.array([1, 1, 1, 0, 0])
    nearest = _nearest_two(ways, state, seat, np.zeros((2, 2)))
    assert nearest.tolist() == [[[4, 12], [2, 5]], [[3, 12], [12, 12]]]
