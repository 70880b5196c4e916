"""Targets: met, missed or open by their intervals; one for each thing that is not locked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.report.fabricated import fabricated
from ttr_sim.balance.targets import CLAIMED, SEAT, STYLE, TICKET, Limit, Target, as_rows, find_targets
from ttr_sim.edition import load_edition

MARGIN: Limit = (-0.05, 0.05)


@pytest.mark.parametrize(
    ("value", "half", "limit", "met"),
    [
        (0.08, 0.02, MARGIN, False),  # wholly beyond
        (-0.08, 0.02, MARGIN, False),
        (0.06, 0.02, MARGIN, None),  # may be within
        (0.04, 0.02, MARGIN, True),  # known well enough
        (0.04, 0.03, MARGIN, None),  # not known well enough
        (0.90, 0.20, (0.02, None), True),  # wholly within
        (0.01, 0.005, (0.02, None), False),
        (0.015, 0.01, (0.02, None), None),
        (0.30, 0.02, (None, 0.5), True),
        (0.60, 0.02, (None, 0.5), False),
        (0.60, 0.02, (None, None), True),
        (np.nan, np.nan, MARGIN, None),
    ],
)
def test_a_target_is_met_missed_or_open(value: float, half: float, limit: Limit, met: bool | None) -> None:
    target = Target("ticket A–B long", TICKET, 0, value, value - half, value + half, limit)
    assert target.met is met


def test_there_is_a_target_for_each_thing_that_is_not_locked() -> None:
    usa = load_edition("usa")
    analysis = fabricated(usa)
    targets = find_targets(analysis)
    by_measure = {measure: [t for t in targets if t.measure == measure] for measure in (TICKET, CLAIMED, SEAT, STYLE)}
    assert len(by_measure[TICKET]) == 30
    assert {target.players for target in by_measure[TICKET]} == {0}
    assert len(by_measure[CLAIMED]) == 78
    assert {target.limit for target in by_measure[SEAT]} == {(None, None)}
    assert all(target.met for target in by_measure[SEAT])
    assert len({(t.key, t.players) for t in targets}) == len(targets)
    wanted = replace(usa.targets, locked=("Los Angeles–Miami", "Atlanta–Nashville"), margin=2.0, seats=3.0)
    fewer = find_targets(analysis, wanted)
    names = {target.name for target in fewer}
    assert "ticket Los Angeles–Miami regular" not in names
    assert not any("Atlanta–Nashville" in name for name in names)
    assert next(target.limit for target in fewer if target.measure == TICKET) == (-0.02, 0.02)
    assert all(target.limit[0] is not None for target in fewer if target.measure == SEAT)


def test_intervals_are_corrected_for_the_number_of_targets() -> None:
    usa = load_edition("usa")
    analysis = fabricated(usa)
    table = analysis.tables["ticket_value"]
    row = table[table["players"] == 0].iloc[0]
    target = next(target for target in find_targets(analysis) if target.measure == TICKET)
    assert (target.high - target.value) / (row["excess_high"] - row["excess"]) == pytest.approx(3.14 / 1.96, rel=0.01)


def test_rows_are_what_study_prints() -> None:
    rows = as_rows(find_targets(fabricated(load_edition("first_journey"))))
    assert set(rows[0]) == {"name", "measure", "players", "value", "low", "high", "limit", "met"}
    assert {type(row["met"]) for row in rows} <= {bool, type(None)}
    names = [(row["name"], row["measure"], row["players"]) for row in rows]
    assert len(set(names)) == len(names)


def test_an_unknown_interval_is_null_in_json() -> None:
    (row,) = as_rows([Target("seat 1", SEAT, 2, 0.5, np.nan, np.nan, (None, None))])
    assert (row["value"], row["low"], row["high"]) == (0.5, None, None)
