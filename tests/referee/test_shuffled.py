"""The log names rows of the files, in whatever order the engine holds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.played_runs import play_run
from tests.shuffled import shuffled_copy
from ttr_sim.edition import official_names
from ttr_sim.referee.audit import audit, batches_of


@pytest.mark.parametrize("name", official_names())
def test_shuffled_lines_and_turned_ends_break_no_rule(name: str, tmp_path: Path) -> None:
    edition = shuffled_copy(name, tmp_path / "edition", turned=True)
    run = tmp_path / "run"
    play_run(run, edition.folder, edition.players[1], ("random", "planner", "path"), 24)
    assert audit(run, batches_of(run, None), lambda games: None).violations == []
