from __future__ import annotations

import pytest

from ttr_sim.edition import load_edition
from ttr_sim.run import probe
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import Part
from ttr_sim.run.plan import Plan, Request, make_plans
from ttr_sim.run.play import PlayedPart
from ttr_sim.run.workers import SilentListener


@pytest.mark.parametrize(("of_a_part", "seconds"), [(0.0, 20.0), (0.5, 22.5)])
def test_what_each_part_and_what_only_the_first_takes_is_not_scaled(
    monkeypatch: pytest.MonkeyPatch, of_a_part: float, seconds: float
) -> None:
    loading = [10.0]

    def play_part(plan: Plan, folder: RunFolder, part: Part, control: object) -> PlayedPart:
        taken = (loading.pop() if loading else 0.0) + of_a_part + part.games / 1_000
        return PlayedPart(part, taken, 1_000 + 10 * part.games, {})

    monkeypatch.setattr(probe, "play_part", play_part)
    request = Request(load_edition("usa"), (2,), ("random", "racer"), 20_000, 1)
    (plan,) = make_plans(request, SilentListener())
    cost = probe.estimate_cost(request, plan, 2, SilentListener())
    assert cost.seconds == pytest.approx(seconds)
    assert cost.bytes == 10 * 1_000 + 20_000 * 10


def test_probes_that_cost_less_when_larger_are_scaled_by_the_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    def play_part(plan: Plan, folder: RunFolder, part: Part, control: object) -> PlayedPart:
        return PlayedPart(part, 1.0 - part.games / 10_000, 10 * part.games, {})

    monkeypatch.setattr(probe, "play_part", play_part)
    request = Request(load_edition("usa"), (2,), ("random", "racer"), 20_000, 1)
    (plan,) = make_plans(request, SilentListener())
    assert probe.estimate_cost(request, plan, 1, SilentListener()).seconds == pytest.approx(8.0)


@pytest.mark.parametrize(("jobs", "games"), [(1, 5_000), (2, 3_000), (3, 2_000), (8, 2_000)])
def test_parts_are_whole(monkeypatch: pytest.MonkeyPatch, jobs: int, games: int) -> None:
    """Three parts, of which the last is half as large, take two workers as long as one and a half take one."""

    def play_part(plan: Plan, folder: RunFolder, part: Part, control: object) -> PlayedPart:
        return PlayedPart(part, part.games / 1_000, 10 * part.games, {})

    monkeypatch.setattr(probe, "play_part", play_part)
    request = Request(load_edition("usa"), (2,), ("random", "racer"), 5_000, 1)
    (plan,) = make_plans(request, SilentListener())
    assert probe.estimate_cost(request, plan, jobs, SilentListener()).seconds == pytest.approx(games / 1_000)
