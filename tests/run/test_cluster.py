"""A run on a Dask cluster: the same rows as on this machine, whatever becomes of its workers."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Command, Outcome
from tests.run.conftest import Noted, digests, play, record_of
from tests.run.test_control import BOTS_FILE, command, parts, wait_for_parts
from ttr_sim.balance import search
from ttr_sim.errors import UserError
from ttr_sim.run.cluster import Cluster, local_cluster
from ttr_sim.run.workers import ThisMachine

Client = pytest.importorskip("distributed", reason="needs the extra ttr-sim[cluster]").Client
pytestmark = [pytest.mark.slow]

PACKAGE = Path(__file__).resolve().parents[2] / "ttr_sim"
LONG: dict[str, Any] = {"bots": ("planner", "racer", "longroute"), "games": 3_000, "part_size": 150}
BOTS = "planner,racer,longroute"


SECONDS = 120  # until a test gives up


@contextmanager
def worker_of(address: str, folder: Path, *words: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """Let one more worker join, as docs/cluster.md says."""
    options = ["--nthreads", "1", "--no-dashboard", "--local-directory", str(folder), *words]
    program = [sys.executable, "-m", "distributed.cli.dask_worker", address, *options]
    env = {**os.environ, "PYTHONSAFEPATH": "1", **variables}
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


def wait_until(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with local_cluster(2) as there:
        yield there


@pytest.fixture
def workers(address: str) -> Iterator[Cluster]:
    with Cluster(address) as opened:
        yield opened


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[str | None, str | None]:
    """The digests of the long run, played by threads."""
    folder = tmp_path_factory.mktemp("threads") / "run"
    play(folder, workers=ThisMachine(2), **LONG)
    return digests(folder)


def strays(folder: Path) -> list[Path]:
    return [file for file in folder.rglob(".*") if file.name != ".lock"]


def test_the_rows_are_those_of_threads(played: Path, tmp_path: Path, workers: Cluster) -> None:
    record = play(tmp_path / "run", workers=workers)
    assert (record.sessions[0].backend, record.sessions[0].jobs) == ("dask", 2)
    assert digests(tmp_path / "run") == digests(played)
    assert not strays(tmp_path / "run")


def test_a_bot_in_plain_python_travels_with_the_run(tmp_path: Path, workers: Cluster) -> None:
    (tmp_path / "mine.py").write_text(BOTS_FILE)
    bots = (f"{tmp_path / 'mine.py'}:Plain", "racer", "random")
    play(tmp_path / "processes", workers=ThisMachine(2), bots=bots)
    play(tmp_path / "cluster", workers=workers, bots=bots)
    assert digests(tmp_path / "cluster") == digests(tmp_path / "processes")


def test_a_worker_that_is_killed_leaves_no_trace(long_run: object, tmp_path: Path, address: str) -> None:
    folder = tmp_path / "run"

    def kill_one() -> None:
        wait_until(lambda: parts(folder) >= 2)
        with Client(address) as client:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    with Cluster(address) as workers:
        play(folder, workers=workers, **LONG)
    killer.join()
    assert digests(folder) == long_run
    assert not strays(folder)


POISON = """
import os, threading

def choose(board, view, seat):
    if threading.current_thread() is not threading.main_thread() and view.turn > 10:
        os._exit(1)
    return -1

class Poison:
    def choose(self, board, view, seat):
        return choose(board, view, seat)
"""


def test_a_part_that_ends_its_worker_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(POISON)
    bots = f"{tmp_path / 'mine.py'}:Poison,random"
    words = ("usa", "--players", 2, "--bots", bots, "--games", 400, "--out", tmp_path / "run", "-q")
    run = command(*words, "--cluster", "local:2")
    _, told = run.communicate(timeout=120)
    assert (run.returncode, told[:12]) == (2, "Error: part "), told
    assert "failed 3 times; the worker process died" in told
    assert f"ttr-sim run --resume {tmp_path / 'run'}" in told
    assert len(told.splitlines()) == 1


def start_long_run(folder: Path, where: str) -> subprocess.Popen[str]:
    """Start the long run as a command; part files are small, so that there are many."""
    small = (
        "import ttr_sim.run.plan as plan, ttr_sim.__main__ as program\n"
        "plan.PART_SIZE = 150\nif __name__ == '__main__': program.main()\n"
    )
    script = folder.parent / "small_parts.py"
    script.write_text(small)
    words = ("usa", "--players", 3, "--bots", BOTS, "--games", 3_000, "--out", folder, "--cluster", where)
    run = command(*words, program=(str(script),), start_new_session=True)
    wait_for_parts(folder, run, 2)
    return run


def resume(folder: Path, *words: object) -> None:
    run = command("--resume", folder, "-q", *words)
    _, told = run.communicate(timeout=120)
    assert (run.returncode, told) == (0, "")


def test_a_run_whose_scheduler_is_gone_can_be_resumed(long_run: object, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with local_cluster(2) as there:
        run = start_long_run(folder, there)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 2
    assert f"the cluster {there} is gone" in told.splitlines()[-1]
    assert f"ttr-sim run --resume {folder}" in told.splitlines()[-1]
    resume(folder)
    assert digests(folder) == long_run


def test_ctrl_c_leaves_a_run_that_can_be_resumed(long_run: object, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run = start_long_run(folder, "local:2")
    os.killpg(run.pid, signal.SIGINT)  # as a terminal sends it, to the workers too
    out, told = run.communicate(timeout=60)
    assert (run.returncode, out) == (130, "")
    assert told.splitlines()[-1] == f"Interrupted. Continue with: ttr-sim run --resume {folder}"
    assert "Traceback" not in told
    assert record_of(folder).sessions[0].games == 150 * parts(folder)
    assert not strays(folder)
    resume(folder, "--cluster", "local:2")
    assert digests(folder) == long_run


def test_a_worker_that_joins_late_plays_parts(tmp_path: Path) -> None:
    folder, notes, longer = tmp_path / "run", Noted(), {**LONG, "games": 12_000}
    with local_cluster(1) as there, Cluster(there) as workers:
        joined = threading.Event()

        def join() -> None:
            wait_until(lambda: parts(folder) >= 1)
            with worker_of(there, tmp_path):
                joined.wait(120)

        late = threading.Thread(target=join)
        late.start()
        record = play(folder, workers=workers, watch=notes, **longer)
        with Client(there) as client:
            runs_loaded = client.run(_runs_loaded)
        joined.set()
        late.join()
    assert "workers: 1, threads: 1" in notes.notes
    assert "workers: 2, threads: 2" in notes.notes
    assert record.sessions[0].jobs == 2
    assert list(runs_loaded.values()) == [1, 1], "each worker loaded the run, and so has played"


def _runs_loaded() -> int:
    from ttr_sim.run import play

    return len(play._loaded_games)


def with_another_version(folder: Path) -> None:
    shutil.copytree(PACKAGE, folder / "ttr_sim")
    with (folder / "ttr_sim" / "errors.py").open("a") as file:
        file.write("\n# another version\n")


def without_ttr_sim(folder: Path) -> None:
    (folder / "ttr_sim").mkdir()
    (folder / "ttr_sim" / "__init__.py").write_text("")


def blind_to_the_folder(folder: Path) -> None:
    (folder / "blind.py").write_text(
        "import pathlib\n\n\n"
        "def read(self, *words, original=pathlib.Path.read_text, **how):\n"  # Dask loads this file twice
        "    if self.name.startswith('.cluster-'):\n        raise FileNotFoundError\n"
        "    return original(self, *words, **how)\n\n\n"
        "pathlib.Path.read_text = read\n"
    )


@pytest.mark.parametrize(
    ("prepare", "words", "variables", "sentence"),
    [
        (with_another_version, (), {"PYTHONPATH": "FOLDER"}, "the source code of ttr-sim is"),
        (without_ttr_sim, (), {"PYTHONPATH": "FOLDER"}, "cannot load this version of ttr-sim"),
        (blind_to_the_folder, ("--preload", "FOLDER/blind.py"), {}, "does not see the folder"),
        (lambda folder: None, (), {"PYTHONSAFEPATH": ""}, "start it with PYTHONSAFEPATH=1 in its environment"),
    ],
)
def test_a_worker_that_cannot_play_is_refused(
    tmp_path: Path, prepare: Callable[[Path], None], words: tuple[str, ...], variables: dict[str, str], sentence: str
) -> None:
    prepare(tmp_path)
    words = tuple(word.replace("FOLDER", str(tmp_path)) for word in words)
    variables = {name: value.replace("FOLDER", str(tmp_path)) for name, value in variables.items()}
    with local_cluster(0) as there, worker_of(there, tmp_path, *words, **variables), Cluster(there) as workers:
        with pytest.raises(UserError, match=sentence):
            play(tmp_path / "run", workers=workers)
        assert parts(tmp_path / "run") == 0


def test_a_bot_that_never_answers_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOTS_FILE)
    bots = f"{tmp_path / 'mine.py'}:hangs,random"
    with local_cluster(0) as there, worker_of(there, tmp_path):
        program = "import ttr_sim.run.workers as c; c.TURN_TIMEOUT = 2.0; from ttr_sim.__main__ import main; main()"
        words = ("usa", "--players", 2, "--bots", bots, "--games", 400, "--cluster", there, "-q")
        run = command(*words, "--out", tmp_path / "run", program=("-c", program))
        _, told = run.communicate(timeout=120)
    assert run.returncode == 2
    assert "mine.py:hangs has not finished its turn" in told


def test_all_that_plays_many_games_runs_on_it(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TTR_SIM_CLUSTER", address)
    monkeypatch.setattr(ThisMachine, "pool", None)
    for name in ("GAMES", "MOST_GAMES"):
        monkeypatch.setattr(search, name, 400)
    few = ("--games", 40, "-q")
    command("new", "mine", "--from", "amsterdam")
    for words in (
        ("study", "amsterdam", "--players", 2, "--quick", *few),
        ("compare", "amsterdam", "mine", *few),
        ("balance", "mine", "--players", 2, "--allow", "tickets", "--edits", 1, "--margin", 50, "-q"),
        ("tune", "mine", "--steps", 1, "-q"),
    ):
        outcome: Outcome = command(*words)
        assert (outcome.err, outcome.code) == ("", 0), words
    backends = {record_of(file.parent).sessions[0].backend for file in Path("runs").rglob("run.json")}
    assert backends == {"dask"}
