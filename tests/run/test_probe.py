"""The estimate of `--dry-run`, from probes whose costs are made up."""

from __future__ import annotations

import pytest

from ttr_sim.cli.output import Progress
from ttr_sim.edition import load_edition
from ttr_sim.run import play
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import Part
from ttr_sim.run.plan import Plan, Request, make_plans
from ttr_sim.run.play import PlayedPart


@pytest.mark.parametrize(
    ("first", "of_a_part", "of_a_game", "games", "jobs", "seconds"),
    [
        # Loading happens once. A part's own time is not scaled by its games.
        (10.0, 0.0, 0.001, 20_000, 2, 20.0),
        (10.0, 0.5, 0.001, 20_000, 2, 22.5),
        # Probes that cost less when larger are scaled by the larger: noise.
        (0.0, 1.0, -0.0001, 20_000, 1, 8.0),
        # Parts are whole: three, the last half as large, take two workers as long as one and a half take one.
        (0.0, 0.0, 0.001, 5_000, 1, 5.0),
        (0.0, 0.0, 0.001, 5_000, 2, 3.0),
        (0.0, 0.0, 0.001, 5_000, 3, 2.0),
        (0.0, 0.0, 0.001, 5_000, 8, 2.0),
    ],
)
def test_cost_is_scaled_from_probes(
    monkeypatch: pytest.MonkeyPatch,
    first: float,
    of_a_part: float,
    of_a_game: float,
    games: int,
    jobs: int,
    seconds: float,
) -> None:
    loading = [first]

    def play_part(plan: Plan, folder: RunFolder, part: Part, control: object) -> PlayedPart:
        taken = (loading.pop() if loading else 0.0) + of_a_part + of_a_game * part.games
        return PlayedPart(part, taken, 1_000 + 10 * part.games, {})

    monkeypatch.setattr(play, "play_part", play_part)
    request = Request(load_edition("usa"), (2,), ("random", "racer"), games, 1)
    (plan,) = make_plans(request, Progress(quiet=True))
    cost = play.estimate_cost(request, plan, jobs, Progress(quiet=True))
    assert cost.seconds == pytest.approx(seconds)
    assert cost.bytes == pytest.approx(-(-games // 2_000) * 1_000 + games * 10)
