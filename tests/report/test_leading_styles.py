"""Titles of the charts of styles name only what is clear."""

from __future__ import annotations

import pandas as pd
import pytest

from ttr_sim.report.charts.balance import leading_styles


def styles(*shares: tuple[str, int, float]) -> pd.DataFrame:
    """Win shares, each known to 2 wins in 100."""
    rows = [(bot, players, share, share - 0.02, share + 0.02) for bot, players, share in shares]
    return pd.DataFrame(rows, columns=["bot", "players", "win_share", "win_share_low", "win_share_high"])


@pytest.mark.parametrize(
    ("shares", "title"),
    [
        (
            [("a", 2, 0.7), ("b", 2, 0.6), ("a", 3, 0.5), ("b", 3, 0.4)],
            "The style a clearly wins most with 2 and 3 players",
        ),
        ([("a", 2, 0.7), ("b", 2, 0.68), ("a", 3, 0.5), ("b", 3, 0.4)], "The style a clearly wins most with 3 players"),
        (
            [("a", 2, 0.7), ("b", 2, 0.6), ("a", 3, 0.4), ("b", 3, 0.5)],
            "The style a clearly wins most with 2 players; the style b with 3 players",
        ),
        ([("a", 2, 0.7), ("b", 2, 0.68)], "No style clearly wins most"),
    ],
)
def test_a_title_names_the_styles_that_clearly_lead(shares: list[tuple[str, int, float]], title: str) -> None:
    assert leading_styles(styles(*shares), "win_share", "wins most") == title
