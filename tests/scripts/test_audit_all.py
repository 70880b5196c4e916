"""The audit of everything: a million games in rounds, continued after an interruption."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scripts.tools.audit_all import BIG, SEARCHED, Round, main, rounds_of


def test_a_million_games_of_eighteen_combinations() -> None:
    rounds = list(rounds_of(BIG, 1))
    combinations = {(one.edition, one.players) for one in rounds}
    assert len(combinations) == 18
    assert sum(one.games for one in rounds) - len(combinations) * SEARCHED >= 1_000_000
    assert len(set(rounds)) == len(rounds) == len({one.name for one in rounds})


def test_an_interrupted_audit_continues_and_findings_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[Round] = []

    def audit(one: Round, folder: Path, jobs: list[str]) -> dict[str, Any]:
        if len(seen) == 5:
            raise KeyboardInterrupt
        seen.append(one)
        return {"games": 10, "turns": 500, "findings": int(one.name == "usa-5p-1")}

    monkeypatch.setattr(Round, "audit", audit)
    words = ["--games", "20", "--folder", str(tmp_path)]
    for _ in range(7):
        with pytest.raises(KeyboardInterrupt):
            main(words)
        seen.clear()
    assert main(words) == 1
    assert len(list(tmp_path.glob("*.json"))) == 36 and len(seen) == 1
    out = capsys.readouterr().out
    assert "usa-5p-1: 1 findings" in out and out.endswith("360 games with 18,000 turns: 1 findings\n")
