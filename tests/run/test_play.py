"""The same plan gives the same rows, whoever plays it in whatever order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.run.conftest import play
from ttr_sim.run.backends import Work
from ttr_sim.run.backends.local import Processes, Threads
from ttr_sim.run.digest import check_digests
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.record import Record


@pytest.fixture(scope="module")
def digests(played: Path) -> tuple[str | None, str | None]:
    return both(RunFolder(played).read())


def both(record: Record) -> tuple[str | None, str | None]:
    return record.digest, record.digest_turns


@dataclass
class Chosen:
    """Workers of one kind, whatever the work."""

    kind: type[Threads[Any, Any]]
    jobs: int

    @contextmanager
    def backend(self, work: Work[Any, Any]) -> Iterator[Threads[Any, Any]]:
        yield self.kind(work, self.jobs)


@pytest.mark.parametrize("workers", [Chosen(Threads, 2), Chosen(Processes, 1), Chosen(Processes, 2)])
def test_workers_do_not_show(tmp_path: Path, digests: object, workers: Chosen) -> None:
    record = play(tmp_path / "run", workers=workers)
    assert record.sessions[0].backend == workers.kind.name
    assert both(record) == digests


@pytest.mark.parametrize("part_size", [1, 20, 2_000])
def test_part_size_does_not_show(tmp_path: Path, digests: object, part_size: int) -> None:
    assert both(play(tmp_path / "run", part_size=part_size)) == digests


def test_another_seed_gives_other_rows(tmp_path: Path, digests: tuple[str, str]) -> None:
    other = both(play(tmp_path / "run", seed=2))
    assert not set(other) & set(digests)


def test_results_alone_have_the_digest_of_the_full_log(tmp_path: Path, digests: tuple[str, str]) -> None:
    record = play(tmp_path / "run", log="results")
    assert both(record) == (digests[0], None)
    assert not (tmp_path / "run" / "turns").exists()


@pytest.mark.parametrize("bots", [("random", "racer", "longroute", "path"), ("random", "racer"), ("random",)])
def test_drawn_lineups_do_not_depend_on_parts(tmp_path: Path, bots: tuple[str, ...]) -> None:
    runs = [play(tmp_path / str(size), bots=bots, games=70, part_size=size) for size in (7, 2_000)]
    assert both(runs[0]) == both(runs[1])


def test_the_rows_on_disk_are_those_that_were_digested(played: Path) -> None:
    assert check_digests(played, jobs=2) == ()
