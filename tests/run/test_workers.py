"""What --jobs, --cluster and --dry-run ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Command
from tests.run.conftest import USUAL
from ttr_sim.cli.output import Progress
from ttr_sim.edition import load_edition
from ttr_sim.errors import UserError
from ttr_sim.run import cluster, play
from ttr_sim.run.cluster import Cluster
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import Part
from ttr_sim.run.plan import Plan, Request, make_plans
from ttr_sim.run.play import PlayedPart

GAMES = ("run", USUAL["edition"], "--players", 3, "--bots", "random", "--games", 12, "-q")


@pytest.mark.parametrize("address", ["local:", "local:0", "local:two", "local:-1", "local:1000"])
def test_a_number_of_processes_is_a_number(address: str) -> None:
    with pytest.raises(UserError, match=rf"^{address} is not local: and a number from 1 to"):
        Cluster(address)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, command: Command) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    outcome = command(*GAMES, "--cluster", "local:2")
    assert (outcome.code, outcome.err) == (
        2,
        'Error: --cluster needs Dask; install it with: pip install "ttr-sim[cluster]"\n',
    )


def test_jobs_and_a_cluster_exclude_each_other(command: Command) -> None:
    outcome = command(*GAMES, "--cluster", "local:2", "--jobs", 2)
    assert outcome.code == 2
    assert "--jobs is about this machine" in outcome.err


def test_jobs_beat_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> None:
    monkeypatch.setenv("TTR_SIM_CLUSTER", "tcp://nowhere.invalid:1")
    assert command(*GAMES, "--out", tmp_path / "run", "--jobs", 1).code == 0
    assert RunFolder(tmp_path / "run").read().sessions[0].backend == "threads"


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_named(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("distributed", reason="needs the extra ttr-sim[cluster]")
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT", 0.5)
    monkeypatch.setenv("TTR_SIM_CLUSTER", "tcp://127.0.0.1:1")
    outcome = command(*GAMES, "--out", tmp_path / "run")
    assert outcome.code == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("games", "jobs", "seconds"),
    # Parts are whole: three, the last half as large, take two workers as long as one and a half take one.
    [(20_000, 1, 35.0), (20_000, 2, 22.5), (5_000, 1, 16.25), (5_000, 2, 13.75), (5_000, 8, 12.5)],
)
def test_cost_of_a_dry_run_is_scaled_from_probes(
    monkeypatch: pytest.MonkeyPatch, games: int, jobs: int, seconds: float
) -> None:
    """A part takes half a second and a millisecond a game, the first one ten seconds more."""
    loading = [10.0]

    def play_part(plan: Plan, folder: RunFolder, part: Part, control: object) -> PlayedPart:
        taken = (loading.pop() if loading else 0.0) + 0.5 + 0.001 * part.games
        return PlayedPart(part, taken, 10 * part.games, {})

    monkeypatch.setattr(play, "play_part", play_part)
    request = Request(load_edition("usa"), (2,), ("random", "racer"), games, 1)
    (plan,) = make_plans(request, Progress(quiet=True))
    cost = play.estimate_cost(request, plan, jobs, Progress(quiet=True))
    assert (cost.seconds, cost.bytes) == (pytest.approx(seconds), games * 10)
