"""The page that tells how to read the numbers names every table and threshold, with its value."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ttr_sim.analysis import thresholds
from ttr_sim.analysis.analysis import TABLES

PAGE = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
THRESHOLDS = {name: value for name, value in vars(thresholds).items() if name.isupper()}


@pytest.mark.parametrize("table", TABLES)
def test_table_is_explained(table: str) -> None:
    assert f"`{table}`" in PAGE


def test_thresholds_are_listed_with_their_values() -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| ([\d.]+) \|", PAGE, flags=re.MULTILINE))
    assert {name: float(value) for name, value in rows.items()} == THRESHOLDS
