"""Re-scoring: exact for the games as they were played, tie-breaks and shared wins included."""

from __future__ import annotations

import numpy as np
import pytest

from tests.played_runs import play_run
from ttr_sim.analysis import analyze
from ttr_sim.balance.rescoring import Rescoring
from ttr_sim.run.plan import RESULTS
from ttr_sim.run.read import Run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    home = tmp_path_factory.mktemp("runs")
    return [play_run(home / f"{players}", "amsterdam", players, ("planner",), 300, log=RESULTS) for players in (2, 4)]


def test_with_the_printed_points_every_win_is_as_it_was(runs: list[Run]) -> None:
    rescoring = Rescoring(runs)
    for run, games in zip(runs, rescoring.games, strict=True):
        won = run.seats(["game", "seat", "win_share"]).sort_values(["game", "seat"])["win_share"].to_numpy(float)
        assert games.wins(np.zeros(len(rescoring.printed), np.int64)) == pytest.approx(won)


def test_with_the_printed_points_the_excess_is_that_of_the_analysis(runs: list[Run]) -> None:
    table = analyze(runs).tables["ticket_value"]
    known = table[table["players"] == 0].sort_values("ticket")["excess"].to_numpy(float)
    rescoring = Rescoring(runs)
    assert rescoring.excess(rescoring.printed) == pytest.approx(known, abs=1e-9)


def test_a_point_more_goes_to_who_completed_the_ticket_and_from_who_failed(runs: list[Run]) -> None:
    """Scored by hand: the winner is whoever has most points after the change, alone."""
    run, games = runs[0], Rescoring(runs).games[0]
    more = np.zeros(len(run.edition.tickets), np.int64)
    more[3] = 1_000
    wins = games.wins(more).reshape(games.scores.shape)
    kept = run.tickets(["game", "seat", "ticket", "kept", "completed"])
    kept = kept[kept["kept"] & (kept["ticket"] == 3)]
    assert len(kept) > 20
    for row in kept.itertuples():
        assert wins[row.game, row.seat] == (1.0 if row.completed else 0.0)


def test_more_points_make_a_ticket_better(runs: list[Run]) -> None:
    rescoring = Rescoring(runs)
    for row in (0, 7):
        more = rescoring.printed + 3 * (np.arange(len(rescoring.printed)) == row)
        assert rescoring.excess(more)[row] > rescoring.excess(rescoring.printed)[row]
