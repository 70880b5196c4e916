"""The games worth watching are what they are said to be."""

from __future__ import annotations

import dataclasses

import pytest

from tests.played_runs import play_run
from ttr_sim.analysis.analysis import Analysis, analyze
from ttr_sim.analysis.watch import CLOSEST, COMEBACK, LONGEST, MOST, MOST_BLOCKED, TYPICAL, games_to_watch
from ttr_sim.run.read import open_run


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    folder = tmp_path_factory.mktemp("watched") / "run"
    play_run(folder, "usa", 3, ("planner", "racer", "random"), 60)
    return analyze([folder])


def test_each_kind_is_found_once_and_no_game_twice(analysis: Analysis) -> None:
    watched = games_to_watch(analysis)
    assert {TYPICAL, COMEBACK, MOST_BLOCKED} <= {game.kind for game in watched}
    assert len({(game.run, game.game) for game in watched}) == len(watched) <= MOST


def test_the_extremes_are_extreme(analysis: Analysis) -> None:
    run = open_run(analysis.runs[0].path)
    games = run.games(["game", "turns", "margin"]).set_index("game")
    for watched in games_to_watch(analysis):
        if watched.kind == LONGEST:
            assert (games["turns"] > games["turns"][watched.game]).sum() < MOST
        if watched.kind == CLOSEST:
            assert games["margin"][watched.game] == games["margin"][games["margin"] > 0].min()
        if watched.kind == COMEBACK:
            # Follow the game turn by turn: how far its winner was once behind.
            seats, turns = run.seats(["game", "seat", "rank"]), run.turns(["game", "turn", "seat", "score"])
            winners = set(seats[(seats["game"] == watched.game) & (seats["rank"] == 1)]["seat"])
            best = far = 0
            for turn in turns[turns["game"] == watched.game].sort_values("turn").itertuples():
                best = max(best, int(turn.score))
                far = max(far, best - int(turn.score)) if turn.seat in winners else far
            assert f"{far} behind" in watched.words


def test_a_missed_ticket_has_a_game_that_shows_it(analysis: Analysis) -> None:
    row = 7
    target = next(target for target in analysis.verdict.targets if target.ticket == row)
    missed = dataclasses.replace(target, value=-0.2, low=-0.21, high=-0.19)
    verdict = dataclasses.replace(analysis.verdict, targets=(missed,))
    games = games_to_watch(dataclasses.replace(analysis, verdict=verdict))
    watched = next(game for game in games if game.kind == f"ticket {row}")
    tickets = open_run(watched.run).tickets(["game", "turn", "ticket", "kept", "completed"])
    own = tickets[(tickets["game"] == watched.game) & (tickets["ticket"] == row) & (tickets["turn"] == -1)]
    assert own["kept"].any() and not own["completed"].any() and watched.words.endswith("is failed")
