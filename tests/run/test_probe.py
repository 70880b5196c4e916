from __future__ import annotations

import pytest

from ttr_sim.edition import load_edition
from ttr_sim.run import probe
from ttr_sim.run.control import Controls
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.parts import Part
from ttr_sim.run.plan import Plan, Request, make_plans
from ttr_sim.run.play import PlayedPart


def test_what_only_the_first_part_takes_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    loading = [10.0]

    def play_part(plan: Plan, folder: RunFolder, part: Part, controls: Controls) -> PlayedPart:
        return PlayedPart(part.number, part.games, (loading.pop() if loading else 0.0) + part.games / 1_000, 0)

    monkeypatch.setattr(probe, "play_part", play_part)
    request = Request(load_edition("usa"), (2,), ("random", "racer"), 20_000, 1)
    (plan,) = make_plans(request, print)
    assert probe.estimate_cost(request, plan, 2).seconds == pytest.approx(10.0)
