from __future__ import annotations

import dataclasses

from tests.report.fabricated import fabricated
from ttr_sim.analysis.official import Ranges
from ttr_sim.edition import load_edition
from ttr_sim.report.glance import glance
from ttr_sim.report.ranges import spans_of

ANALYSIS = fabricated(load_edition("usa"))


def test_a_number_lies_within_the_range_of_its_own_edition() -> None:
    lines = glance(ANALYSIS, [2, 5], Ranges(spans_of([ANALYSIS])))
    assert {cell.standing for line in lines for cell in line.cells} == {"within"}


def test_a_number_outside_is_told_so() -> None:
    low = Ranges({"seats": {"2": {"0": {"win_share": [[-2.0, -1.0]]}}}})
    high = Ranges({"seats": {"2": {"0": {"win_share": [[1.5, 2.0]]}}}})
    assert glance(ANALYSIS, [2], low)[0].cells[0].standing == "above"
    assert glance(ANALYSIS, [2], high)[0].cells[0].standing == "below"


def test_measures_an_edition_lacks_are_left_out() -> None:
    parts = ANALYSIS.tables["score_parts"].iloc[:0]
    race = dataclasses.replace(ANALYSIS, tables={**ANALYSIS.tables, "score_parts": parts})
    words = [line.words for line in glance(race, [2], Ranges({}))]
    assert "Points from routes" not in words
    assert "Rounds of a game" in words
