"""The first screen: plain sentences, a banner where it is needed, and the worst places on the board."""

from __future__ import annotations

import dataclasses
from xml.etree import ElementTree as ET

from tests.report.fabricated import fabricated
from ttr_sim.edition import load_edition
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.opening import banner, played, sentences
from ttr_sim.report.ranges import Ranges, spans_of
from ttr_sim.report.worst import mark_places, worst_places

ANALYSIS = fabricated(load_edition("usa"))


def test_five_sentences_each_with_its_strip() -> None:
    said = sentences(ANALYSIS, 4, Ranges(spans_of([ANALYSIS])))
    assert len(said) == 5
    assert all(one.strip and one.strip.words.startswith("within") for one in said)


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


def test_what_was_played_is_told() -> None:
    assert "with 2, 3, 4 and 5 players" in played(ANALYSIS)


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
