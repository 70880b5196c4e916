"""Whatever happens to a run's folder, commands answer in words, and no damaged run passes the audit."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.conftest import Outcome
from tests.played_runs import play_run
from tests.run.corrupting import DAMAGES, Damage

Command = Callable[..., Outcome]
CASES_OF_EACH = 35  # and one of each in the other test: 540


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("corruption") / "run"
    play_run(run, "amsterdam", 2, ("random", "path"), 8, part_size=4)
    return run


def refused_in_words(outcome: Outcome) -> bool:
    """One sentence on stderr, or findings; anything but success."""
    return outcome.code == 1 or (outcome.code == 2 and outcome.err.count("Error: ") == 1)


def has_rows_of(run: Path, other: Path) -> bool:
    """Return whether the damage hit bytes that mean nothing, such as the name of the program that wrote a file."""
    files = sorted(file.relative_to(run) for file in run.glob("*/*.parquet"))
    return all(pq.read_table(run / file).equals(pq.read_table(other / file)) for file in files)


def survive(command: Command, played: Path, place: Path, damage: Damage, seed: int) -> None:
    chance = random.Random(seed)
    run = Path(shutil.copytree(played, place / "run"))
    damage(run, chance)
    audited = command("audit", run, "-q", "--jobs", 1)  # starting workers 540 times takes minutes
    assert refused_in_words(audited) or (audited.code == 0 and has_rows_of(run, played)), (damage, seed, audited)
    other = chance.choice(
        (("replay", run, 0), ("report", run, "--out", place / "report"), ("run", "--resume", run, "-q"))
    )
    assert command(*other).code in {0, 1, 2}
    shutil.rmtree(place)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_run_is_refused_in_words(command: Command, played: Path, tmp_path: Path, damage: Damage) -> None:
    survive(command, played, tmp_path / "case", damage, 0)


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_many_damaged_runs_are_refused_in_words(command: Command, played: Path, tmp_path: Path, damage: Damage) -> None:
    for seed in range(1, CASES_OF_EACH + 1):
        survive(command, played, tmp_path / str(seed), damage, seed)
