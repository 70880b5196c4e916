"""Runs that were interrupted or grow, and folders that were damaged or changed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.run.conftest import Noted, digests, parts_of, play, record_of, resume
from tests.run.forging import forge_record
from ttr_sim.cli.output import Progress
from ttr_sim.edition import find_folder
from ttr_sim.errors import UserError
from ttr_sim.log import SCHEMA
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.play import resume as play_on
from ttr_sim.run.read import check_files, check_plan, open_run
from ttr_sim.run.workers import Pool, ThisMachine, Work


def refusal(path: Path) -> str:
    with pytest.raises(UserError) as refused:
        resume(path)
    return str(refused.value)


def test_a_finished_run_is_left_as_it_is(copy_of_played: Path) -> None:
    before = parts_of(copy_of_played), (copy_of_played / "run.json").read_bytes()
    resume(copy_of_played)
    play(copy_of_played)
    assert (parts_of(copy_of_played), (copy_of_played / "run.json").read_bytes()) == before


@pytest.mark.parametrize("gone", [(1, 3), (0, 1, 2, 3)])
def test_missing_parts_are_played_again(copy_of_played: Path, gone: tuple[int, ...]) -> None:
    before = parts_of(copy_of_played)
    # As a run that was killed before its end leaves it.
    forge_record(copy_of_played, digest=None, digest_turns=None)
    for number in gone:
        for file in copy_of_played.glob(f"*/part-{number:05d}.parquet"):
            file.unlink()
    assert resume(copy_of_played).digest is not None
    assert parts_of(copy_of_played) == before


@pytest.mark.parametrize("table", ["turns", "tickets"])
def test_a_part_that_lost_a_file_is_played_again_with_a_message(copy_of_played: Path, table: str) -> None:
    before = parts_of(copy_of_played)
    (copy_of_played / table / "part-00001.parquet").unlink()
    watch = Noted()
    resume(copy_of_played, watch)
    assert parts_of(copy_of_played) == before
    assert any("part 1 is played again" in note for note in watch.notes)


@pytest.mark.parametrize(
    "spoil", [lambda data: data[:-100], lambda data: data[:999] + b"?" + data[1000:], lambda _: b""]
)
@pytest.mark.parametrize("table", ["games", "turns"])
def test_a_damaged_part_is_refused_by_name(copy_of_played: Path, table: str, spoil: Callable[[bytes], bytes]) -> None:
    file = copy_of_played / table / "part-00002.parquet"
    file.write_bytes(spoil(file.read_bytes()))
    before = parts_of(copy_of_played)
    message = refusal(copy_of_played)
    assert str(file) in message and "damaged" in message and "delete it" in message
    assert parts_of(copy_of_played) == before
    file.unlink()
    assert resume(copy_of_played).digest is not None


@pytest.mark.parametrize("name", ["part-00099.parquet", "copy of part-00001.parquet"])
def test_a_file_too_many_is_refused(copy_of_played: Path, name: str) -> None:
    shutil.copy(copy_of_played / "games" / "part-00001.parquet", copy_of_played / "games" / name)
    assert "not part of this run's plan" in refusal(copy_of_played)


def test_a_part_of_another_run_or_place_is_refused(copy_of_played: Path, tmp_path: Path) -> None:
    play(tmp_path / "other", seed=2)
    part = Path("turns", "part-00001.parquet")
    shutil.copy(tmp_path / "other" / part, copy_of_played / part)
    assert "belongs to another plan" in refusal(copy_of_played)
    shutil.copy(copy_of_played / "turns" / "part-00002.parquet", copy_of_played / part)
    assert "part 2 of turns" in refusal(copy_of_played)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"null", f'{{"schema": {SCHEMA}}}'.encode(), b"7", b"\x00", b"\xff"]
)
def test_a_damaged_record_is_refused_and_the_first_command_repairs_it(copy_of_played: Path, text: bytes) -> None:
    before, digest = parts_of(copy_of_played), record_of(copy_of_played).digest
    (copy_of_played / "run.json").write_bytes(text)
    assert "run.json is damaged" in refusal(copy_of_played)
    assert play(copy_of_played).digest == digest
    assert parts_of(copy_of_played) == before


def test_an_edited_record_is_refused(copy_of_played: Path) -> None:
    digest = record_of(copy_of_played).digest
    forge_record(copy_of_played, digest="0" * 64)
    assert "digest" in refusal(copy_of_played)
    plan = json.loads((copy_of_played / "run.json").read_text())["plan"]
    forge_record(copy_of_played, digest=digest, plan=plan | {"seed": 5})
    assert "damaged" in refusal(copy_of_played)


def test_a_newer_schema_is_refused(copy_of_played: Path) -> None:
    forge_record(copy_of_played, schema=SCHEMA + 1)
    assert f"has schema {SCHEMA + 1}" in refusal(copy_of_played)
    with pytest.raises(UserError, match=f"has schema {SCHEMA + 1}"):
        play(copy_of_played)
    assert json.loads((copy_of_played / "run.json").read_text())["schema"] == SCHEMA + 1


def test_another_plan_in_the_same_folder_is_refused(copy_of_played: Path) -> None:
    before = parts_of(copy_of_played)
    with pytest.raises(UserError, match="holds another run \\(seed 1, not 7\\)"):
        play(copy_of_played, seed=7)
    assert parts_of(copy_of_played) == before


def test_only_the_edition_that_was_played_is_accepted(copy_of_played: Path) -> None:
    rules = copy_of_played / "edition" / "edition.toml"
    rules.write_text(rules.read_text() + "\n# a comment changes nothing\n")
    resume(copy_of_played)
    rules.write_text(rules.read_text().replace("trains = 45", "trains = 44"))
    assert "is not the edition of this run's plan" in refusal(copy_of_played)
    (copy_of_played / "edition" / "routes.csv").unlink()
    assert "routes.csv" in refusal(copy_of_played)


def test_other_kernels_do_not_add_parts(copy_of_played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (copy_of_played / "run.json").read_bytes()
    monkeypatch.setattr("ttr_sim.run.play.SOURCE_HASH", "other")
    resume(copy_of_played)  # finished: nothing to add
    with pytest.raises(UserError, match="the engine or a bot changed"):
        resume(copy_of_played, games=240)
    assert (copy_of_played / "run.json").read_bytes() == before
    (copy_of_played / "games" / "part-00000.parquet").unlink()
    assert "the engine or a bot changed" in refusal(copy_of_played)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    assert "there is no run in" in refusal(tmp_path)
    (tmp_path / "thesis.txt").write_text("important")
    with pytest.raises(UserError, match="not empty and not a run"):
        play(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]
    with pytest.raises(UserError, match="is a file"):
        play(tmp_path / "thesis.txt")


def test_leftovers_of_a_killed_run_are_swept_away(copy_of_played: Path) -> None:
    leftover = copy_of_played / "turns" / ".part-00007.parquet.123.tmp"
    leftover.write_bytes(b"half")
    resume(copy_of_played)
    assert not leftover.exists()


def test_one_run_at_a_time_in_a_folder(copy_of_played: Path) -> None:
    with RunFolder(copy_of_played).locked():
        assert "another ttr-sim is playing" in refusal(copy_of_played)
        words: list[Any] = [sys.executable, "-m", "ttr_sim", "run", "--resume", copy_of_played]
        second = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "another ttr-sim is playing" in second.stderr
    resume(copy_of_played)


def test_an_edition_of_the_users_is_not_overwritten(tmp_path: Path) -> None:
    mine = tmp_path / "run" / "edition"
    shutil.copytree(find_folder("europe"), mine)
    with pytest.raises(UserError, match="is not the edition of this run's plan"):
        play(tmp_path / "run")
    assert (mine / "cities.csv").read_bytes() == (find_folder("europe") / "cities.csv").read_bytes()


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
