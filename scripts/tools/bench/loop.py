"""The loop a designer lives in: how long a first verdict takes, and one after each save."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from statistics import median

from scripts.tools.bench.measure import Row
from ttr_sim.cli.options import available_jobs
from ttr_sim.cli.page_server import serving
from ttr_sim.cli.progress import Progress
from ttr_sim.cli.studying import Length
from ttr_sim.cli.watching import WatchedBoard, study_once
from ttr_sim.run.backends import ThisMachine

SAVES, FEW_SAVES = 10, 3
FIRST_SENTENCE = "so far: "


def measure(quick: bool) -> list[Row]:
    with tempfile.TemporaryDirectory() as home, chdir(home):
        first, verdict = _quick_study()
        _study_a_little()
        again = _study_a_little()
        saves = list(_saves(FEW_SAVES if quick else SAVES))
    return [
        {"measure": "study --quick, process start to the first sentence", "unit": "s", "value": first},
        {"measure": "study --quick, process start to the verdict", "unit": "s", "value": verdict},
        {"measure": "a study of an unchanged board, again", "unit": "s", "value": again},
        {"measure": "study --watch, save to the new verdict (median)", "unit": "s", "value": median(saves)},
        {"measure": "study --watch, the slowest save", "unit": "s", "value": max(saves)},
    ]


def _quick_study() -> tuple[float, float]:
    """Return when the first sentence was said and when the command ended, of a board of the USA's size."""
    began, first = time.perf_counter(), 0.0
    words = [sys.executable, "-m", "ttr_sim", "study", "usa", "--quick"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith(FIRST_SENTENCE):
                first = time.perf_counter() - began
    assert process.returncode == 0
    return first, time.perf_counter() - began


def _study_a_little() -> float:
    """Return how long the command took."""
    began = time.perf_counter()
    words = [sys.executable, "-m", "ttr_sim", "study", "usa", "--games", "200", "-q"]
    subprocess.run(words, check=True, capture_output=True)
    return time.perf_counter() - began


def _saves(count: int) -> Iterator[float]:
    """Yield the seconds of each save of a copy of the USA board, in which one ticket changes."""
    folder = Path("my-map")
    subprocess.run([sys.executable, "-m", "ttr_sim", "new", folder, "--from", "usa"], check=True, capture_output=True)
    length = Length(None, quick=True)
    jobs = ThisMachine(available_jobs())
    watched = WatchedBoard(
        str(folder), Path("reports"), None, None, 1, length, jobs, Progress(quiet=True), "scripts/bench"
    )
    with serving() as server, redirect_stdout(StringIO()):
        for save in range(count + 1):
            _change_a_ticket(folder / "tickets.csv", save)
            began = time.perf_counter()
            study_once(watched, server)
            if save:  # the first one has nothing to compare with
                yield time.perf_counter() - began


def _change_a_ticket(file: Path, save: int) -> None:
    text = file.read_text("utf-8")
    file.write_text(re.sub(r"(Atlanta,Montréal,)\d+", rf"\g<1>{9 + save % 5}", text), "utf-8")
