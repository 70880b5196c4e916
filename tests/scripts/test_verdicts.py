"""Verdicts beside each other: what counts as the same sign, and as surely otherwise."""

from __future__ import annotations

import pandas as pd

from scripts.tools.people import PAGE
from scripts.tools.verdicts import BEGIN, agreement
from scripts.tools.written_page import page_with


def values(*rows: tuple[float, float, float]) -> pd.DataFrame:
    columns = ["win_effect", "win_effect_low", "win_effect_high"]
    return pd.DataFrame(rows, columns=columns).assign(ticket=range(len(rows)))


def test_agreement_counts_only_what_is_sure_among_planners() -> None:
    planner = values((0.05, 0.03, 0.07), (-0.05, -0.07, -0.03), (0.04, 0.02, 0.06), (0.01, -0.01, 0.03))
    search = values((0.01, -0.05, 0.07), (0.20, 0.10, 0.30), (0.30, 0.20, 0.40), (-0.20, -0.30, -0.10))
    assert agreement(planner, search)[:4] == ["3 of 4", "2 of 3", "1 of 3", "2 of 3"]


def test_the_table_has_its_place() -> None:
    assert page_with(PAGE.read_text(encoding="utf-8"), "", BEGIN)
