"""`ttr-sim bots`: the list for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.conftest import Outcome
from ttr_sim.bots import STYLE_NAMES


def test_every_bot_is_listed_with_its_idea(command: Callable[..., Outcome]) -> None:
    outcome = command("bots")
    assert outcome.code == 0
    assert all(f"\n{name}\n" in f"\n{outcome.out}" for name in STYLE_NAMES)


def test_json_names_parameters_with_their_limits(command: Callable[..., Outcome]) -> None:
    bots = json.loads(command("bots", "--json").out)
    assert [bot["bot"] for bot in bots] == list(STYLE_NAMES)
    for bot in bots:
        assert set(bot) == {"bot", "idea", "searches", "parameters"}
        for parameter in bot["parameters"]:
            assert set(parameter) == {"name", "default", "low", "high", "idea"}
