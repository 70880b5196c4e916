"""What --jobs and --cluster ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Command
from tests.run.conftest import USUAL
from ttr_sim.errors import UserError
from ttr_sim.run import cluster
from ttr_sim.run.cluster import Cluster
from ttr_sim.run.folder import RunFolder

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
