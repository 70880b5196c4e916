"""Tables of a page: numbers by their unit, links to the map, official ranges; and the CSV files."""

from __future__ import annotations

import csv
import dataclasses
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scripts.tools.official_ranges import spans_of
from tests.report.fabricated import fabricated
from ttr_sim.analysis.official import Ranges
from ttr_sim.analysis.tables import TABLES, Unit
from ttr_sim.edition import load_edition
from ttr_sim.edition.statics import statics
from ttr_sim.report.numbers import exactly, interval, written
from ttr_sim.report.page import glance
from ttr_sim.report.tables import TableViews, View, key_of, write_tables

ANALYSIS = fabricated(load_edition("germany"))
BOARD = statics(ANALYSIS.edition)
OWN = Ranges(spans_of([ANALYSIS]))
USA = fabricated(load_edition("usa"))


def view(name: str, frame: pd.DataFrame | None = None, ranges: Ranges = OWN, linked: tuple[str, ...] = ()) -> View:
    tables = {**ANALYSIS.tables, **({} if frame is None else {name: frame})}
    return TableViews(dataclasses.replace(ANALYSIS, tables=tables), BOARD, ranges, linked).view(name)


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0.1234, "share", "12.3"),
        (-0.012, "change", "−1.2"),
        (0.012, "change", "+1.2"),
        (-3.14, "points", "−3.1"),
        (12345, "count", "12,345"),
        (1234.5, "rating", "+1,234"),
        (0.00001, "p", "<0.001"),
        (0.25, "p", "0.250"),
        (True, "flag", "yes"),
        ("Köln", "text", "Köln"),
        (-0.0001, "share", "0.0"),
        (None, "share", "–"),
        (math.nan, "share", "–"),
        (pd.NA, "count", "–"),
    ],
)
def test_units(value: object, unit: Unit, words: str) -> None:
    assert written(value, unit) == words


def test_given_numbers_and_intervals() -> None:
    assert [exactly(value) for value in (7, 7.0, 31.25, -2, None)] == ["7", "7", "31.25", "−2", "–"]
    assert interval(0.1, 0.2, "share") == "10.0 to 20.0"
    assert interval(math.nan, 0.2, "share") == ""


@pytest.mark.parametrize("name", TABLES)
def test_every_table_can_be_shown(name: str) -> None:
    shown = view(name)
    assert len(shown.rows) == len(ANALYSIS.tables[name])
    assert {len(row.cells) for row in shown.rows} == {len(shown.headings)}


def test_rows_point_at_the_map() -> None:
    edition = ANALYSIS.edition
    assert {row.targets for row in view("routes").rows} == {f"route-{n}" for n in range(len(edition.routes))}
    ticket = next(ticket for ticket in edition.tickets if len(ticket.b_cities) > 1)
    ends = " ".join(f"city-{city}" for city in (*ticket.a_cities, *ticket.b_cities))
    assert ends in {row.targets for row in view("tickets").rows}


def test_no_estimate_without_its_interval() -> None:
    shown = view("seats", ANALYSIS.tables["seats"].assign(win_share_low=np.nan, win_share_high=np.nan))
    place = [heading.words for heading in shown.headings].index("win share")
    assert {row.cells[place].words for row in shown.rows} == {"–"}


def test_columns_without_a_number_are_left_out_and_sentences_are_wide() -> None:
    shown = view("cities", ANALYSIS.tables["cities"].assign(stations=np.nan))
    assert "stations" not in [heading.words for heading in shown.headings]
    words = "crowded on paper, hardly fought over"
    shown = view("shape_loads", ANALYSIS.tables["shape_loads"].assign(stands_out=words))
    assert [shown.headings[at - 1].words for at in shown.long_columns] == ["does not match"]
    assert view("seats").long_columns == []


def test_rows_of_zeros_become_a_sentence() -> None:
    oddities = ANALYSIS.tables["oddities"]
    stuck = (oddities["kind"] == "stuck_row") & (oddities["players"] == 3)
    shown = view(
        "oddities", oddities.assign(games=oddities["games"].where(~(stuck | (oddities["kind"] == "capped")), 0))
    )
    assert len(shown.rows) == len(oddities) - 5
    assert shown.folded == "Never seen: cut off at the last turn allowed, row stuck with wilds (with 3 players)."


def test_the_most_telling_rows_stand_first() -> None:
    routes = ANALYSIS.tables["routes"]
    first = routes[routes["players"] == 2]["contention"].idxmax()
    assert view("routes", linked=(f"r-routes-{first}",)).rows[0].anchor


def test_official_ranges_stand_in_the_rows_or_below_a_list() -> None:
    assert any(cell.usual for cell in view("seats").rows[0].cells) and not view("seats").usual
    assert view("routes").usual
    assert not any(cell.usual for cell in view("seats", ranges=Ranges({})).rows[0].cells)


def test_ranges_span_the_same_row_of_all_editions_or_nine_in_ten_rows_of_lists() -> None:
    analyses = [fabricated(load_edition(name), seed=seed) for seed, name in enumerate(("usa", "europe"))]
    ranges = Ranges(spans_of(analyses))
    seats = [analysis.tables["seats"].set_index(["players", "seat"])["win_share"] for analysis in analyses]
    low, high = sorted(float(f"{table[(3, 1)]:.4g}") for table in seats)
    assert ranges.of("seats", 3, "1", "win_share") == (low, high)
    assert ranges.of("seats", 9, "1", "win_share") is None
    claimed, span = analyses[0].tables["routes"].query("players == 4")["claimed"], OWN.of("routes", 4, "*", "claimed")
    assert span and claimed.min() < span[0] < claimed.median() < span[1] < claimed.max()
    assert (key_of("matchups", {"bot": "a", "opponent": "b"}), key_of("routes", {"route": 3})) == ("a|b", "*")


@pytest.mark.parametrize("name", ['=HYPERLINK("http://x","y")', "+1", "-2+3", "@SUM(A1)", "\tx", "\rx", "\n=1", "  =1"])
def test_spreadsheets_take_no_name_for_a_formula(tmp_path: Path, name: str) -> None:
    columns = {"from": [name, "Saint-Étienne, =x"], "a": [-1.5, 0.25], "b": [-3, 4], "c": [None, "x"]}
    write_tables({"t": pd.DataFrame(columns)}, tmp_path)
    assert (tmp_path / "t.csv").read_bytes().startswith("\ufeff".encode()), "Excel reads accents"
    with (tmp_path / "t.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [[*columns], ["'" + name, "-1.5", "-3", ""], ["Saint-Étienne, =x", "0.25", "4", "x"]]


def test_a_number_lies_within_the_range_of_its_own_edition_and_outside_others() -> None:
    lines = glance(USA, [2, 5], Ranges(spans_of([USA])))
    assert {cell["standing"] for line in lines for cell in line["cells"]} == {"within"}
    for standing, span in (("above", [-2.0, -1.0]), ("below", [1.5, 2.0])):
        ranges = Ranges({"seats": {"2": {"0": {"win_share": [span]}}}})
        assert glance(USA, [2], ranges)[0]["cells"][0]["standing"] == standing


def test_measures_an_edition_lacks_are_left_out() -> None:
    parts = USA.tables["score_parts"].iloc[:0]
    race = dataclasses.replace(USA, tables={**USA.tables, "score_parts": parts})
    words = [line["words"] for line in glance(race, [2], Ranges({}))]
    assert "Points from routes" not in words
    assert "Rounds of a game" in words
