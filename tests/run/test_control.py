"""Runs in processes of their own that are stopped, killed or run out of disk, and resumed; and their workers."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.run.conftest import digests, record_of

GAMES = 1_200_000  # more than anybody waits for
BOTS = ("--players", "4", "--bots", "random,racer,longroute,path")


def command(*words: object, program: tuple[str, ...] = ("-m", "ttr_sim"), **how: Any) -> subprocess.Popen[str]:
    line = [sys.executable, *program, "run", *map(str, words)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)


def start(folder: Path, games: int = GAMES, **how: Any) -> subprocess.Popen[str]:
    return command("usa", *BOTS, "--games", games, "--out", folder, **how)


def parts(folder: Path) -> int:
    return len(list(folder.glob("games/*.parquet")))


def wait_for_parts(folder: Path, run: subprocess.Popen[str], least: int = 1) -> None:
    while parts(folder) < least:
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    folder = tmp_path / "my run"
    run = start(folder)
    wait_for_parts(folder, run)
    run.send_signal(number)
    out, told = run.communicate(timeout=60)
    assert run.returncode == 130
    assert out == ""
    assert told.splitlines()[-1] == f"Interrupted. Continue with: ttr-sim run --resume '{folder}'"
    assert "Traceback" not in told
    record = record_of(folder)
    assert record.digest is None
    assert record.sessions[0].games == 2_000 * parts(folder)
    assert not list(folder.glob("*/.*"))


def test_a_full_disk_ends_in_a_sentence_and_keeps_what_is_there(tmp_path: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))

    run = start(tmp_path / "run", preexec_fn=small_files)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 2
    assert "Traceback" not in told
    assert "File too large" in told.splitlines()[-1]
    assert "ttr-sim run --resume" in told.splitlines()[-1]
    assert not list(tmp_path.glob("run/*/.*"))


BOTS_FILE = """
from numpy.lib.stride_tricks import as_strided
class Plain:
    def __init__(self):
        self.asked = 0

    def choose(self, board, view, seat):
        self.asked += 1
        return -1

def hangs(board, view, seat):
    answer = -1
    while view.turn > 60:  # later than the look at a bot before a run goes
        answer = -2
    return answer

def breaks(board, view, seat):
    if view.turn > 60:
        far = as_strided(view.hand, (4_000_000_000,), (-2,))
        for i in range(3_900_000_000, 4_000_000_000, 1_000_000):
            seat.memory[0] += far[i]
    return -1
"""


def start_own(folder: Path, bot: str) -> subprocess.Popen[str]:
    (folder / "mine.py").write_text(BOTS_FILE)
    impatient = (
        "import ttr_sim.run.workers as workers, ttr_sim.__main__ as program; "
        "workers.TURN_TIMEOUT, workers.ALARM_SECONDS = 1.0, 0.0; program.main()"
    )
    words = ("usa", "--players", 2, "--bots", f"random,{folder / 'mine.py'}:{bot}", "--games", GAMES)
    return command(*words, "--out", folder / "run", "-q", program=("-c", impatient))


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("hangs", r"game \d+, turn 61, seat 1: \S*mine.py:hangs has not finished its turn .*"),
        (
            "breaks",
            r"a worker process died \(worker .* in part \d+, played by random, \S*mine.py:breaks: a bot crashed it.*"
            r"ttr-sim run --resume \S*/run",
        ),
    ],
)
def test_a_bot_that_never_answers_or_breaks_its_process_is_named(tmp_path: Path, bot: str, sentence: str) -> None:
    run = start_own(tmp_path, bot)
    _, told = run.communicate(timeout=120)
    assert run.returncode == 2
    assert re.fullmatch(f"Error: {sentence}\n", told)


def test_ctrl_c_cuts_off_processes(tmp_path: Path) -> None:
    run = start_own(tmp_path, "Plain")
    wait_for_parts(tmp_path / "run", run)
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 130
    assert told == f"Interrupted. Continue with: ttr-sim run --resume {tmp_path / 'run'}\n"


def workers_of(parent: int) -> list[int]:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [pid for pid in map(int, children) if "loky.backend.popen" in Path(f"/proc/{pid}/cmdline").read_text()]


@pytest.mark.slow
def test_a_run_killed_four_times_has_the_digests_of_one_that_was_not(tmp_path: Path) -> None:
    games = 40_000
    chance = random.Random(1)
    run = start(tmp_path / "killed", games, start_new_session=True)
    while not (tmp_path / "killed" / "run.json").exists():
        time.sleep(0.02)
    for _ in range(4):
        time.sleep(chance.uniform(0.5, 3.0))
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        jobs = chance.choice((1, 2))
        run = command("--resume", tmp_path / "killed", "--jobs", jobs, start_new_session=True)
    run.communicate()
    whole = start(tmp_path / "whole", games)
    whole.communicate()
    assert None not in digests(tmp_path / "whole")
    assert digests(tmp_path / "killed") == digests(tmp_path / "whole")


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for the workers in /proc")
def test_workers_end_when_their_run_is_killed(tmp_path: Path) -> None:
    run = start_own(tmp_path, "Plain")
    wait_for_parts(tmp_path / "run", run)
    workers = workers_of(run.pid)
    assert workers and all(map(is_alive, workers))
    run.kill()
    run.communicate()
    deadline = time.monotonic() + 60
    while any(map(is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, workers))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not keep this limit")
def test_worker_that_wants_too_much_memory_gets_an_error() -> None:
    code = (
        "from ttr_sim.run import processes as worker; worker.MEMORY_LIMIT = 300_000_000; "
        "worker.dask_setup(); bytes(10**9)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stderr.splitlines()[-1] == "MemoryError"
