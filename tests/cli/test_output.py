"""What cannot be printed, named or held in memory ends in one sentence and exit code 2; a crash of ours with 70."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.failing import fail_with
from tests.conftest import Outcome
from ttr_sim.cli.main import CRASHED, WRONG_USE

Command = Callable[..., Outcome]
TTR_SIM = f"{sys.executable} -m ttr_sim"
needs_full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")


def shell(line: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["bash", "-c", line], capture_output=True, check=False)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("editions > /dev/full", marks=needs_full_disk),
        pytest.param("--help > /dev/full", marks=needs_full_disk),
        "editions >&-",
    ],
)
def test_output_that_cannot_be_written_is_one_sentence(line: str) -> None:
    ended = shell(f"{TTR_SIM} {line}")
    assert ended.returncode == WRONG_USE
    assert ended.stderr.startswith(b"Error: ") and ended.stderr.count(b"\n") == 1


@pytest.mark.parametrize("words", ["editions --json", "show usa --json", "--help", "bots --help"])
def test_closed_pipe_is_one_sentence(words: str) -> None:
    ended = shell(f"{TTR_SIM} {words} | true; exit ${{PIPESTATUS[0]}}")
    if ended.returncode:  # else all of it was written before the other end was closed
        assert (ended.returncode, ended.stderr) == (
            WRONG_USE,
            b"Error: the output was closed before everything was written\n",
        )


@needs_full_disk
def test_messages_that_cannot_be_written_fail_without_a_traceback() -> None:
    ended = shell(f"{TTR_SIM} chek 2> /dev/full")
    assert (ended.returncode, ended.stdout) == (WRONG_USE, b"")


@pytest.mark.parametrize("name", ["a" * 256, "ä" * 200, "a/" * 3000])
@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("report",),
        ("audit",),
        ("replay", "RUN", "0"),
        ("run", "--resume"),
        ("new", "--from", "usa"),
        ("show",),
    ],
)
def test_names_that_no_disk_can_hold_are_refused(command: Command, words: tuple[str, ...], name: str) -> None:
    line = [name if word == "RUN" else word for word in words]
    outcome = command(*(line if "RUN" in words else [*line, name]))
    assert (outcome.code, outcome.out) == (WRONG_USE, "")
    assert outcome.err.splitlines()[-1].startswith("Error: ")


def test_names_that_are_not_utf8_are_refused() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "ttr_sim", "check", b"caf\xe9"], capture_output=True, check=False, env=dict(os.environ)
    )
    assert ended.returncode == WRONG_USE
    assert b"is not UTF-8" in ended.stderr and ended.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("raised", "code", "says"),
    [
        (OSError(28, "No space left on device", "/somewhere/page.html"), WRONG_USE, "/somewhere/page.html: No space"),
        (MemoryError(), WRONG_USE, "not enough memory"),
        (RuntimeError("can't start new thread"), WRONG_USE, "not enough memory"),
        (ZeroDivisionError("division by zero"), CRASHED, "a bug in ttr-sim; please report"),
        (AssertionError(), CRASHED, "a bug in ttr-sim; please report"),
    ],
)
def test_errors_are_told_apart_from_crashes(
    command: Command, monkeypatch: pytest.MonkeyPatch, raised: Exception, code: int, says: str
) -> None:
    fail_with(raised, monkeypatch)
    outcome = command("bots")
    assert outcome.code == code
    assert says in outcome.err.splitlines()[-1]
    assert ("Traceback" in outcome.err) == (code == CRASHED)


def test_report_of_a_run_without_games_is_refused(command: Command, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ("run", "usa", "--players", 2, "--bots", "random", "--games", 2, "--out", run, "-q")
    assert command(*words).code == 0
    for file in run.glob("*/part-*.parquet"):
        file.unlink()
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, "digest": None, "digest_turns": None}))
    outcome = command("report", run, "--out", tmp_path / "report", "-q")
    assert (outcome.code, outcome.out) == (WRONG_USE, "")
    assert "has no finished game yet" in outcome.err
    (run / "run.json").write_text(" " * 3_000_000 + json.dumps(record))
    assert "is larger than" in command("report", run).err
