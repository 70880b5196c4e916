"""Bots on two editions: tuning for one must not pass for an effect of the other."""

from __future__ import annotations

import pytest

from ttr_sim.bots import tuned
from ttr_sim.bots.pinned import pinned
from ttr_sim.bots.registry import load_style

STYLE = "planner"


@pytest.fixture
def parameter(monkeypatch: pytest.MonkeyPatch) -> tuple[str, float, float]:
    """The style's first parameter: its name, its value tuned for usa, its default."""
    first = load_style(STYLE).parameters[0]
    value = first.low if first.low != first.default else first.high
    monkeypatch.setattr(tuned, "_tuned", lambda: {STYLE: {"usa": {first.name: value}}})
    return first.name, value, first.default


def test_the_first_edition_gives_the_parameters(parameter: tuple[str, float, float]) -> None:
    name, tuned_for_usa, default = parameter
    assert pinned(("random", STYLE), "usa", "my-map") == ("random", f"{STYLE}:{name}={tuned_for_usa:g}")
    assert pinned((STYLE,), "my-map", "usa") == (f"{STYLE}:{name}={default:g}",)


def test_what_is_given_or_alike_stays_as_it_is(parameter: tuple[str, float, float]) -> None:
    given = f"{STYLE}:{parameter[0]}={parameter[2]:g}"
    assert pinned((given,), "usa", "my-map") == (given,)
    assert pinned((STYLE, "my_bots.py:Greedy"), "europe", "my-map") == (STYLE, "my_bots.py:Greedy")
