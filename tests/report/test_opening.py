"""The first screen: plain sentences, a banner where it is needed, and the worst places on the board."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from tests.played_runs import play_run
from tests.report.fabricated import fabricated
from ttr_sim.analysis.analysis import Analysis, analyze
from ttr_sim.analysis.official import Ranges
from ttr_sim.analysis.verdict import Verdict
from ttr_sim.edition import load_edition
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.document import Explainer, banner, played, played_officially
from ttr_sim.report.opening import mark_places, sentences, worst_places
from ttr_sim.report.ranges import spans_of

ANALYSIS = fabricated(load_edition("usa"))
SPANS = spans_of([ANALYSIS])


def with_table(name: str, table: pd.DataFrame) -> Analysis:
    return dataclasses.replace(ANALYSIS, tables={**ANALYSIS.tables, name: table})


def test_five_sentences_each_number_with_its_strip() -> None:
    said = sentences(ANALYSIS, 4, Ranges(SPANS))
    assert len(said) == 5
    assert all(one.strip.words.startswith("within") for one in said if one.strip)
    assert [one.anchor for one in said if one.strip is None] == ["tickets"], "its limit is not the official boards'"
    assert not any(one.strip for one in sentences(ANALYSIS, 4, Ranges(SPANS, ["USA"], left_out=0)))


def test_tickets_that_are_never_dealt_at_the_start_are_not_judged() -> None:
    value = ANALYSIS.tables["ticket_value"].copy()
    value.loc[value["ticket"] < 10, ["excess", "excess_low", "excess_high"]] = np.nan
    tables = {**ANALYSIS.tables, "ticket_value": value}
    some = dataclasses.replace(ANALYSIS, tables=tables, verdict=Verdict.of(ANALYSIS.edition, tables, Ranges({})))
    (said,) = [one for one in sentences(some, 4, Ranges({})) if one.anchor == "tickets"]
    assert " of 20 within 5 wins per 100 games" in said.sentence


@pytest.mark.parametrize(("p_adjusted", "is_named"), [(0.5, False), (0.01, True)])
def test_the_best_player_is_named_only_where_it_is_clear(p_adjusted: float, is_named: bool) -> None:
    seats = ANALYSIS.tables["seats"]
    better = seats.assign(p_adjusted=p_adjusted, win_share=seats["win_share"] + 0.2 * (seats["seat"] == 1))
    first, *_ = sentences(with_table("seats", better), 4, Ranges({}))
    assert ("the 2nd does best" in first.sentence) == is_named


def test_banners_warn_of_reconstructed_boards_and_untuned_players() -> None:
    assert banner(ANALYSIS) == []
    assert "RECONSTRUCTED" in banner(fabricated(load_edition("amsterdam")))[0]
    strong = with_table("overview", ANALYSIS.tables["overview"].assign(field="strong"))
    other = dataclasses.replace(ANALYSIS.edition, trains=2 * ANALYSIS.edition.trains)
    assert "`ttr-sim tune " in banner(dataclasses.replace(strong, edition=other))[0]


def test_wants_that_cannot_be_played_again_are_taken_on_trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = play_run(tmp_path / "run", "usa", 2, ("random",), 4)
    analysis = analyze([run], in_brief=True)
    assert banner(analysis) == []
    sent = shutil.copytree(run.path, tmp_path / "sent by somebody")
    assert "taken on trust" in banner(analyze([sent], in_brief=True))[0]
    monkeypatch.setattr("ttr_sim.engine.jit.SOURCE_HASH", "another engine")
    assert "taken on trust" in banner(analysis)[0]


def test_it_says_who_played_here_and_on_the_official_boards() -> None:
    assert "with 2, 3, 4 and 5 players" in played(ANALYSIS)
    assert played_officially(ANALYSIS) == "played the same way"
    own = tuple(dataclasses.replace(run, field="own") for run in ANALYSIS.runs)
    assert "not by these bots" in played_officially(dataclasses.replace(ANALYSIS, runs=own))


def test_worst_places_are_numbered_on_the_board() -> None:
    places = worst_places(ANALYSIS)
    assert [bool(place.cities) for place in places] == [True, False, True]  # a ticket, a route, a city
    players = ANALYSIS.tables["routes"].loc[places[1].row, "players"]
    assert places[1].words.endswith(f" games with {players} players")
    svg = ET.Element("svg")
    mark_places(svg, lay_out(ANALYSIS.edition), places)
    assert [text.text for text in svg.iter() if text.text] == ["1", "1", "2", "3"]


def test_a_word_of_the_glossary_is_explained_once_and_names_stay_text() -> None:
    explain = Explainer()
    first = explain("<b>A–B</b> is too generous, too generous")
    assert first.count("<dfn") == 1
    assert first.startswith("&lt;b&gt;A–B&lt;/b&gt; is <dfn")
    assert "<dfn" not in explain("too generous again")
