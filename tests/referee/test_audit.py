"""Which games are audited, and by how many workers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ttr_sim.referee.audit import audit, pieces_of, sampled


@pytest.mark.parametrize(
    ("count", "expected"),
    [(None, [0, 1, 2, 3, 4, 5]), (9, [0, 1, 2, 3, 4, 5]), (3, [0, 2, 4]), (4, [0, 1, 3, 4]), (1, [0])],
)
def test_samples_are_evenly_spaced(count: int | None, expected: list[int]) -> None:
    assert sampled(range(6), count) == expected


def test_several_workers_find_what_one_finds(run_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of("amsterdam")
    alone = audit(run, pieces_of(run, None), 1, lambda games: None)
    monkeypatch.setattr("ttr_sim.referee.audit.GAMES_A_PIECE", 10)
    counts: list[int] = []
    assert audit(run, pieces_of(run, None), 2, counts.append) == alone
    assert counts[:2] == [10, 20]
    assert counts[-1] == alone.games
