"""The yardstick in C: it plays the USA board that the engine plays."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from scripts.tools.bench.yardstick import PATH, Yardstick, built


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
@pytest.mark.parametrize("players", [2, 4])
def test_yardstick_plays_whole_games_of_usa(players: int, tmp_path: Path) -> None:
    library = built(tmp_path)
    assert library is not None
    yardstick = Yardstick(library, players, PATH, games=50)
    yardstick()
    turns, scores = yardstick.results[:, 0], yardstick.results[:, 2 : 2 + players]
    assert 30 * players < np.median(turns) < 60 * players
    assert 60 < scores.mean() < 130


def test_without_a_compiler_it_is_left_out_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert built(tmp_path) is None
    assert "left out" in capsys.readouterr().err
