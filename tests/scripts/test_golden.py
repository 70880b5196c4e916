"""The quick part of the guard; scripts/golden --check has all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.tools import golden
from ttr_sim.edition import official_names


@pytest.mark.parametrize(
    ("part", "edition"),
    [
        *((golden.keep_texts, name) for name in official_names()),
        *((part, "first_journey") for part in (golden.keep_games, golden.keep_audits, golden.keep_words)),
    ],
)
def test_golden(part, edition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a wanted change of the rules run scripts/golden, and read what changed. Words are those of all commands."""
    monkeypatch.chdir(tmp_path)
    guard = golden.Guard(True, (edition,), tmp_path)
    part(guard)
    assert not guard.differences


def test_changes_are_found(tmp_path: Path) -> None:
    guard = golden.Guard(True, ("usa",), tmp_path)
    known = (golden.GOLDEN / "usa.txt").read_text(encoding="utf-8")
    guard.keep("usa.txt", known.replace("turn 3,", "turn 4,", 1))
    table = golden.as_text(golden.pd.read_csv(golden.GOLDEN / "tables/usa/seats.csv"))
    table.loc[0, "win_share"] = "0.123"
    guard.keep_table("tables/usa/seats.csv", table)
    assert len(guard.differences) == 2
    assert "win_share differs in 1 rows" in guard.differences[1]


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert golden.run_guard(["--chek"]) == 2
    assert capsys.readouterr().err.startswith("Usage: scripts/golden")
