"""Verdicts beside each other: what counts as the same sign, and as surely otherwise; runs are played on."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from scripts.tools import verdicts
from scripts.tools.people import PAGE
from scripts.tools.verdicts import BEGIN, agreement, opinions, table
from scripts.tools.written_page import page_with
from ttr_sim.analysis.stronger.opinions import EXCESS, FIRST_PLAYER, NUMBERS, TICKET, read_opinions


def values(planner: list[tuple[float, float, float]], search: list[tuple[float, float, float]]) -> pd.DataFrame:
    return pd.DataFrame([(*a, *b) for a, b in zip(planner, search, strict=True)], columns=NUMBERS)


def test_agreement_counts_only_what_is_sure_among_planners() -> None:
    planner = [(0.05, 0.03, 0.07), (-0.05, -0.07, -0.03), (0.04, 0.02, 0.06), (0.01, -0.01, 0.03)]
    search = [(0.01, -0.05, 0.07), (0.20, 0.10, 0.30), (0.30, 0.20, 0.40), (-0.20, -0.30, -0.10)]
    assert agreement(values(planner, search))[:3] == ["3 of 4", "2 of 3", "1 of 3"]


def test_numbers_stand_side_by_side_and_runs_are_played_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "SEARCH", "racer")
    monkeypatch.setattr(verdicts, "PLANNER_GAMES", 300)
    for games in (100, 200):
        found = opinions("first_journey", games, tmp_path)
    assert set(found["measure"]) == {FIRST_PLAYER, TICKET, EXCESS}
    assert (found["games"] == 200).all() and (found["planner_games"] == 300).all()
    assert len(found[found["measure"] == TICKET]) == 32
    line = list(table(found))[2]
    assert line.startswith("| First Journey | 300, 200 | ")


def test_the_page_holds_what_is_kept() -> None:
    assert "\n".join(table(read_opinions())) in PAGE.read_text(encoding="utf-8"), "run scripts/verdicts"
    assert page_with(PAGE.read_text(encoding="utf-8"), "", BEGIN)
