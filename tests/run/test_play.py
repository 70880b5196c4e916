"""The same plan gives the same rows, whatever kind of workers play it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.run.conftest import play
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.read import open_run
from ttr_sim.run.record import Record
from ttr_sim.run.verify import check_files
from ttr_sim.run.workers import Backend, ThisMachine, Work


def both(record: Record) -> tuple[str | None, str | None]:
    return record.digest, record.digest_turns


@dataclass(frozen=True)
class InProcesses(ThisMachine):
    """Plays by processes what threads could play."""

    @contextmanager
    def backend(self, work: Work[Any, Any]) -> Iterator[Backend[Any, Any]]:
        with ThisMachine(self.jobs).backend(replace(work, in_threads=False)) as backend:
            yield backend


@pytest.mark.parametrize("workers", [ThisMachine(2), InProcesses(1), InProcesses(2)])
def test_workers_do_not_show(played: Path, tmp_path: Path, workers: ThisMachine) -> None:
    record = play(tmp_path / "run", workers=workers)
    assert record.sessions[0].backend == ("processes" if isinstance(workers, InProcesses) else "threads")
    assert both(record) == both(RunFolder(played).read())


def test_another_seed_gives_other_rows(played: Path, tmp_path: Path) -> None:
    assert not {*both(play(tmp_path / "run", seed=2))} & {*both(RunFolder(played).read())}


def test_results_alone_have_the_digest_of_the_full_log(played: Path, tmp_path: Path) -> None:
    record = play(tmp_path / "run", log="results")
    assert both(record) == (RunFolder(played).read().digest, None)
    assert not (tmp_path / "run" / "turns").exists()


def test_the_rows_on_disk_are_those_that_were_digested(played: Path) -> None:
    assert check_files(open_run(played), 2) == ()
