"""`ttr-sim runs`."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import Command
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import RunSize
from ttr_sim.run.plan import Plan
from ttr_sim.run.record import Record


def record(digest: str | None) -> Record:
    plan = Plan("usa", "f" * 16, 4, ("planner",), 1_000, 1, "full", 2_000, "a" * 64, "b" * 64)
    return Record(plan, RunSize(1_000, 1_000, 1), (), "ttr-sim run", {}, (), digest)


@pytest.fixture
def three_runs(tmp_path: Path) -> Path:
    """A new finished run, a damaged one two hours old and an unfinished one nine days old, in folder `my runs`."""
    entries = {"new": ("d" * 64, 0), "damaged": (None, 2 * 3_600), "old": (None, 9 * 86_400)}
    for name, (digest, age) in entries.items():
        run = tmp_path / "my runs" / name
        (run / "games").mkdir(parents=True)
        (run / "games" / "part-00000.parquet").write_bytes(b"x" * 2_000_000)
        RunFolder(run).write(record(digest))
        if name == "damaged":
            (run / "run.json").write_text("{")
        then = time.time() - age
        os.utime(run / "run.json", (then, then))
    return tmp_path / "my runs"


def test_runs_are_listed_by_age_with_size_and_state(command: Command, three_runs: Path) -> None:
    lines = command("runs", three_runs).out.splitlines()
    assert lines[0] == "no studies, 3 other runs, 6.0 MB in all"
    assert [line.replace(str(three_runs), "").split() for line in lines[3:6]] == [
        ["/new", "usa", "4", "1,000", "✓", "finished", "2.0", "MB", "new", "a", "run"],
        ["/damaged", "-", "-", "-", "✗", "damaged", "2.0", "MB", "2", "hours", "a", "run"],
        ["/old", "usa", "4", "1,000", "?", "unfinished", "2.0", "MB", "9", "days", "a", "run"],
    ]


def test_the_printed_command_removes_the_oldest(command: Command, three_runs: Path) -> None:
    line = command("runs", three_runs).out.splitlines()[-1]
    removal, is_last, _ = line.partition("  remove the oldest")
    assert is_last
    subprocess.run(removal, shell=True, check=True)
    assert sorted(run.name for run in three_runs.iterdir()) == ["damaged", "new"]


def test_no_runs(command: Command, tmp_path: Path) -> None:
    for folder, name in (((), "runs"), ((tmp_path,), tmp_path)):
        outcome = command("runs", *folder)
        assert (outcome.code, outcome.out) == (0, f"There are no runs in {name}.\n")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("runs", 'there is no folder "runs"; name one that holds runs'),
        ("notes.md", "notes.md is a file; give the folder it is in"),
    ],
)
def test_a_named_folder_must_exist(command: Command, tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "notes.md").write_text("hello")
    outcome = command("runs", name)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"Error: {sentence}\n")


@pytest.mark.parametrize(
    "text",
    [
        '{"plan":' * 3_000 + "1" + "}" * 3_000,
        " " * 3_000_000,
        json.dumps({"edition": "usa", "games": "x", "digest": 1, "plan": {"players": []}}),
        "\ud800",
    ],
)
def test_a_record_that_nobody_wrote_is_damaged(command: Command, three_runs: Path, text: str) -> None:
    (three_runs / "new" / "run.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    outcome = command("runs", three_runs)
    assert (outcome.code, outcome.out.count(" damaged ")) == (0, 2)


FACTS = {"edition": "usa", "title": "USA", "players": [4], "games": 1_000, "seed": 1, "bots": []}


@pytest.mark.parametrize("wrong", [{"players": 4}, {"players": ["x"]}, {"games": "many"}, {"bots": 1}])
def test_a_study_that_nobody_wrote_is_not_listed(command: Command, three_runs: Path, wrong: dict[str, object]) -> None:
    (three_runs / "usa").mkdir()
    (three_runs / "usa" / "study.json").write_text(json.dumps(FACTS | wrong))
    outcome = command("runs", three_runs)
    assert (outcome.code, "3 other runs" in outcome.out) == (0, True)


def test_only_studies_are_pruned(command: Command, three_runs: Path) -> None:
    study = three_runs / "usa"
    (study / "4p-strong").mkdir(parents=True)
    RunFolder(study / "4p-strong").write(record("d" * 64))
    (study / "study.json").write_text(json.dumps(FACTS))
    (three_runs / "notes").mkdir()
    listed = command("runs", three_runs).out
    assert "study of USA, seed 1" in listed and listed.startswith("1 study, 3 other runs")
    pruned = command("runs", three_runs, "--prune").out
    assert "usa" in pruned and "1 folder deleted" in pruned
    assert {entry.name for entry in three_runs.iterdir()} == {"new", "damaged", "old", "notes"}
    assert "no runs of studies" in command("runs", three_runs, "--prune").out
