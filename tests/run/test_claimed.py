"""Runs that were interrupted, and folders that were damaged or changed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.run.conftest import Noted, play
from ttr_sim.edition import find_folder, load_edition
from ttr_sim.errors import UserError
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.plan import Request
from ttr_sim.run.play import opened_folder
from ttr_sim.run.play import resume as finish
from ttr_sim.run.record import Record
from ttr_sim.run.workers import SilentListener, ThisMachine


def resume(path: Path, watch: SilentListener | None = None) -> Record:
    return finish(path, ThisMachine(1), watch or SilentListener()).record


def refusal(path: Path) -> str:
    with pytest.raises(UserError) as refused:
        resume(path)
    return str(refused.value)


def parts_of(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.glob("*/*.parquet")}


def forget_results(path: Path) -> None:
    """Leave the record as a run that was killed before its end leaves it."""
    record = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps(record | {"digest": None, "digest_turns": None}))


def test_a_finished_run_is_left_as_it_is(copy_of_played: Path) -> None:
    before = parts_of(copy_of_played), (copy_of_played / "run.json").read_bytes()
    resume(copy_of_played)
    play(copy_of_played)
    assert (parts_of(copy_of_played), (copy_of_played / "run.json").read_bytes()) == before


@pytest.mark.parametrize("gone", [(0,), (3,), (1, 2), (0, 1, 2, 3)])
def test_missing_parts_are_played_again(copy_of_played: Path, gone: tuple[int, ...]) -> None:
    before = parts_of(copy_of_played)
    forget_results(copy_of_played)
    for number in gone:
        for file in copy_of_played.glob(f"*/part-{number:05d}.parquet"):
            file.unlink()
    record = resume(copy_of_played)
    assert parts_of(copy_of_played) == before
    assert record.digest is not None


@pytest.mark.parametrize("table", ["turns", "seats", "tickets"])
def test_a_part_that_lost_a_file_is_played_again_with_a_message(copy_of_played: Path, table: str) -> None:
    before = parts_of(copy_of_played)
    (copy_of_played / table / "part-00001.parquet").unlink()
    watch = Noted([])
    resume(copy_of_played, watch)
    assert parts_of(copy_of_played) == before
    assert any("part 1 is played again" in note for note in watch.notes)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def flip_a_byte(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 255
    file.write_bytes(data)


def empty(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize("spoil", [cut_short, flip_a_byte, empty])
@pytest.mark.parametrize("table", ["games", "turns"])
def test_a_damaged_part_is_refused_by_name(copy_of_played: Path, table: str, spoil: Callable[[Path], None]) -> None:
    file = copy_of_played / table / "part-00002.parquet"
    spoil(file)
    before = parts_of(copy_of_played)
    message = refusal(copy_of_played)
    assert str(file) in message
    assert "damaged" in message
    assert "delete it" in message
    assert parts_of(copy_of_played) == before
    file.unlink()
    resume(copy_of_played)
    assert RunFolder(copy_of_played).read().digest is not None


def test_a_part_of_another_plan_is_refused(copy_of_played: Path, tmp_path: Path) -> None:
    play(tmp_path / "other", seed=2)
    file = copy_of_played / "turns" / "part-00001.parquet"
    file.write_bytes((tmp_path / "other" / "turns" / "part-00001.parquet").read_bytes())
    assert "belongs to another plan" in refusal(copy_of_played)


def test_a_part_in_another_parts_place_is_refused(copy_of_played: Path) -> None:
    (copy_of_played / "seats" / "part-00001.parquet").write_bytes(
        (copy_of_played / "seats" / "part-00002.parquet").read_bytes()
    )
    assert "part 2 of seats" in refusal(copy_of_played)


@pytest.mark.parametrize("name", ["part-00099.parquet", "copy of part-00001.parquet"])
def test_a_file_too_many_is_refused(copy_of_played: Path, name: str) -> None:
    (copy_of_played / "games" / name).write_bytes((copy_of_played / "games" / "part-00001.parquet").read_bytes())
    assert "not part of this run's plan" in refusal(copy_of_played)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"null", b'{"schema": 3}', b'{"schema": 3, "plan": {"edition": 3}}', b"\x00", b"\xff"]
)
def test_a_damaged_record_is_refused_and_the_first_command_repairs_it(copy_of_played: Path, text: bytes) -> None:
    before = parts_of(copy_of_played)
    digest = RunFolder(copy_of_played).read().digest
    (copy_of_played / "run.json").write_bytes(text)
    assert "run.json is damaged" in refusal(copy_of_played)
    assert play(copy_of_played).digest == digest
    assert parts_of(copy_of_played) == before


def test_a_run_of_which_anything_is_missing_is_not_finished(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    record = RunFolder(played).read()
    there = RunFolder(Path(shutil.copytree(played, tmp_path / "there")))
    assert there.is_finished(record.plan)
    assert not there.is_finished(replace(record.plan, seed=2))
    (there.path / "turns" / "part-00001.parquet").unlink()
    assert not there.is_finished(record.plan)
    (there.path / "run.json").write_text("{")
    assert not there.is_finished(record.plan)


@pytest.mark.parametrize(("field", "value"), [("plan", {"seed": 5}), ("digest", "0" * 64)])
def test_an_edited_record_is_refused(copy_of_played: Path, field: str, value: Any) -> None:
    record = json.loads((copy_of_played / "run.json").read_text())
    changed = {**record[field], **value} if isinstance(value, dict) else value
    (copy_of_played / "run.json").write_text(json.dumps(record | {field: changed}))
    assert ("digest" if field == "digest" else "damaged") in refusal(copy_of_played)


def test_a_newer_schema_is_refused(copy_of_played: Path) -> None:
    record = json.loads((copy_of_played / "run.json").read_text())
    (copy_of_played / "run.json").write_text(json.dumps(record | {"schema": 4}))
    assert "has schema 4" in refusal(copy_of_played)
    with pytest.raises(UserError, match="has schema 4"):
        play(copy_of_played)
    assert json.loads((copy_of_played / "run.json").read_text())["schema"] == 4


def test_another_plan_in_the_same_folder_is_refused(copy_of_played: Path) -> None:
    before = parts_of(copy_of_played)
    with pytest.raises(UserError, match="holds another run \\(seed 1, not 7\\)"):
        play(copy_of_played, seed=7)
    assert parts_of(copy_of_played) == before


def test_an_edited_edition_is_refused(copy_of_played: Path) -> None:
    rules = copy_of_played / "edition" / "edition.toml"
    rules.write_text(rules.read_text().replace("trains = 45", "trains = 44"))
    assert "is not the edition of this run's plan" in refusal(copy_of_played)


def test_a_comment_in_the_edition_changes_nothing(copy_of_played: Path) -> None:
    rules = copy_of_played / "edition" / "edition.toml"
    rules.write_text(rules.read_text() + "\n# looked at\n")
    resume(copy_of_played)


def test_a_lost_edition_is_refused(copy_of_played: Path) -> None:
    (copy_of_played / "edition" / "routes.csv").unlink()
    assert "routes.csv" in refusal(copy_of_played)


def test_other_kernels_do_not_add_parts(copy_of_played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ttr_sim.run.play.SOURCE_HASH", "other")
    resume(copy_of_played)  # finished: nothing to add
    (copy_of_played / "games" / "part-00000.parquet").unlink()
    assert "the engine or a bot changed" in refusal(copy_of_played)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("important")
    with pytest.raises(UserError, match="not empty and not a run"):
        play(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("")
    with pytest.raises(UserError, match="is a file"):
        play(tmp_path / "run")


def test_a_folder_that_is_no_run_cannot_be_opened(tmp_path: Path) -> None:
    assert "there is no run in" in refusal(tmp_path)


def test_leftovers_of_a_killed_run_are_swept_away(copy_of_played: Path) -> None:
    leftover = copy_of_played / "turns" / ".part-00007.parquet.123.tmp"
    leftover.write_bytes(b"half")
    resume(copy_of_played)
    assert not leftover.exists()


def test_one_run_at_a_time_in_a_folder(copy_of_played: Path) -> None:
    with opened_folder(copy_of_played):
        assert "another ttr-sim is playing" in refusal(copy_of_played)
        script = (
            "from pathlib import Path; import sys; from ttr_sim.run.play import opened_folder\n"
            "with opened_folder(Path(sys.argv[1])): pass"
        )
        second = subprocess.run(
            [sys.executable, "-c", script, str(copy_of_played)], capture_output=True, text=True, check=False
        )
    assert "another ttr-sim is playing" in second.stderr
    resume(copy_of_played)


def test_a_folder_that_was_only_begun_is_continued(played: Path, tmp_path: Path) -> None:
    """This is what a disk that was full from the start leaves behind."""
    shutil.copytree(played / "edition", tmp_path / "run" / "edition")
    (tmp_path / "run" / ".edition.new").mkdir()
    assert play(tmp_path / "run").digest == RunFolder(played).read().digest


def test_an_edition_of_the_users_is_not_overwritten(tmp_path: Path) -> None:
    mine = tmp_path / "run" / "edition"
    shutil.copytree(find_folder("europe"), mine)
    with pytest.raises(UserError, match="is not the edition of this run's plan"):
        play(tmp_path / "run")
    assert (mine / "cities.csv").read_bytes() == (find_folder("europe") / "cities.csv").read_bytes()


def test_the_copy_of_the_edition_is_complete_or_absent(tmp_path: Path) -> None:
    (tmp_path / ".edition.new").mkdir()
    (tmp_path / ".edition.new" / "left.csv").write_text("from a crash", encoding="utf-8")
    request = Request(load_edition("usa"), (2,), ("random",), 10, 1, settings=("trains=20",))
    RunFolder(tmp_path).copy_edition(request.edition, request.settings)
    assert load_edition(tmp_path / "edition").trains == 20
    assert [entry.name for entry in tmp_path.iterdir()] == ["edition"]
    assert not (tmp_path / "edition" / "left.csv").exists()
