"""The audit of everything: a million games in rounds, which go on where they were interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.tools import audit_all
from scripts.tools.audit_all import BIG, SEARCHED, Audited, Ledger, Round, main, rounds_of

CLEAN = Audited(10, 500, 4, 0, 1.0, None)


@pytest.fixture
def audited(monkeypatch: pytest.MonkeyPatch) -> list[Round]:
    """The rounds that were carried out, none of them in earnest."""
    seen: list[Round] = []

    def check(one: Round, folder: Path, jobs: list[str]) -> Audited:
        if len(seen) == 5:
            raise KeyboardInterrupt
        seen.append(one)
        return CLEAN

    monkeypatch.setattr(audit_all, "check", check)
    return seen


def test_a_million_games_of_eighteen_combinations() -> None:
    rounds = list(rounds_of(BIG, 1))
    combinations = {(one.edition, one.players) for one in rounds}
    assert len(combinations) == 18
    assert sum(one.games for one in rounds) - len(combinations) * SEARCHED >= 1_000_000
    assert len(set(rounds)) == len(rounds) == len({one.name for one in rounds})


def test_an_interrupted_audit_goes_on(audited: list[Round], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--games", "20", "--folder", str(tmp_path)]
    with pytest.raises(KeyboardInterrupt):
        main(words)
    before = list(audited)
    (ledger,) = tmp_path.glob("*.jsonl")
    ledger.write_text(ledger.read_text() + '{"round": {"edi')  # killed while it wrote
    audited.clear()
    with pytest.raises(KeyboardInterrupt):
        main(words)
    assert len(before) == 5 and not set(before) & set(audited)
    assert "5 of 36 rounds were done before" in capsys.readouterr().err
    assert set(Ledger(tmp_path).done) == {*before, *audited}


def test_findings_are_told_and_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = list(rounds_of(20, 1))
    ledger = Ledger(tmp_path)
    for one in rounds:
        ledger.add(one, CLEAN)
    assert main(["--games", "20", "--folder", str(tmp_path)]) == 0
    assert (
        capsys.readouterr().out == "360 games with 18,000 turns, 144 blocks played again, in 1 minutes: nothing found\n"
    )
    ledger.add(rounds[3], Audited(10, 500, 4, 2, 1.0, "there"))
    assert main(["--games", "20", "--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().out.endswith(": 2 findings\n")
