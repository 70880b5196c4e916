"""An edition, a run or a bot file is safe to open, with whatever Python files somebody put beside it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ended
from ttr_sim.cli.main import COMMANDS, FINDINGS, FINE

PROGRAM = (sys.executable, "-m", "ttr_sim")
TRAPS = (
    *("pickle", "json", "random", "pathlib", "typing", "multiprocessing", "click", "rich", "joblib", "numpy", "numba"),
    *("pandas", "pyarrow", "duckdb", "matplotlib", "scipy", "networkx", "jinja2", "filelock", "platformdirs"),
    *("openpyxl", "watchfiles"),
)
BOT = "import json, random\n\nclass Plain:\n    def choose(self, board, view, seat):\n        return -1\n"
PLAY = "--players 2 --bots my_bots.py:Plain,random --games 4 --jobs 2 -q --out"
QUICK = (
    f"run . {PLAY} new",
    "report run --out page -q",
    "editions",
    "bots",
    "show . --out board.png",
    "check .",
    "new copy --from .",
    "export . --to editor --out out",
    "replay run 0 --out game.html",
    "runs .",
    "audit run --jobs 2 -q",
    "open read",
    "help study",
)
SLOW = (
    "compare run run --out page -q",
    f"study . {PLAY} page",
    "balance . --players 2 --edits 1 --margin 50 --jobs 2 --out balanced -q",
    "tune . --style racer --steps 1 --jobs 2 -q",
    "bots --check my_bots.py",
)
WATCH = "watch . --players 2 --games 20 --jobs 2 -q"


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds an edition, a bot file and a run of both, with traps at every level."""
    folder = tmp_path_factory.mktemp("trapped")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        assert ended(("new", ".", "--from", "amsterdam")) == FINE
        Path("my_bots.py").write_text(BOT)
        Path("read").mkdir()
        Path("read/index.html").write_text("<p>a page</p>")
        assert ended(("run", ".", *PLAY.split(), "run")) == FINE
    for place in (".", "run", "run/edition", "run/bots"):
        for name in TRAPS:
            (folder / place / f"{name}.py").write_text("open('caught', 'a').write(__file__ + '\\n')\n")
    return folder


@pytest.fixture(autouse=True)
def here(trapped: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a copy of that folder, as a user does."""
    shutil.copytree(trapped, home, dirs_exist_ok=True)
    # The command line sets it for its workers, and would protect the commands of this test too.
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.setenv("BROWSER", "true")  # a program that does nothing


def assert_nothing_is_caught(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode in (FINE, FINDINGS), done.stderr  # one edit may be too few for a fair board
    assert not Path("caught").exists(), Path("caught").read_text()


def test_every_command_has_a_case() -> None:
    assert {line.split()[0] for line in (*QUICK, *SLOW, WATCH)} == set(COMMANDS)


@pytest.mark.parametrize("line", [*QUICK, *(pytest.param(line, marks=pytest.mark.slow) for line in SLOW)])
def test_nothing_runs_from_the_folder_one_stands_in(line: str) -> None:
    assert_nothing_is_caught(*PROGRAM, *line.split())


def test_nothing_runs_where_the_program_is_installed() -> None:
    assert_nothing_is_caught(str(Path(sys.executable).with_name("ttr-sim")), "check", ".")


@pytest.mark.slow
def test_nothing_runs_while_a_board_is_watched() -> None:
    with subprocess.Popen((*PROGRAM, *WATCH.split()), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any(line.startswith("Save 1: ") for line in process.stdout)
        process.send_signal(signal.SIGINT)
    assert process.returncode == FINE
    assert not Path("caught").exists(), Path("caught").read_text()


def test_a_trap_that_is_reached_would_be_seen() -> None:
    subprocess.run([sys.executable, "-c", "import json, numpy"], check=False, env=dict(os.environ))
    assert "json.py" in Path("caught").read_text()
