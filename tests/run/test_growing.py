"""Runs that grow: what is there stays, and the rows are those of one run of all games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.run.conftest import digests, parts_of, play, record_of, resume
from tests.run.forging import forge_record
from ttr_sim.cli.output import Progress
from ttr_sim.errors import UserError
from ttr_sim.run.play import resume as play_on
from ttr_sim.run.read import check_files, check_plan, open_run
from ttr_sim.run.workers import Pool, ThisMachine, Work

DRAWN = {"bots": ("random", "racer"), "games": 50}


@pytest.mark.parametrize("other", [{}, DRAWN])
def test_a_grown_run_has_the_digests_of_one_run(other: dict[str, object], tmp_path: Path) -> None:
    one, grown = tmp_path / "one", tmp_path / "grown"
    play(one, **{**other, "games": 140})
    play(grown, **{**other, "games": 50})
    short = parts_of(grown)
    for games in (70, 140):
        resume(grown, games=games)
    assert digests(grown) == digests(one)
    assert record_of(grown).size == record_of(one).size
    assert parts_of(grown)["games/part-00000.parquet"] == short["games/part-00000.parquet"]
    assert parts_of(grown).keys() == parts_of(one).keys()
    assert (check_plan(open_run(grown)), check_files(open_run(grown), 1)) == ([], ())


def test_growth_that_was_killed_goes_on(tmp_path: Path) -> None:
    play(tmp_path / "run")
    digest = resume(tmp_path / "run", games=200).digest
    for file in (tmp_path / "run").glob("*/part-00005.parquet"):
        file.unlink()
    forge_record(tmp_path / "run", digest=None, digest_turns=None)
    assert not open_run(tmp_path / "run").record.digest
    assert resume(tmp_path / "run").digest == digest


def test_growth_that_was_killed_after_the_short_part_goes_on(tmp_path: Path) -> None:
    """run.json is as it was when the first new part began; the parts are newer."""
    play(tmp_path / "run", games=50)
    file, found = tmp_path / "run" / "run.json", []

    class Noting(ThisMachine):
        def pool(self, work: Work[Any, Any]) -> Pool[Any, Any]:
            found.append(file.read_bytes())
            return super().pool(work)

    digest = play_on(tmp_path / "run", Noting(1), Progress(quiet=True), games=150).record.digest
    file.write_bytes(found[0])
    assert resume(tmp_path / "run").digest == digest


def test_growth_by_one_block_is_no_rounding(copy_of_played: Path) -> None:
    resume(copy_of_played, games=121)
    run = open_run(copy_of_played)
    assert (run.record.size.games, run.record.requested_games) == (123, 123)
    assert check_plan(run) == []


def test_the_first_command_finds_all_games(copy_of_played: Path) -> None:
    record = (copy_of_played / "run.json").read_bytes()
    for present in (120, 118):
        resume(copy_of_played, games=present)
        assert (copy_of_played / "run.json").read_bytes() == record
    resume(copy_of_played, games=150)
    before = parts_of(copy_of_played)
    assert play(copy_of_played).size.games == 150
    assert parts_of(copy_of_played) == before


def test_a_total_below_the_present_one_is_refused(copy_of_played: Path, tmp_path: Path) -> None:
    before = (copy_of_played / "run.json").read_bytes()
    for games in (0, 117, 10**9):
        with pytest.raises(UserError, match="--games is its new total: from 118"):
            resume(copy_of_played, games=games)
    assert (copy_of_played / "run.json").read_bytes() == before
    play(tmp_path / "one game", bots=("random",), games=1)
    for games in (0, -1):
        with pytest.raises(UserError, match="from 1 to"):
            resume(tmp_path / "one game", games=games)


def test_a_changed_engine_leaves_a_finished_run_as_it_is(copy_of_played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (copy_of_played / "run.json").read_bytes()
    monkeypatch.setattr("ttr_sim.run.play.SOURCE_HASH", "0" * 64)
    with pytest.raises(UserError, match="the engine or a bot changed"):
        resume(copy_of_played, games=240)
    assert (copy_of_played / "run.json").read_bytes() == before
