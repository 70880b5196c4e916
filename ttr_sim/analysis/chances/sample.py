"""Which games the model of the chance to win learns from, and to which others of the same run it is applied."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ttr_sim.analysis.chances.courses import CourseReader, Courses, Floats, course_of
from ttr_sim.analysis.chances.features import Moments
from ttr_sim.analysis.chances.model import ChanceModel, Lesson, fit, joined
from ttr_sim.analysis.columns import Ints
from ttr_sim.analysis.source import Source
from ttr_sim.run.opened import Run

MEASURED_GAMES = 1_000  # of each player count: enough for narrow intervals, few enough not to keep the page waiting
LEARNED_GAMES = 6_000  # twice as many tell who wins hardly better: by 0.0005 in the log of the chance
GAMES_TOGETHER = 2_000  # read at a time: more cost memory
MOMENTS_OF_A_GAME = 3  # from which the model learns
LEAST_GAMES = 200
FOR_EACH_MEASURED = 3  # games to learn from in a small run

Models = dict[tuple[str, int], ChanceModel]  # by hash of the plan and finished games of a run


@dataclass(frozen=True)
class Rounds:
    """The measured games at the end of every round, setup first, with each seat's chance to win."""

    courses: Courses
    steps: Ints
    chances: Floats

    @property
    def game(self) -> Ints:
        return self.courses.game_of_step[self.steps]

    @property
    def wins(self) -> Floats:
        """Return each seat's share of the win of the game, by round and seat."""
        return self.courses.wins[self.game]


def longest_run(source: Source) -> Run:
    """Return the run that stands for a player count: the model learns from games of one run."""
    return max(source.runs, key=lambda run: run.finished_games)


def rounds_of(run: Run) -> Rounds | None:
    """Return rounds of games that the model did not learn from; None with too few games."""
    if run.finished_games < LEAST_GAMES:
        return None
    reader = CourseReader(run)
    model = model_of(run, reader)
    return apply_model(model, reader.read(0, _measured_games(run)))


def _measured_games(run: Run) -> int:
    return min(MEASURED_GAMES, run.finished_games // (1 + FOR_EACH_MEASURED))


_models: Models = {}


def model_of(run: Run, reader: CourseReader | None = None) -> ChanceModel:
    """Return the model of a run, learned once: a report and the games beside it share it."""
    key = run.plan.hash, run.finished_games
    if key not in _models:
        _models[key] = learn(reader or CourseReader(run), _measured_games(run))
    return _models[key]


def chances_of_game(run: Run, log: Any) -> list[list[float]] | None:
    """Return each seat's chance to win after setup and each turn of a game, given its rows in the log; None with too
    few games, or unfinished."""
    complete = run.finished_games == run.record.size.games
    if not complete or run.finished_games < LEAST_GAMES or "turns" not in run.plan.tables:
        return None
    courses = course_of(run, log)
    steps = np.arange(int(courses.lengths[0]) - 1)
    chances = model_of(run).chances(Moments(courses, steps))
    by_step: list[list[float]] = np.vstack([chances, courses.wins]).tolist()
    return by_step


def learn(reader: CourseReader, first: int) -> ChanceModel:
    """Learn from a few moments of each game of a run, from a game on."""
    most = min(first + LEARNED_GAMES, reader.run.finished_games)
    whole_parts = range(-(-first // GAMES_TOGETHER) * GAMES_TOGETHER, most, GAMES_TOGETHER)  # so each is read once
    edges = sorted({first, *whole_parts, most})
    # From the last on: the first part, which also has the games that are measured, is then still at hand for them.
    lessons = [_lesson(reader, start, end - start) for start, end in reversed(list(pairwise(edges)))]
    return fit(joined(lessons[::-1]))


def _lesson(reader: CourseReader, first: int, games: int) -> Lesson:
    courses = reader.read(first, games)
    return Lesson.of(Moments(courses, some_steps(courses)), first)


def apply_model(model: ChanceModel, courses: Courses) -> Rounds:
    """Return the chances at the end of every round but the last."""
    last = (courses.starts + courses.lengths - 1)[courses.game_of_step]
    steps = np.flatnonzero((courses.turns_taken % courses.players == 0) & (np.arange(len(last)) < last))
    return Rounds(courses, steps, model.chances(Moments(courses, steps)))


def some_steps(courses: Courses) -> Ints:
    """Return steps at even distances within each game, the same ones whenever the same games are read."""
    parts = (
        np.arange(MOMENTS_OF_A_GAME)[:, None] + np.linspace(0, 1, courses.games, endpoint=False)
    ) / MOMENTS_OF_A_GAME
    shuffled = parts[:, np.random.default_rng(1).permutation(courses.games)]
    return np.unique(courses.starts + (shuffled * (courses.lengths - 1)).astype(np.int64))
