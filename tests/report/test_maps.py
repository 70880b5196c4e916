"""Maps: bands of round sizes, links from routes to their rows, classes for each choice."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.fabricated import fabricated
from ttr_sim.edition import load_edition
from ttr_sim.edition.statics import statics
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.figures import PATH, SVG, TITLE, settings
from ttr_sim.report.maps import MOST_BANDS, STEPS, BandScale, draw_values


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
