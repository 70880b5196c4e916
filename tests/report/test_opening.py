"""The first screen: plain sentences, a banner where it is needed, and the worst places on the board."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tests.played_runs import play_run
from tests.report.fabricated import fabricated
from ttr_sim.analysis import analyze
from ttr_sim.edition import load_edition
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.opening import mark_places, sentences, worst_places
from ttr_sim.report.provenance import banner, played, played_officially
from ttr_sim.report.ranges import Ranges, games_by_count, spans_of

ANALYSIS = fabricated(load_edition("usa"))


def test_five_sentences_each_with_its_strip() -> None:
    said = sentences(ANALYSIS, 4, Ranges(spans_of([ANALYSIS]), games=games_by_count(ANALYSIS)))
    assert len(said) == 5
    assert all(one.strip and one.strip.words.startswith("within") for one in said)


def test_the_number_of_misvalued_tickets_is_compared_only_among_as_many_games() -> None:
    said = sentences(ANALYSIS, 4, Ranges(spans_of([ANALYSIS]), games=10 * games_by_count(ANALYSIS)))
    assert [one.anchor for one in said if one.strip is None] == ["tickets"]


def test_tickets_that_are_never_dealt_at_the_start_are_not_judged() -> None:
    value = ANALYSIS.tables["ticket_value"].copy()
    value.loc[value["ticket"] < 10, ["win_effect", "win_effect_low", "win_effect_high"]] = np.nan
    less = dataclasses.replace(ANALYSIS, tables={**ANALYSIS.tables, "ticket_value": value})
    (told,) = [one.sentence for one in sentences(less, 4, Ranges({})) if one.anchor == "tickets"]
    assert "20 tickets" in told and "The other 10 are too seldom dealt at the start to be judged." in told


def test_the_best_player_is_named_only_where_it_is_clear() -> None:
    seats = ANALYSIS.tables["seats"]
    for p_adjusted, is_named in ((0.5, False), (0.01, True)):
        wins = seats["win_share"] + 0.2 * (seats["seat"] == 1)
        tables = {**ANALYSIS.tables, "seats": seats.assign(p_adjusted=p_adjusted, win_share=wins)}
        first, *_ = sentences(dataclasses.replace(ANALYSIS, tables=tables), 4, Ranges({}))
        assert ("the 2nd does best" in first.sentence) == is_named


def test_a_board_is_not_compared_with_itself() -> None:
    alone = Ranges(spans_of([ANALYSIS]), ["USA"], left_out=0)
    assert not any(one.strip for one in sentences(ANALYSIS, 4, alone))


def test_reconstructed_boards_say_so() -> None:
    assert banner(ANALYSIS) == []
    assert "RECONSTRUCTED" in banner(fabricated(load_edition("amsterdam")))[0]


def test_boards_the_players_were_not_tuned_for_say_so() -> None:
    overview = ANALYSIS.tables["overview"].assign(field="strong")
    edition = dataclasses.replace(ANALYSIS.edition, fingerprint="another board")
    changed = dataclasses.replace(ANALYSIS, edition=edition, tables={**ANALYSIS.tables, "overview": overview})
    assert "`ttr-sim tune " in banner(changed)[0]


def test_wants_that_cannot_be_played_again_are_taken_on_trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = analyze([play_run(tmp_path / "run", "usa", 2, ("random",), 4)], in_brief=True)
    assert banner(analysis) == []
    monkeypatch.setattr("ttr_sim.engine.jit.SOURCE_HASH", "another engine")
    assert "taken on trust" in banner(analysis)[0]


def test_what_was_played_is_told() -> None:
    assert "with 2, 3, 4 and 5 players" in played(ANALYSIS)


def test_how_the_official_boards_were_played_is_told() -> None:
    strong = tuple(dataclasses.replace(run, field="strong") for run in ANALYSIS.runs)
    assert played_officially(dataclasses.replace(ANALYSIS, runs=strong)) == "played the same way"
    own = tuple(dataclasses.replace(run, field="own") for run in ANALYSIS.runs)
    assert "not by these bots" in played_officially(dataclasses.replace(ANALYSIS, runs=own))


def test_worst_places_are_numbered_on_the_board() -> None:
    places = worst_places(ANALYSIS)
    assert [bool(place.cities) for place in places] == [True, False, True]  # a ticket, a route, a city
    svg = ET.Element("svg")
    mark_places(svg, lay_out(ANALYSIS.edition), places)
    assert [text.text for text in svg.iter() if text.text] == ["1", "1", "2", "3"]


def test_the_worst_route_is_named_with_the_players_it_was_found_with() -> None:
    place = next(place for place in worst_places(ANALYSIS) if place.table == "routes")
    players = ANALYSIS.tables["routes"].loc[place.row, "players"]
    assert place.words.endswith(f" games with {players} players")
