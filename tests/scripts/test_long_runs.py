"""Scripts that run for hours: the audit of everything, and balances that are proven again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scripts.tools.audit_all import BIG, SEARCHED, Round, main, rounds_of
from scripts.tools.prove_balance import STEP, spoiled
from ttr_sim.edition import load_edition


def test_a_million_games_of_all_combinations_are_audited() -> None:
    rounds = list(rounds_of(BIG, 1))
    combinations = {(one.edition, one.players) for one in rounds}
    assert len(combinations) == 27
    assert sum(one.games for one in rounds) - len(combinations) * SEARCHED >= 1_000_000
    assert len(set(rounds)) == len(rounds) == len({one.name for one in rounds})


def test_an_interrupted_audit_continues_and_findings_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[Round] = []

    def audit(one: Round, folder: Path, jobs: list[str]) -> dict[str, Any]:
        if len(seen) == 40:
            raise KeyboardInterrupt
        seen.append(one)
        return {"games": 10, "turns": 500, "findings": int(one.name == "usa-5p-1")}

    monkeypatch.setattr(Round, "audit", audit)
    words = ["--games", "20", "--folder", str(tmp_path)]
    with pytest.raises(KeyboardInterrupt):
        main(words)
    seen.clear()
    assert main(words) == 1
    assert len(list(tmp_path.glob("*.json"))) == 54 and len(seen) == 14
    out = capsys.readouterr().out
    assert "usa-5p-1: 1 findings" in out and out.endswith("540 games with 27,000 turns: 1 findings\n")


def test_tickets_are_spoiled_by_the_seed_and_stay_worth_something(tmp_path: Path) -> None:
    usa, race = load_edition("usa"), load_edition("first_journey")
    boards = [spoiled(usa, seed, 3, tmp_path / str(seed)) for seed in range(1, 6)]
    for board in boards:
        points = [(old.points, new.points) for old, new in zip(usa.tickets, board.tickets, strict=True)]
        moved = [(old, new) for old, new in points if old != new]
        assert len(moved) == 3
        assert all(abs(old - new) == STEP and new >= 1 for old, new in moved)
    assert len({board.fingerprint for board in boards}) == len(boards)
    assert spoiled(usa, 1, 3, tmp_path / "again").fingerprint == boards[0].fingerprint
    assert spoiled(race, 1, 3, tmp_path / "race") is race, "a race has no points to spoil"
