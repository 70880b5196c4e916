"""What planning bots wanted, heard by playing a game again, is what the log says of each claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.played_runs import play_run
from ttr_sim.edition import official_names
from ttr_sim.referee.audit import one_game
from ttr_sim.run import wants as wants_module
from ttr_sim.run.wants import wants_of_game, why_no_wants

BOT = "from ttr_sim.bots.toolbox import *\n\ndef idle(board, view, seat):\n    return DEFAULT\n"


@pytest.mark.parametrize("edition", official_names())
def test_wants_are_those_that_the_log_names_at_each_claim(edition: str, tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", edition, 3, ("planner", "racer", "random"), 6, seed=5)
    assert why_no_wants(run) is None
    _, log = one_game(run.path, 4)
    wants = wants_of_game(run, log)
    assert wants is not None
    assert len(wants) == len(log.turns) + 1
    claims = [turn for turn in log.turns if turn.action == "claim"]
    for turn in claims:
        before, after = wants[turn.turn], wants[turn.turn + 1]
        heard = [turn.route in (after if seat == turn.seat else before)[seat] for seat in range(3)]
        assert heard == [bool(turn.wanted_by >> seat & 1) for seat in range(3)]
    assert any(turn.wanted_by for turn in claims)


def test_another_game_than_the_logged_one_tells_nothing(tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", "usa", 2, ("planner", "racer"), 4)
    _, log = one_game(run.path, 0)
    _, other = one_game(run.path, 2)
    log.turns[:] = other.turns
    assert wants_of_game(run, log) is None


def test_bots_of_users_are_not_run(tmp_path: Path) -> None:
    (tmp_path / "my_bots.py").write_text(BOT, "utf-8")
    run = play_run(tmp_path / "run", "usa", 2, ("planner", f"{tmp_path / 'my_bots.py'}:idle"), 2)
    assert "bots from files" in str(why_no_wants(run))


def test_another_version_of_the_engine_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = play_run(tmp_path / "run", "usa", 2, ("planner",), 2)
    monkeypatch.setattr(wants_module, "SOURCE_HASH", "another")
    assert "another version" in str(why_no_wants(run))
