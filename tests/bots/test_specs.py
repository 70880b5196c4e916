"""Spec strings: what is understood, how it is written back, and what is said about the rest."""

from __future__ import annotations

import pytest

from ttr_sim.bots import split_specs
from ttr_sim.bots.api import parse_spec
from ttr_sim.errors import UserError


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
