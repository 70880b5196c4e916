"""Styles and spec strings: what is understood, how it is written back, and what is said about the rest."""

from __future__ import annotations

import re

import pytest

from ttr_sim.bots import STANDARD_STYLES, STYLE_NAMES, Style, list_styles, split_specs
from ttr_sim.bots.api import parse_spec
from ttr_sim.engine.records import N_PARAMETERS
from ttr_sim.errors import UserError

STYLES = {style.name: style for style in list_styles()}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("random,path", ["random", "path"]),
        ("planner:greed=0.3,block=1,racer", ["planner:greed=0.3,block=1", "racer"]),
        ("planner, my_bots.py:Greedy ,path", ["planner", "my_bots.py:Greedy", "path"]),
        ("racer:slack=1, rush=2", ["racer:slack=1,rush=2"]),
        ("planner", ["planner"]),
        ("a,,b", ["a", "", "b"]),
    ],
)
def test_list_of_bots_is_split_between_specs_only(text: str, found: list[str]) -> None:
    assert split_specs(text) == found


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("planner", "planner"),
        ("planner:block=1,greed=0.30", "planner:greed=0.3,block=1"),
        (" planner : greed = 1e0 ", "planner:greed=1"),
        ("my_bots.py:Greedy", "my_bots.py:Greedy"),
        ("../here/my_bots.py:Greedy", "../here/my_bots.py:Greedy"),
    ],
)
def test_spec_has_one_canonical_form(text: str, canonical: str) -> None:
    assert str(parse_spec(text)) == canonical
    assert str(parse_spec(canonical)) == canonical


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("planer", 'no bot "planer" (did you mean "planner"?)'),
        ("xyzzy", 'no bot "xyzzy"; to list them: ttr-sim bots'),
        ("", 'no bot ""'),
        ("planner:gred=1", 'no parameter "gred" (did you mean "greed"?)'),
        ("random:speed=1", 'no parameter "speed"; it has none'),
        ("planner:greed=much", "greed must be a number"),
        ("planner:greed=nan", "greed must be from 0 to 2"),
        ("planner:greed=7", "greed must be from 0 to 2, not 7"),
        ("planner:greed", "the form name=value"),
        ("planner:", "the form name=value"),
        ("planner:greed=1,greed=2", "greed is given twice"),
        ("my_bots.py", "write it as my_bots.py:Greedy"),
        ("my_bots.py:", "write it as my_bots.py:Greedy"),
        ("my_bots.py:Two Words", "write it as my_bots.py:Greedy"),
    ],
)
def test_mistakes_are_answered_with_what_is_near(text: str, says: str) -> None:
    with pytest.raises(UserError) as error:
        parse_spec(text)
    assert says in str(error.value)


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
