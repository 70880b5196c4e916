"""Points of tickets: proposals from re-scoring, and remedies in a study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.played_runs import play_run
from ttr_sim.analysis import analyze
from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.findings import Finding
from ttr_sim.balance.edits import points_edit
from ttr_sim.balance.evaluate import MeasuredBoard
from ttr_sim.balance.points import (
    TRIAL,
    PointsFinder,
    doubtful_tickets,
    made_worse,
    reversed_edits,
    slope_correction,
    soften,
    with_remedies,
)
from ttr_sim.balance.rescoring import Rescoring
from ttr_sim.balance.targets import TICKET, Target, ticket_name
from ttr_sim.edition import load_edition
from ttr_sim.edition.write import write_folder
from ttr_sim.run.read import Run

MARGIN = 0.05


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Amsterdam with one contract worth 20 points instead of 3, or so."""
    home = tmp_path_factory.mktemp("runs")
    write_folder(load_edition("amsterdam"), home / "board")
    path = home / "board" / "tickets.csv"
    first, line, *rest = path.read_text("utf-8").splitlines()
    cells = line.split(",")
    path.write_text("\n".join([first, ",".join([*cells[:2], "20", *cells[3:]]), *rest]) + "\n", "utf-8")
    return play_run(home / "run", home / "board", 2, ("planner",), 2_000)


def proposal(run: Run, seen: float | None = None, slope: float = 1.0) -> PointsFinder:
    rescoring = Rescoring([run])
    printed = [int(points) for points in rescoring.printed]
    again = rescoring.excess(printed)
    level = again if seen is None else np.full(len(again), seen)
    return PointsFinder(rescoring, level, again, np.full(len(again), slope), printed, MARGIN)


def test_a_generous_ticket_loses_points_until_it_is_well_within(run: Run) -> None:
    value, excess = proposal(run).best(run.edition, proposal(run).now, 0)
    assert 1 <= value < 20
    assert abs(excess) <= MARGIN


def test_a_gentler_slope_needs_more_points(run: Run) -> None:
    gentle, steep = (proposal(run, slope=slope).best(run.edition, proposal(run).now, 0)[0] for slope in (0.6, 1.6))
    assert gentle < steep


def test_points_stay_within_what_the_tickets_span(run: Run) -> None:
    span = [ticket.points for ticket in run.edition.tickets]
    for seen, end in ((0.9, min(span)), (-0.9, max(span))):
        value, excess = proposal(run, seen).best(run.edition, proposal(run).now, 3)
        assert (value == end, abs(excess) > MARGIN) == (True, True)


def test_what_cannot_be_fixed_keeps_its_points(run: Run) -> None:
    found = proposal(run, 0.9).propose(run.edition, {3})
    assert (found.hopeless, found.points) == (frozenset({3}), proposal(run).now)


def test_more_points_are_tried_once_on_a_stingy_ticket_that_the_log_does_not_know(run: Run) -> None:
    found = proposal(run, -0.9).propose(run.edition, {3})
    span = [ticket.points for ticket in run.edition.tickets]
    assert found.trials == {3}
    assert found.points[3] == min(found.points[3], max(span)) >= proposal(run).now[3] + TRIAL
    again = proposal(run, -0.9).propose(run.edition, {3}, tried={3})
    assert (again.trials, again.hopeless, again.points) == (frozenset(), frozenset({3}), proposal(run).now)


def test_points_go_back_to_what_the_way_takes_once_that_is_within_the_margin(run: Run) -> None:
    """Within, but not well within: any other ticket would be moved on."""
    row = next(row for row, ticket in enumerate(run.edition.tickets) if ticket.points == trains_of(run)[row])
    seen = np.zeros(len(run.edition.tickets)) + 0.9 * MARGIN
    rescoring = Rescoring([run])
    printed = [int(points) for points in rescoring.printed]
    near = PointsFinder(rescoring, seen, rescoring.excess(printed), np.ones(len(printed)), printed, MARGIN)
    assert near.best(run.edition, printed, row)[0] == printed[row]
    other = [*printed[:row], printed[row] + 1, *printed[row + 1 :]]
    assert near.best(run.edition, other, row)[0] <= printed[row]


def test_slopes_are_corrected_by_what_was_seen_and_not_beyond_reason() -> None:
    before, expected = np.array([0.08, 0.08, 0.08, 0.0]), np.array([0.02, 0.02, 0.02, 0.0])
    after = np.array([0.05, -0.2, 0.09, 0.01])
    corrected = slope_correction(before, expected, after, [9, 9, 9, 9], [6, 6, 6, 9])
    assert corrected == pytest.approx([0.5, 2.0, 0.5, 1.0])


def trains_of(run: Run) -> pd.Series:
    return ticket_facts(run.edition)["trains"]


def judged(run: Run, values: dict[int, tuple[float, float]]) -> MeasuredBoard:
    """Return a board whose tickets have these values and half widths; the others give nothing, surely."""
    targets = [
        Target(ticket_name(run.edition, row), TICKET, 0, value, value - half, value + half, (-MARGIN, MARGIN))
        for row in range(len(run.edition.tickets))
        for value, half in [values.get(row, (0.0, 0.01))]
    ]
    return MeasuredBoard((), (run,), tuple(targets))


def test_doubtful_tickets_are_those_beyond_by_their_estimate_or_odd_on_the_map_as_well(run: Run) -> None:
    trains = trains_of(run)
    printed = [ticket.points for ticket in run.edition.tickets]
    plain = next(row for row, points in enumerate(printed) if points == trains[row])
    assert printed[0] > 2 * trains[0]
    for values, found in (
        ({plain: (0.06, 0.03)}, {plain}),  # open, and beyond by the estimate
        ({plain: (0.04, 0.01)}, set()),
        ({0: (0.04, 0.01)}, {0}),  # its 20 points are far from its path
        ({0: (0.02, 0.01)}, set()),  # ... but it is where a mended ticket would be brought
        ({0: (-0.04, 0.01)}, set()),  # ... but it is stingy all the same
    ):
        assert doubtful_tickets(judged(run, values), MARGIN) == found


def test_an_edit_that_rivals_turn_around_is_taken_back(run: Run) -> None:
    """They are said to find the ticket stingy after a cut of its points, so it gets some of them back."""
    printed = run.edition.tickets[0].points
    board = replace(judged(run, {0: (-0.2, 0.05)}), edits=(points_edit(0, 1), points_edit(3, 9)))
    assert reversed_edits(run.edition, board) == (points_edit(0, 1),)
    soft = {edit.row: int(edit.value) for edit in soften(run.edition, board, MARGIN)}
    assert 1 < soft.get(0, printed) <= printed
    assert soft[3] == 9
    generous = replace(judged(run, {0: (0.2, 0.05)}), edits=(points_edit(0, 1),))
    assert reversed_edits(run.edition, generous) == ()


def test_points_that_did_harm_are_found_among_the_moved_tickets_alone() -> None:
    before, after = np.array([-0.06, -0.06, -0.06, 0.02]), np.array([-0.09, -0.09, -0.03, 0.04])
    assert made_worse(before, after, [6, 6, 6, 6], [20, 6, 9, 7], MARGIN) == {0}


def test_a_study_names_the_remedy_of_each_mispriced_ticket_it_names(run: Run) -> None:
    analysis = with_remedies(analyze([run]))
    told = [finding.sentence for finding in analysis.findings if finding.rule == "ticket_generous"]
    ticket = run.edition.tickets[0]
    assert any(f"{ticket.a}–{ticket.b} about " in sentence and "instead of 20" in sentence for sentence in told)
    assert all("balance" in sentence for sentence in told)


def test_a_race_has_no_remedies_by_points(tmp_path: Path) -> None:
    analysis = analyze([play_run(tmp_path / "race", "first_journey", 2, ("planner",), 400)])
    assert with_remedies(analysis) is analysis
    assert all(isinstance(finding, Finding) for finding in analysis.findings)
