"""The ladder of skill: what was played is kept and added to, and stands in the page between its marks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scripts.tools import ladder
from scripts.tools.ladder import Step, climb, play, search_table, steps, table
from scripts.tools.written_page import END, page_with
from ttr_sim.analysis.stronger.rungs import Climb, read_climbs

STEP = Step("first_journey", 2, "onestep", "random")


def known(wins: tuple[float, ...], bot: str = "onestep", others: str = "random") -> Climb:
    return Climb("first_journey", STEP.fingerprint, 2, bot, others, ladder.SEED, 4.0, "3/6 6/2", wins)


def test_what_is_kept_is_added_to_and_the_same_as_when_played_at_once(tmp_path: Path) -> None:
    at_once, in_parts = tmp_path / "at_once.csv", tmp_path / "in_parts.csv"
    play([STEP], 6, at_once, lambda found: None)
    for deals in (2, 6):
        play([STEP], deals, in_parts, lambda found: None)
    (once,), (parts,) = read_climbs(at_once), read_climbs(in_parts)
    assert once.games == 12
    assert replace(parts, seconds=once.seconds) == once


def test_line_whose_first_deal_ends_otherwise_is_played_anew() -> None:
    other = known((2.0,) * 50)
    *_, found = climb(STEP, other, 3)
    assert len(found.wins) == 3
    *_, kept = climb(STEP, replace(other, first=found.first), 3)
    assert kept.wins == other.wins


def test_searching_bots_are_kept_some_deals_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def played(step: Step, deals: range) -> Climb:
        asked.extend(deals)
        return known((1.0,) * len(deals), step.bot, step.others)

    monkeypatch.setattr(Step, "play", played)
    found = list(climb(Step("first_journey", 2, "search:budget=50", "planner"), None, 25))
    assert [len(each.wins) for each in found] == [1, 11, 21, 25]
    assert asked == list(range(25))


def test_steps_are_those_that_were_asked_for() -> None:
    plain = list(steps(False, ["first_journey"], []))
    assert {(step.bot, step.others) for step in plain} == set(ladder.STEPS)
    assert {step.players for step in plain} == {2, 3, 4}
    (found,) = steps(True, ["germany"], ["search:budget=800"])
    assert found == Step("germany", 2, "search:budget=800", "search:budget=200")


def test_every_rung_stands_beside_the_one_below() -> None:
    lines = list(table([known((1.0, 2.0, 1.0, 0.0))]))
    line = next(line for line in lines if line.startswith("| First Journey, 2 (50.0)"))
    assert line.split(" | ")[1] == "50.0 (10.4 to 89.6)"
    assert lines[-1] == "\nMade of 4 deals each, by `scripts/ladder`."


def test_searching_rungs_stand_in_lines_of_their_own() -> None:
    climbs = [known((1.0,) * 20), known((1.0, 2.0) * 10, "search:budget=50", "planner")]
    _, _, line, _ = search_table(climbs)
    assert line.startswith("| First Journey, 2 (50.0) | search:budget=50 | planner | 40 | 75.0 (")
    assert line.endswith(") | 10.00 |")


def test_the_table_goes_between_its_marks() -> None:
    page = f"before\n{ladder.BEGIN}old\n{END}\nafter\n"
    assert page_with(page, "new\n", ladder.BEGIN) == page.replace("old", "new")
    with pytest.raises(SystemExit, match="has no lines"):
        page_with("no marks", "new", ladder.BEGIN)


def test_the_page_holds_what_is_kept() -> None:
    climbs, page = read_climbs(), ladder.PAGE.read_text(encoding="utf-8")
    for lines in (table(climbs), search_table(climbs)):
        assert "\n".join(lines) in page, "run scripts/ladder"
