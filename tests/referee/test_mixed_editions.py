"""Games on random editions that mix the features of all: engine and referee agree there too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mixed_editions import mixed_edition
from tests.played_runs import play_run
from ttr_sim.edition import load_edition
from ttr_sim.referee.audit import audit, batches_of

FEW, MANY = 12, 150
GAMES = 12


def audit_mixed(seed: int, folder: Path, bots: tuple[str, ...]) -> list[str]:
    """With the fewest and with the most players."""
    edition = load_edition(mixed_edition(seed, folder / "edition"))
    found = []
    for players in sorted(set(edition.players)):
        run = folder / f"{players}"
        play_run(run, edition.folder, players, bots, GAMES, seed)
        found += audit(run, batches_of(run, None), lambda games: None).violations
    return [violation.sentence() for violation in found]


@pytest.mark.parametrize("seed", range(FEW))
def test_random_bots(seed: int, tmp_path: Path) -> None:
    assert audit_mixed(seed, tmp_path, ("random",)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FEW, FEW + MANY))
def test_styles(seed: int, tmp_path: Path) -> None:
    assert audit_mixed(seed, tmp_path, ("random", "racer", "planner")) == []
