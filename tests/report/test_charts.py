"""Charts claim only clear differences and have tips; maps have round bands, links and a class for each choice."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from tests.report.fabricated import fabricated
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.edition import load_edition
from ttr_sim.edition.statics import statics
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.charts import network, play
from ttr_sim.report.figures import PATH, SVG, TITLE, Chart, inline_chart, settings
from ttr_sim.report.maps import MOST_BANDS, STEPS, BandScale, draw_values
from ttr_sim.report.page import SECTIONS

ANALYSIS = fabricated(load_edition("usa"))


def with_table(name: str, frame: pd.DataFrame) -> Analysis:
    return dataclasses.replace(ANALYSIS, tables={**ANALYSIS.tables, name: frame})


def drawn(chart: Chart | None) -> Chart:
    assert chart is not None
    return chart


def tips(chart: Chart) -> list[str]:
    with settings():
        svg = ET.fromstring(inline_chart(chart, None).svg)
    return [title.text or "" for title in svg.iter(TITLE)]


A_WINS, B_WINS, UNSURE = (0.7, 0.6), (0.4, 0.5), (0.7, 0.68)  # wins of styles a and b, each known to 0.02


@pytest.mark.parametrize(
    ("shares", "title"),
    [
        ({2: A_WINS, 3: A_WINS}, "The style a clearly wins most with 2 and 3 players"),
        ({2: UNSURE, 3: A_WINS}, "The style a clearly wins most with 3 players"),
        ({2: A_WINS, 3: B_WINS}, "The style a clearly wins most with 2 players; the style b with 3 players"),
        ({2: UNSURE}, "No style clearly wins most"),
    ],
)
def test_a_title_names_the_styles_that_clearly_lead(shares: dict[int, tuple[float, float]], title: str) -> None:
    rows = []
    for players, of_both in shares.items():
        rows += [(bot, players, share, share - 0.02, share + 0.02) for bot, share in zip("ab", of_both, strict=True)]
    styles = pd.DataFrame(rows, columns=["bot", "players", "win_share", "win_share_low", "win_share_high"])
    assert play.leading_styles(styles, "win_share", "wins most") == title


@pytest.mark.parametrize(("p_adjusted", "is_clear"), [(0.2, False), (0.001, True)])
def test_only_a_clear_difference_is_a_title(p_adjusted: float, is_clear: bool) -> None:
    rewards = ANALYSIS.tables["rewards"]
    more = rewards["fair"] + 0.1
    changed = rewards.assign(
        p_adjusted=p_adjusted, win_share=more, win_share_low=more - 0.01, win_share_high=more + 0.01
    )
    title = drawn(play.reward_wins(with_table("rewards", changed))).title
    assert title.startswith("Wins most beyond its fair share") == is_clear

    pairs = ANALYSIS.tables["matchups"]
    best = pairs["bot"].iloc[0]
    shares = (pairs["bot"] == best).map({True: 0.6, False: 0.4})
    changed = pairs.assign(p_adjusted=p_adjusted, share=shares)
    title = drawn(play.matchup_matrix(with_table("matchups", changed))).title
    assert title.startswith(f"{best} is ahead of every other style: at least 60 %") == is_clear

    seats = ANALYSIS.tables["seats"]
    changed = seats.assign(p_adjusted=p_adjusted, win_share=seats["fair"] - 0.05 * (seats["seat"] == 1))
    title = drawn(play.seat_wins(with_table("seats", changed))).title
    assert title.startswith("The second player wins") == is_clear


def test_every_chart_has_tips() -> None:
    with settings():
        charts = [draw(ANALYSIS) for section in SECTIONS for draw in section.charts]
        charts.append(network.load_on_paper(statics(ANALYSIS.edition)))
    assert [chart.name for chart in charts if chart and not tips(chart)] == []


def test_a_tip_has_the_number_with_its_interval() -> None:
    table = ANALYSIS.tables["shape_course"]
    chart = drawn(play.course(with_table("shape_course", table.assign(winner=0.4, winner_low=0.3, winner_high=0.5))))
    assert "the eventual winner, after 50 % of the game: 40.0 % (30.0 to 50.0)" in tips(chart)


def test_labels_are_text_in_the_page_and_in_its_colors() -> None:
    with settings():
        svg = ET.fromstring(inline_chart(drawn(play.seat_wins(ANALYSIS)), None).svg)
    texts = {text.text for text in svg.iter(f"{{{SVG}}}text")}
    assert {"2 players", "player, in turn order", "1st"} <= texts
    written = ET.tostring(svg, encoding="unicode")
    assert "var(--ink)" in written
    assert "#22262b" not in written


def test_a_picture_has_its_title_above_and_its_legend_below_that(tmp_path: Path) -> None:
    with settings():
        chart = drawn(play.score_parts(ANALYSIS))
        height = chart.figure.get_figheight()
        inline_chart(chart, tmp_path)
        [legend] = chart.figure.legends
        legend_top = legend.get_window_extent().y1 / chart.figure.dpi
    with Image.open(tmp_path / "score-parts.png") as picture:
        assert picture.height == pytest.approx((height + 0.42) * 110, abs=2)
    assert legend_top <= height


@pytest.mark.parametrize("most", [0.004, 0.07, 0.31, 1.0, 9.3, 47.0])
def test_bands_cover_all_values_and_have_round_ends(most: float) -> None:
    scale = BandScale.over(np.array([0.0, most / 3, most]), 0.0)
    assert scale.bands <= MOST_BANDS
    assert scale.edges[0] == 0.0
    assert scale.edges[-1] >= most > scale.edges[-2]
    assert float(f"{scale.size:.2g}") == pytest.approx(scale.size)
    assert scale.step(0.0) == 0
    assert scale.step(most) == STEPS - 1
    assert scale.step(float("nan")) is None


def test_a_scale_without_numbers_or_without_spread_has_one_band() -> None:
    assert BandScale.over(np.array([np.nan])).bands == 1
    assert BandScale.over(np.array([5.0, 5.0])).step(5.0) == 0


def test_each_route_has_a_class_for_each_choice_and_a_link_to_its_row() -> None:
    edition = load_edition("amsterdam")
    analysis, board = fabricated(edition, players=(2, 3)), statics(edition)
    with settings():
        maps = draw_values(analysis, board, lay_out(edition), None)
    assert maps is not None
    routes = [group for group in maps.svg.iter() if group.get("class") == "route"]
    assert len(routes) == len(edition.routes)
    for number, group in enumerate(routes):
        assert group.get("id") == f"map-route-{number}"
        assert group.get("data-of") == f"route-{number}"
        assert next(group.iter(f"{{{SVG}}}a")).get("href", "").removeprefix("#") in maps.links
        assert edition.cities[edition.routes[number].a].name in (next(group.iter(TITLE)).text or "")
        classes = next(group.iter(PATH)).get("class", "").split()
        subjects = [mode.name for mode in maps.modes if mode.name != "load"]
        for subject in subjects:
            assert sum(name.startswith(f"{subject}2-") for name in classes) == 1
        assert all(f".{name}{{" in maps.rules for name in classes)
