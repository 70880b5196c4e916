"""Targets: met, missed or open by their intervals; one for each thing that is not locked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.report.fabricated import fabricated
from ttr_sim.analysis.targets import (
    CLAIMED,
    MET,
    MISSED,
    OPEN,
    SEAT,
    STYLE,
    TICKET,
    Limit,
    Target,
    as_rows,
    find_targets,
)
from ttr_sim.edition import load_edition

MARGIN: Limit = (-0.05, 0.05)


@pytest.mark.parametrize(
    ("value", "half", "limit", "state"),
    [
        (0.08, 0.02, MARGIN, MISSED),  # wholly beyond
        (-0.08, 0.02, MARGIN, MISSED),
        (0.06, 0.02, MARGIN, OPEN),  # may be within
        (0.04, 0.02, MARGIN, MET),  # known well enough
        (0.04, 0.03, MARGIN, OPEN),  # not known well enough
        (0.90, 0.20, (0.02, None), MET),  # wholly within
        (0.01, 0.005, (0.02, None), MISSED),
        (0.015, 0.01, (0.02, None), OPEN),
        (0.30, 0.02, (None, 0.5), MET),
        (0.60, 0.02, (None, 0.5), MISSED),
        (np.nan, np.nan, MARGIN, None),  # not measured
    ],
)
def test_a_target_is_met_missed_or_open(value: float, half: float, limit: Limit, state: str | None) -> None:
    target = Target("ticket A–B long", TICKET, 0, value, value - half, value + half, limit)
    assert target.state == state


def test_there_is_a_target_for_each_thing_that_is_not_locked() -> None:
    usa = load_edition("usa")
    analysis = fabricated(usa)
    targets = find_targets(usa, analysis.tables)
    by_measure = {measure: [t for t in targets if t.measure == measure] for measure in (TICKET, CLAIMED, SEAT, STYLE)}
    assert len(by_measure[TICKET]) == 30
    assert {target.players for target in by_measure[TICKET]} == {0}
    assert len(by_measure[CLAIMED]) == 78
    assert [target.players for target in by_measure[SEAT]] == [2, 3, 4, 5], "the best seat of each player count"
    assert all(target.limit[0] is None and 0 < (target.limit[1] or 0) < 0.7 for target in by_measure[SEAT])
    assert len({(t.key, t.players) for t in targets}) == len(targets)
    wanted = replace(usa.targets, locked=("Los Angeles–Miami", "Atlanta–Nashville"), margin=2.0, seats=3.0)
    fewer = find_targets(usa, analysis.tables, wanted)
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
    target = next(target for target in find_targets(usa, analysis.tables) if target.measure == TICKET)
    assert (target.high - target.value) / (row["excess_high"] - row["excess"]) == pytest.approx(3.14 / 1.96, rel=0.01)


def test_rows_are_what_study_prints() -> None:
    edition = load_edition("first_journey")
    rows = as_rows(find_targets(edition, fabricated(edition).tables))
    assert set(rows[0]) == {"name", "measure", "players", "value", "low", "high", "limit", "state"}
    assert {row["state"] for row in rows} <= {MET, OPEN, MISSED, None}
    assert len({(row["name"], row["measure"], row["players"]) for row in rows}) == len(rows)
    (row,) = as_rows([Target("seat 1", SEAT, 2, 0.5, np.nan, np.nan, (None, None))])
    assert (row["value"], row["low"], row["high"]) == (0.5, None, None), "JSON has no NaN"


@pytest.mark.parametrize(
    ("value", "half", "games"),
    [
        (0.06, 0.02, 40_000),  # the interval must shrink to a half to lie beyond
        (0.00, 0.05, 40_000),  # half the limit is wanted
        (0.08, 0.02, 10_000),  # settled
    ],
)
def test_an_open_target_says_how_many_games_would_settle_it(value: float, half: float, games: int) -> None:
    target = Target("ticket A–B long", TICKET, 0, value, value - half, value + half, MARGIN)
    assert target.games_to_settle(10_000) == pytest.approx(games, rel=0.05)
