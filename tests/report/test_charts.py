"""Titles of charts claim what is clear and no more; what a chart shows can be pointed at."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from tests.report.fabricated import fabricated
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.edition import load_edition
from ttr_sim.report.charts import balance, experience
from ttr_sim.report.charts.names import name_mark
from ttr_sim.report.charts.style import Chart, Tips, one

ANALYSIS = fabricated(load_edition("usa"))


def with_table(name: str, frame: pd.DataFrame) -> Analysis:
    return dataclasses.replace(ANALYSIS, tables={**ANALYSIS.tables, name: frame})


def drawn(chart: Chart | None) -> Chart:
    assert chart is not None
    return chart


@pytest.mark.parametrize(("p_adjusted", "is_clear"), [(0.2, False), (0.001, True)])
def test_only_a_clear_reward_is_a_title(p_adjusted: float, is_clear: bool) -> None:
    rewards = ANALYSIS.tables["rewards"]
    more = rewards["fair"] + 0.1
    changed = rewards.assign(
        p_adjusted=p_adjusted, win_share=more, win_share_low=more - 0.01, win_share_high=more + 0.01
    )
    title = drawn(balance.reward_wins(with_table("rewards", changed))).title
    assert title.startswith("Wins most beyond its fair share") == is_clear


@pytest.mark.parametrize(("p_adjusted", "is_clear"), [(0.2, False), (0.001, True)])
def test_only_a_clear_lead_over_all_styles_is_a_title(p_adjusted: float, is_clear: bool) -> None:
    pairs = ANALYSIS.tables["matchups"]
    best = pairs["bot"].iloc[0]
    shares = (pairs["bot"] == best).map({True: 0.6, False: 0.4})
    title = drawn(
        balance.matchup_matrix(with_table("matchups", pairs.assign(p_adjusted=p_adjusted, share=shares)))
    ).title
    assert title.startswith(f"{best} is ahead of every other style: at least 60 %") == is_clear


@pytest.mark.parametrize(("p_adjusted", "is_clear"), [(0.2, False), (0.001, True)])
def test_only_a_player_clearly_off_is_a_title(p_adjusted: float, is_clear: bool) -> None:
    seats = ANALYSIS.tables["seats"]
    wins = seats["fair"] - 0.05 * (seats["seat"] == 1)
    title = drawn(balance.seat_wins(with_table("seats", seats.assign(p_adjusted=p_adjusted, win_share=wins)))).title
    assert title.startswith("The second player wins") == is_clear


def test_a_name_goes_where_it_hides_no_mark() -> None:
    figure, panel = one(3.0)
    crowd = np.array([(x, y) for x in np.linspace(0, 1, 40) for y in (0.5, 0.53)])
    panel.plot(*crowd.T, "o")
    name_mark(panel, "Here–There", (0.5, 0.5), crowd)
    figure.canvas.draw()
    [label] = panel.texts
    inside = label.get_window_extent().count_contains(panel.transData.transform(crowd))
    assert inside == 0
    assert panel.get_window_extent().contains(*label.get_window_extent().min)


def test_the_course_of_chances_can_be_pointed_at() -> None:
    for draw in (experience.course, experience.belief):
        panels = drawn(draw(ANALYSIS)).figure.axes
        assert all(any(isinstance(artist, Tips) and artist.places for artist in panel.artists) for panel in panels)
