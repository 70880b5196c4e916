"""Runs that grow: what is there stays, and the rows are those of one run of all games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.run.conftest import play
from ttr_sim.errors import UserError
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.play import play_parts, resume
from ttr_sim.run.read import open_run
from ttr_sim.run.verify import check_files, check_plan
from ttr_sim.run.workers import SilentListener, ThisMachine

DRAWN = {"bots": ("random", "racer"), "games": 50}


def grow(path: Path, games: int) -> None:
    resume(path, ThisMachine(1), SilentListener(), games=games)


def bytes_of(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.glob("*/*.parquet")}


@pytest.mark.parametrize("other", [{}, DRAWN])
def test_a_grown_run_has_the_digests_of_one_run(other: dict[str, object], tmp_path: Path) -> None:
    play(tmp_path / "one", **{**other, "games": 140})
    play(tmp_path / "grown", **{**other, "games": 50})
    short = bytes_of(tmp_path / "grown")
    grow(tmp_path / "grown", 70)
    grow(tmp_path / "grown", 140)
    one, many = (RunFolder(tmp_path / name).read() for name in ("one", "grown"))
    assert (many.digest, many.digest_turns) == (one.digest, one.digest_turns)
    assert (many.size.games, many.size.blocks) == (one.size.games, one.size.blocks)
    assert bytes_of(tmp_path / "grown")["games/part-00000.parquet"] == short["games/part-00000.parquet"]
    assert bytes_of(tmp_path / "grown").keys() == bytes_of(tmp_path / "one").keys()


def test_a_grown_run_is_verified_by_its_plan(tmp_path: Path) -> None:
    play(tmp_path / "grown", **DRAWN)
    grow(tmp_path / "grown", 90)
    run = open_run(tmp_path / "grown")
    assert check_plan(run) == []
    assert check_files(run, 1) == ()


def test_growth_that_was_killed_goes_on(tmp_path: Path) -> None:
    play(tmp_path / "run")
    grow(tmp_path / "run", 200)
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    for file in (tmp_path / "run").glob("*/part-00005.parquet"):
        file.unlink()
    (tmp_path / "run" / "run.json").write_text(json.dumps(record | {"digest": None, "digest_turns": None}))
    assert not open_run(tmp_path / "run").record.digest
    assert resume(tmp_path / "run", ThisMachine(1), SilentListener()).record.digest == record["digest"]


def test_growth_that_was_killed_after_the_short_part_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """run.json is as it was when the first new part began; the parts are newer."""
    play(tmp_path / "run", games=50)
    file, found = tmp_path / "run" / "run.json", []

    def noted(*how: Any) -> None:
        found.append(file.read_bytes())
        play_parts(*how)

    monkeypatch.setattr("ttr_sim.run.play.play_parts", noted)
    grow(tmp_path / "run", 150)
    digest = RunFolder(tmp_path / "run").read().digest
    file.write_bytes(found[0])
    assert resume(tmp_path / "run", ThisMachine(1), SilentListener()).record.digest == digest


def test_growth_by_one_block_is_no_rounding(copy_of_played: Path) -> None:
    grow(copy_of_played, 121)
    run = open_run(copy_of_played)
    assert (run.record.size.games, run.record.requested_games) == (123, 123)
    assert check_plan(run) == []


def test_a_tiny_run_has_at_least_one_game(tmp_path: Path) -> None:
    play(tmp_path / "run", bots=("random",), games=1)
    for games in (0, -1):
        with pytest.raises(UserError, match="from 1 to"):
            grow(tmp_path / "run", games)


def test_the_first_command_finds_all_games(copy_of_played: Path) -> None:
    record = (copy_of_played / "run.json").read_bytes()
    for present in (120, 118):
        grow(copy_of_played, present)
        assert (copy_of_played / "run.json").read_bytes() == record
    grow(copy_of_played, 150)
    before = bytes_of(copy_of_played)
    assert play(copy_of_played).size.games == 150
    assert bytes_of(copy_of_played) == before


@pytest.mark.parametrize("games", [0, 117, 10**9])
def test_a_total_below_the_present_one_is_refused(copy_of_played: Path, games: int) -> None:
    before = (copy_of_played / "run.json").read_bytes()
    with pytest.raises(UserError, match="--games is its new total: from 118"):
        grow(copy_of_played, games)
    assert (copy_of_played / "run.json").read_bytes() == before


def test_a_changed_engine_leaves_a_finished_run_as_it_is(copy_of_played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (copy_of_played / "run.json").read_bytes()
    monkeypatch.setattr("ttr_sim.run.play.SOURCE_HASH", "0" * 64)
    with pytest.raises(UserError, match="the engine or a bot changed"):
        grow(copy_of_played, 240)
    assert (copy_of_played / "run.json").read_bytes() == before
