from __future__ import annotations

import pytest

from ttr_sim.edition import load_edition
from ttr_sim.run import probe
from ttr_sim.run.control import Controls, Silence
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import Part
from ttr_sim.run.plan import Plan, Request, make_plans
from ttr_sim.run.play import PlayedPart


@pytest.mark.parametrize(("of_a_part", "seconds"), [(0.0, 10.0), (0.5, 12.5)])
def test_what_each_part_and_what_only_the_first_takes_is_not_scaled(
    monkeypatch: pytest.MonkeyPatch, of_a_part: float, seconds: float
) -> None:
    loading = [10.0]

    def play_part(plan: Plan, folder: RunFolder, part: Part, controls: Controls) -> PlayedPart:
        taken = (loading.pop() if loading else 0.0) + of_a_part + part.games / 1_000
        return PlayedPart(part.number, part.games, taken, 1_000 + 10 * part.games)

    monkeypatch.setattr(probe, "play_part", play_part)
    request = Request(load_edition("usa"), (2,), ("random", "racer"), 20_000, 1)
    (plan,) = make_plans(request, Silence())
    cost = probe.estimate_cost(request, plan, 2, Silence())
    assert cost.seconds == pytest.approx(seconds)
    assert cost.bytes == 10 * 1_000 + 20_000 * 10


def test_probes_that_cost_less_when_larger_are_scaled_by_the_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    def play_part(plan: Plan, folder: RunFolder, part: Part, controls: Controls) -> PlayedPart:
        return PlayedPart(part.number, part.games, 1.0 - part.games / 10_000, 10 * part.games)

    monkeypatch.setattr(probe, "play_part", play_part)
    request = Request(load_edition("usa"), (2,), ("random", "racer"), 20_000, 1)
    (plan,) = make_plans(request, Silence())
    assert probe.estimate_cost(request, plan, 1, Silence()).seconds == pytest.approx(8.0)
