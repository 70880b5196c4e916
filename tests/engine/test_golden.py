"""Golden games: what was played yesterday is played today."""

from __future__ import annotations

import pytest

from tests.engine import golden
from ttr_sim.edition import official_names


@pytest.mark.parametrize("name", official_names())
def test_golden_game(name: str) -> None:
    """After a wanted change of the rules run scripts/golden, and read what changed."""
    assert golden.game_text(name).splitlines() == golden.file_of(name).read_text(encoding="utf-8").splitlines()


def test_check_finds_a_changed_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(golden, "game_text", lambda name: "another game\n")
    assert golden.main(["--check"]) == 1
    assert "run scripts/golden" in capsys.readouterr().err


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert golden.main(["--chek"]) == 2
    assert capsys.readouterr().err == "Usage: scripts/golden [--check]\n"
