"""Points of tickets: re-scoring is exact for the games as played, proposals follow it, and studies name remedies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.balance.conftest import PLANTED, spoiled
from tests.played_runs import play_run
from ttr_sim.analysis.analysis import analyze
from ttr_sim.analysis.tickets import ticket_facts
from ttr_sim.balance import points, search
from ttr_sim.balance.edits import points_edit
from ttr_sim.balance.evaluate import MeasuredBoard
from ttr_sim.balance.points import PointsFinder, Rescoring
from ttr_sim.balance.targets import TICKET, Target, ticket_name
from ttr_sim.run.plan import RESULTS
from ttr_sim.run.read import Run

MARGIN = 0.05


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    home = tmp_path_factory.mktemp("runs")
    spoiled(home / "board")
    return play_run(home / "run", home / "board", 2, ("planner",), 2_000)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    home = tmp_path_factory.mktemp("runs")
    return [play_run(home / f"{players}", "amsterdam", players, ("planner",), 300, log=RESULTS) for players in (2, 4)]


def test_with_the_printed_points_wins_and_excess_are_as_they_were(runs: list[Run]) -> None:
    rescoring = Rescoring(runs)
    for run, games in zip(runs, rescoring.games, strict=True):
        won = run.seats(["game", "seat", "win_share"]).sort_values(["game", "seat"])["win_share"].to_numpy(float)
        assert games.wins(np.zeros(len(rescoring.printed), np.int64)) == pytest.approx(won)
    table = analyze(runs).tables["ticket_value"]
    known = table[table["players"] == 0].sort_values("ticket")["excess"].to_numpy(float)
    assert rescoring.excess(rescoring.printed) == pytest.approx(known, abs=1e-9)


def test_a_point_more_goes_to_who_completed_the_ticket_and_from_who_failed(runs: list[Run]) -> None:
    """With a thousand points more, whoever completed it wins alone."""
    run, rescoring = runs[0], Rescoring(runs)
    games = rescoring.games[0]
    more = 1_000 * (np.arange(len(rescoring.printed)) == 3)
    wins = games.wins(more).reshape(games.scores.shape)
    kept = run.tickets(["game", "seat", "ticket", "kept", "completed"])
    kept = kept[kept["kept"] & (kept["ticket"] == 3)]
    game, seat, completed = (kept[name].to_numpy(np.int64) for name in ("game", "seat", "completed"))
    assert len(kept) > 20
    assert np.array_equal(wins[game, seat], completed)
    better = rescoring.excess(rescoring.printed + more // 300)
    assert better[3] > rescoring.excess(rescoring.printed)[3]


def finder(run: Run, measured: float | None = None, slope: float = 1.0) -> PointsFinder:
    rescoring = Rescoring([run])
    printed = [int(value) for value in rescoring.printed]
    level = rescoring.excess(printed) if measured is None else np.full(len(printed), measured)
    return PointsFinder(run.edition, rescoring, level, printed, MARGIN, slope)


def test_a_generous_ticket_loses_points_until_it_is_well_within(run: Run) -> None:
    value, excess = finder(run).best(finder(run).now, 0)
    assert 1 <= value < PLANTED
    assert abs(excess) <= MARGIN
    gentle, steep = (finder(run, slope=slope).best(finder(run).now, 0)[0] for slope in (0.6, 1.6))
    assert gentle < steep


@pytest.mark.parametrize(("measured", "end"), [(0.9, min), (-0.9, max)])
def test_points_stay_within_the_span_of_the_tickets(run: Run, measured: float, end: Callable[..., int]) -> None:
    value, excess = finder(run, measured).best(finder(run).now, 3)
    assert value == end(ticket.points for ticket in run.edition.tickets)
    assert abs(excess) > MARGIN


def test_a_hopeless_ticket_keeps_its_points_and_a_stingy_one_is_tried_once_with_more(run: Run) -> None:
    now, most = finder(run).now, max(ticket.points for ticket in run.edition.tickets)
    generous = finder(run, 0.9).propose({3})
    assert (generous.hopeless, generous.points) == (frozenset({3}), now)
    stingy = finder(run, -0.9).propose({3})
    assert stingy.trials == {3}
    assert most >= stingy.points[3] >= now[3] + points.TRIAL
    again = finder(run, -0.9).propose({3}, tried={3})
    assert (again.trials, again.hopeless, again.points) == (frozenset(), frozenset({3}), now)


def test_points_go_back_to_the_trains_of_the_way_once_that_is_within_the_margin(run: Run) -> None:
    """Within, but not well within: any other ticket would be moved on."""
    trains = ticket_facts(run.edition)["trains"]
    row = next(row for row, ticket in enumerate(run.edition.tickets) if ticket.points == trains[row])
    near = finder(run, 0.9 * MARGIN)
    assert near.best(near.now, row)[0] == near.now[row]
    other = [*near.now[:row], near.now[row] + 1, *near.now[row + 1 :]]
    assert near.best(other, row)[0] <= near.now[row]


def test_slopes_are_corrected_by_the_played_step_within_reason() -> None:
    before, expected = np.array([0.08, 0.08, 0.08, 0.0]), np.array([0.02, 0.02, 0.02, 0.0])
    after = np.array([0.05, -0.2, 0.09, 0.01])
    corrected = search.slope_correction(before, expected, after, [9, 9, 9, 9], [6, 6, 6, 9])
    assert corrected == pytest.approx([0.5, 2.0, 0.5, 1.0])


def test_points_that_did_harm_are_found_among_the_moved_tickets_alone() -> None:
    before, after = np.array([-0.06, -0.06, -0.06, 0.02]), np.array([-0.09, -0.09, -0.03, 0.04])
    assert search.made_worse(before, after, [6, 6, 6, 6], [20, 6, 9, 7], MARGIN) == {0}


def judged(run: Run, values: dict[int, tuple[float, float]]) -> MeasuredBoard:
    """A board whose tickets have these values and half widths; the others give nothing, surely."""
    targets = []
    for row in range(len(run.edition.tickets)):
        value, half = values.get(row, (0.0, 0.01))
        name, limit = ticket_name(run.edition, row), (-MARGIN, MARGIN)
        targets.append(Target(name, TICKET, 0, value, value - half, value + half, limit, row))
    return MeasuredBoard((), (run,), tuple(targets))


def test_doubtful_tickets_are_beyond_by_their_estimate_or_odd_on_the_map_as_well(run: Run) -> None:
    trains, printed = ticket_facts(run.edition)["trains"], [ticket.points for ticket in run.edition.tickets]
    plain = next(row for row, value in enumerate(printed) if value == trains[row])
    assert printed[0] > 2 * trains[0]
    for values, found in (
        ({plain: (0.06, 0.03)}, {plain}),  # open, and beyond by the estimate
        ({plain: (0.04, 0.01)}, set()),
        ({0: (0.04, 0.01)}, {0}),  # its 20 points are far from its path
        ({0: (0.02, 0.01)}, set()),  # ... but it is where a fixed ticket would be brought
        ({0: (-0.04, 0.01)}, set()),  # ... but it is stingy all the same
    ):
        assert search.doubtful_tickets(judged(run, values), MARGIN) == found


def test_an_edit_that_rivals_turn_around_is_taken_back(run: Run) -> None:
    """They find the ticket stingy after a cut of its points, so it gets some of them back."""
    printed = run.edition.tickets[0].points
    board = replace(judged(run, {0: (-0.2, 0.05)}), edits=(points_edit(0, 1), points_edit(3, 9)))
    assert search.reversed_edits(run.edition, board) == (points_edit(0, 1),)
    soft = {edit.row: int(edit.value) for edit in search.soften(run.edition, board, MARGIN)}
    assert 1 < soft.get(0, printed) <= printed
    assert soft[3] == 9
    generous = replace(judged(run, {0: (0.2, 0.05)}), edits=(points_edit(0, 1),))
    assert search.reversed_edits(run.edition, generous) == ()


def test_a_study_names_the_remedy_of_each_mispriced_ticket_it_names(run: Run, tmp_path: Path) -> None:
    findings = points.with_remedies(analyze([run])).findings
    sentences = [finding.sentence for finding in findings if finding.rule == "ticket_generous"]
    name = f"{run.edition.tickets[0].a}–{run.edition.tickets[0].b}"
    assert any(f"{name} about " in sentence and f"instead of {PLANTED}" in sentence for sentence in sentences)
    assert all("balance" in sentence for sentence in sentences)
    race = analyze([play_run(tmp_path / "race", "first_journey", 2, ("planner",), 400)])
    assert points.with_remedies(race) is race
