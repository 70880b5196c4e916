from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd

from tests.report.fabricated import fabricated
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.tables import TABLES
from ttr_sim.edition import load_edition
from ttr_sim.edition.statics import statics
from ttr_sim.report.ranges import Ranges, spans_of
from ttr_sim.report.tables import HoverTargets, View, views_of

ANALYSIS = fabricated(load_edition("germany"))
TARGETS = HoverTargets(statics(ANALYSIS.edition))


def view(analysis: Analysis, name: str, ranges: Ranges, linked: tuple[str, ...] = ()) -> View:
    return views_of(analysis, [name], ranges, linked, TARGETS)[name]


def test_every_table_can_be_shown() -> None:
    for name in TABLES:
        shown = view(ANALYSIS, name, Ranges({}))
        assert len(shown.rows) == len(ANALYSIS.tables[name])
        assert {len(row.cells) for row in shown.rows} == {len(shown.headings)}


def test_rows_point_at_the_map() -> None:
    edition = ANALYSIS.edition
    routes = view(ANALYSIS, "routes", Ranges({})).rows
    assert {row.targets for row in routes} == {f"route-{n}" for n in range(len(edition.routes))}
    country = next(n for n, ticket in enumerate(edition.tickets) if len(ticket.b_cities) > 1)
    ends = [f"city-{n}" for n in (*edition.tickets[country].a_cities, *edition.tickets[country].b_cities)]
    assert " ".join(ends) in {row.targets for row in view(ANALYSIS, "tickets", Ranges({})).rows}


def test_no_estimate_without_its_interval() -> None:
    frame = ANALYSIS.tables["seats"].copy()
    frame.loc[:, ["win_share_low", "win_share_high"]] = np.nan
    shown = view(fabricated_with("seats", frame), "seats", Ranges({}))
    place = [heading.words for heading in shown.headings].index("win share")
    assert {row.cells[place].words for row in shown.rows} == {"–"}


def fabricated_with(name: str, frame: pd.DataFrame) -> Analysis:
    return dataclasses.replace(ANALYSIS, tables={**ANALYSIS.tables, name: frame})


def test_columns_that_cannot_be_said_are_left_out() -> None:
    frame = ANALYSIS.tables["cities"].assign(stations=np.nan)
    assert "stations" not in [h.words for h in view(fabricated_with("cities", frame), "cities", Ranges({})).headings]


def test_columns_of_sentences_are_known() -> None:
    frame = ANALYSIS.tables["shape_loads"].assign(stands_out="crowded on paper, hardly fought over")
    shown = view(fabricated_with("shape_loads", frame), "shape_loads", Ranges({}))
    assert [shown.headings[at - 1].words for at in shown.long_columns] == ["does not match"]
    assert view(ANALYSIS, "seats", Ranges({})).long_columns == []


def test_official_ranges_stand_beside_or_below() -> None:
    ranges = Ranges(spans_of([ANALYSIS]))
    assert any(cell.usual for cell in view(ANALYSIS, "seats", ranges).rows[0].cells)
    assert view(ANALYSIS, "routes", ranges).usual
    assert not view(ANALYSIS, "seats", ranges).usual


def test_the_most_telling_rows_stand_first() -> None:
    routes = ANALYSIS.tables["routes"]
    first = routes[routes["players"] == 2]["contention"].idxmax()
    assert view(ANALYSIS, "routes", Ranges({}), (f"r-routes-{first}",)).rows[0].anchor
