"""The first two screens: marks on the board, cards, what to change, and a banner where it is needed."""

from __future__ import annotations

import dataclasses
import math
import re
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.played_runs import play_run
from tests.report.fabricated import fabricated
from ttr_sim.analysis.analysis import Analysis, analyze
from ttr_sim.analysis.targets import MISSED, OPEN, TICKET
from ttr_sim.balance.remedies import NO_REMEDIES, Remedies, Remedy
from ttr_sim.edition import load_edition
from ttr_sim.edition.statics import statics
from ttr_sim.report.cards import effect_bar, gauge
from ttr_sim.report.document import Explainer, banner, environment, played, played_officially
from ttr_sim.report.stage import draw_stage, marks_of
from ttr_sim.report.verdict_page import VerdictPage, remedies_table

ANALYSIS = fabricated(load_edition("usa"))
COUNTS = [0, 2, 3, 4, 5]


def with_table(name: str, table: pd.DataFrame) -> Analysis:
    return dataclasses.replace(ANALYSIS, tables={**ANALYSIS.tables, name: table})


def judged(*missed: int, unsure: tuple[int, ...] = ()) -> Analysis:
    """A board on which only these tickets are missed, or open and beyond."""
    targets = []
    for target in ANALYSIS.verdict.targets:
        value, half = 0.0, 0.01
        if target.measure != TICKET:
            continue
        if target.row in missed:
            value = 0.08
        elif target.row in unsure:
            value, half = -0.055, 0.02
        targets.append(dataclasses.replace(target, value=value, low=value - half, high=value + half))
    return dataclasses.replace(ANALYSIS, verdict=dataclasses.replace(ANALYSIS.verdict, targets=tuple(targets)))


def screens(analysis: Analysis, remedies: Remedies = NO_REMEDIES) -> dict[str, Any]:
    page = VerdictPage(analysis, statics(analysis.edition), remedies)
    return page.screen_1() | page.screen_2()


def test_every_missed_and_open_ticket_is_marked_and_listed_in_the_same_order() -> None:
    analysis = judged(4, 7, unsure=(9,))
    marks = marks_of(analysis.verdict)
    assert [(mark.sign, mark.state) for mark in marks] == [("1", MISSED), ("2", MISSED), ("3", OPEN)]
    assert {mark.ticket for mark in marks[:2]} == {4, 7} and marks[2].ticket == 9
    stage = draw_stage(analysis.edition, marks, ANALYSIS.tables["routes"], COUNTS)
    svg = environment().get_template("stage.svg.j2").render(stage=stage, marks=marks, edition=analysis.edition)
    assert re.findall(r'class="arc mark m(\w+) (\w+)"', svg) == [("3", "open"), ("2", "miss"), ("1", "miss")]
    assert 'class="rt plain' in svg and " c0_" in svg and " w5_" in svg
    shown = screens(analysis)
    assert shown["headline"] == "Two tickets are too generous. One more is too close to call."
    assert [row.name for row in shown["rows"]] == [mark.name for mark in marks]
    assert [row.attempt_words for row in shown["rows"]][-1] == "more games first"


def test_a_fair_board_has_nothing_to_change() -> None:
    shown = screens(judged())
    assert (shown["headline"], shown["advice"]) == ("Nothing has to change.", "Nothing to change.")
    assert (shown["rows"], shown["commands"], shown["download"]) == ([], [], "")


def test_at_most_eight_rows_and_the_others_are_named() -> None:
    shown = screens(judged(*range(11)))
    assert (len(shown["rows"]), len(shown["more"])) == (8, 3)


def test_a_remedy_is_shown_with_its_replay_and_as_a_file_when_all_were_replayed_together() -> None:
    mended = Remedy(4, (1, 33), 9, 0.012, -0.01, 0.03)
    shown = screens(judged(4), Remedies((mended,), hold_together=True))
    (row,) = shown["rows"]
    assert (row.attempt, row.attempt_words) == ("9", "replayed: +1.2")
    assert shown["download"].startswith("data:text/csv")
    assert "Print 9 points on" in shown["advice"]
    assert screens(judged(4), Remedies((mended,)))["download"] == ""
    table = remedies_table(judged(4), Remedies((mended, Remedy(7, (1, 33)))))
    assert table["try"].tolist()[0] == 9 and math.isnan(table["try"].tolist()[1])


def test_what_points_cannot_do_names_the_range_and_a_route() -> None:
    (row,) = screens(judged(4), Remedies((Remedy(4, (1, 33)),)))["rows"]
    assert row.attempt == ""
    assert re.fullmatch(r"points alone will not do \(tried 1 to 33\); lengthen .+–.+", row.attempt_words)


def test_cards_show_other_numbers_by_player_count_and_one_state() -> None:
    cards = {card["title"]: card["views"] for card in screens(ANALYSIS)["cards"]}
    assert all(list(views) == COUNTS and len({view.claim for view in views.values()}) == 1 for views in cards.values())
    assert len({view.strip for view in cards["Tickets"].values()}) == len(COUNTS)
    assert cards["Turn order"][2].small.endswith("of 2 wins")
    assert cards["Routes"][5].small == "fiercest route, with 5"


def test_bars_stay_within_their_place() -> None:
    assert effect_bar(0.2, 0.01) == "--a:50.0%;--b:100.0%;--l:100.0%;--h:100.0%"
    assert effect_bar(-0.05, 0.01) == "--a:25.0%;--b:50.0%;--l:20.0%;--h:30.0%"
    assert effect_bar(-0.05, 0.01, 0.02).endswith(";--c:50.0%;--d:60.0%")
    assert effect_bar(math.nan, math.nan).startswith("--a:50%")
    assert gauge(0.3, 0.25, 0.35, (0.28, 0.34), 0.8) == "--lo:24.0%;--hi:72.0%;--x:80.0%;--v:40.0%"


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


def test_a_word_of_the_glossary_is_explained_once_and_names_stay_text() -> None:
    explain = Explainer()
    first = explain("<b>A–B</b> is fought over, fought over")
    assert first.count("<dfn") == 1
    assert first.startswith("&lt;b&gt;A–B&lt;/b&gt; is <dfn")
    assert "<dfn" not in explain("fought over again")
