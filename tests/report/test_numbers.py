from __future__ import annotations

import math

import pandas as pd
import pytest

from ttr_sim.analysis.tables import Unit
from ttr_sim.report.numbers import exactly, interval, written


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
    ],
)
def test_units(value: object, unit: Unit, words: str) -> None:
    assert written(value, unit) == words


@pytest.mark.parametrize("nothing", [None, math.nan, pd.NA])
def test_what_cannot_be_said_is_a_dash(nothing: object) -> None:
    assert written(nothing, "share") == "–"
    assert exactly(nothing) == "–"


def test_given_numbers_have_no_decimals_they_lack() -> None:
    assert [exactly(value) for value in (7, 7.0, 31.25, -2)] == ["7", "7", "31.25", "−2"]


def test_intervals() -> None:
    assert interval(0.1, 0.2, "share") == "10.0 to 20.0"
    assert interval(math.nan, 0.2, "share") == ""
