"""Every style is described as `ttr-sim bots` promises."""

from __future__ import annotations

import re

import pytest

from ttr_sim.bots import STANDARD_STYLES, STYLE_NAMES, Style, list_styles
from ttr_sim.bots.api import load_style
from ttr_sim.bots.planner import params
from ttr_sim.engine.records import N_PARAMETERS

STYLES = {style.name: style for style in list_styles()}


@pytest.mark.parametrize("style", STYLES.values(), ids=list(STYLES))
def test_style_is_described(style: Style) -> None:
    assert len(re.findall(r"[.](?: |$)", style.idea)) == 2, "the idea is told in two sentences"
    assert len(style.parameters) <= N_PARAMETERS
    for parameter in style.parameters:
        assert parameter.low <= parameter.default <= parameter.high
        assert parameter.name.isidentifier()
        assert parameter.idea


def test_styles_are_the_ones_promised() -> None:
    assert tuple(STYLES) == STYLE_NAMES
    assert set(STANDARD_STYLES) < set(STYLE_NAMES)


def test_parameters_stand_in_the_planners_order() -> None:
    positions = {name.lower(): value for name, value in vars(params).items() if isinstance(value, int)}
    names = [parameter.name for parameter in load_style("planner").parameters]
    assert [positions[name] for name in names] == list(range(len(names)))
