"""The ladder of skill: a line for each table, a column for each step, between its marks."""

from __future__ import annotations

import pytest

from scripts.tools import ladder
from scripts.tools.written_page import END, page_with


def test_every_rung_stands_beside_the_one_below(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def among(name: str, players: int, bot: str, others: str, blocks: int) -> dict[str, float]:
        asked.append((bot, others))
        return {"win_share": 0.5, "low": 0.4, "high": 0.61}

    monkeypatch.setattr(ladder, "among", among)
    lines = list(ladder.table(["first_journey"], blocks=1))
    assert asked[:2] == [("onestep", "random"), ("hungry", "onestep")]
    assert asked[-1] == ("planner", "classic")
    assert [line.split(" | ")[0] for line in lines[2:]] == [
        f"| First Journey, {players} ({share})" for players, share in ((2, "50.0"), (3, "33.3"), (4, "25.0"))
    ]
    assert all(line.count("50.0 (40.0 to 61.0)") == len(ladder.STEPS) for line in lines[2:])


def test_searching_rungs_stand_in_lines_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"win_share": 0.7, "low": 0.6, "high": 0.8, "games_per_second": 1.234}
    monkeypatch.setattr(ladder, "among", lambda *words: found)
    lines = list(ladder.search_lines([("usa", 4, "search:budget=50", "planner")], blocks=20))
    assert lines[2] == "| USA, 4 (25.0) | search:budget=50 | planner | 80 | 70.0 (60.0 to 80.0) | 1.23 |"


def test_the_table_goes_between_its_marks() -> None:
    page = f"before\n{ladder.BEGIN}old\n{END}\nafter\n"
    assert page_with(page, "new\n", ladder.BEGIN) == page.replace("old", "new")
    with pytest.raises(SystemExit, match="has no lines"):
        page_with("no marks", "new", ladder.BEGIN)
    page = ladder.PAGE.read_text(encoding="utf-8")
    assert all(page_with(page, "", mark) for mark in (ladder.BEGIN, ladder.BEGIN_SEARCH))
