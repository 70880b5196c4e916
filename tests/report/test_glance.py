from __future__ import annotations

import dataclasses

from scripts.tools.official_ranges import spans_of
from tests.report.fabricated import fabricated
from ttr_sim.analysis.official import Ranges
from ttr_sim.edition import load_edition
from ttr_sim.report.glance import glance

ANALYSIS = fabricated(load_edition("usa"))


def test_a_number_lies_within_the_range_of_its_own_edition_and_outside_others() -> None:
    lines = glance(ANALYSIS, [2, 5], Ranges(spans_of([ANALYSIS])))
    assert {cell.standing for line in lines for cell in line.cells} == {"within"}
    for standing, span in (("above", [-2.0, -1.0]), ("below", [1.5, 2.0])):
        ranges = Ranges({"seats": {"2": {"0": {"win_share": [span]}}}})
        assert glance(ANALYSIS, [2], ranges)[0].cells[0].standing == standing


def test_measures_an_edition_lacks_are_left_out() -> None:
    parts = ANALYSIS.tables["score_parts"].iloc[:0]
    race = dataclasses.replace(ANALYSIS, tables={**ANALYSIS.tables, "score_parts": parts})
    words = [line.words for line in glance(race, [2], Ranges({}))]
    assert "Points from routes" not in words
    assert "Rounds of a game" in words
