"""`study --watch`, driven by saves: in this process, and as a command of its own with errors between."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.conftest import Command
from ttr_sim.cli.watching import HOST, serving

HOW = ("--players", "2,3", "--games", "60", "--jobs", "1", "--watch", "-q")
PATIENCE = 120


@pytest.fixture(autouse=True)
def my_map(home: Path, command: Command) -> Path:
    command("new", "my-map", "--from", "amsterdam")
    return Path("my-map")


def set_points(folder: Path, points: object) -> None:
    """Give the first ticket other points, as an editor that saves in place does."""
    tickets = folder / "tickets.csv"
    lines = tickets.read_text("utf-8").splitlines()
    *ends, _, deck = lines[1].split(",")
    lines[1] = ",".join((*ends, str(points), deck))
    tickets.write_text("\n".join(lines) + "\n", "utf-8")


class Watch:
    """The command, what it printed, and what its server says."""

    def __init__(self, *words: str) -> None:
        line = [sys.executable, "-m", "ttr_sim", "study", "my-map", *HOW, *words]
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines: list[str] = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as printed:
            self.lines.extend(line.rstrip("\n") for line in printed)

    def until(self, done: Callable[[], Any]) -> Any:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            assert self.process.poll() is None, "\n".join(self.lines)
            if found := done():
                return found
            time.sleep(0.05)
        raise AssertionError("\n".join(self.lines[-20:]))

    @property
    def address(self) -> str:
        found = self.until(lambda: re.search(r"http://127\.0\.0\.1:\d+/", "\n".join(self.lines)))
        return str(found[0])

    def state(self) -> dict[str, Any]:
        with urlopen(self.address + "state", timeout=10) as answer:
            return dict(json.load(answer))


@contextmanager
def watching(*words: str) -> Iterator[Watch]:
    watch = Watch(*words)
    try:
        yield watch
    finally:
        watch.process.kill()
        watch.process.wait()
        watch.reader.join()


@pytest.mark.slow
def test_thirty_saves_with_errors_between(my_map: Path) -> None:
    with watching() as watch:
        watch.until(lambda: "Save 1: " in "\n".join(watch.lines) and watch.address)
        for save in range(2, 32):
            if save % 5 == 0:
                page = Path("reports/my-map/index.html").read_bytes()
                set_points(my_map, "many")
                watch.until(lambda: "cannot be played" in watch.state()["message"])
                assert "tickets.csv:2:" in watch.state()["message"]
                assert Path("reports/my-map/index.html").read_bytes() == page
            set_points(my_map, 3 + (save + 1) % 7)
            watch.until(lambda save=save: f"Save {save}: " in "\n".join(watch.lines))
            assert watch.state() == {"version": save, "message": ""}
            assert len(list(Path("runs").iterdir())) <= 3
        assert sum("Since the last save: ticket" in line for line in watch.lines) == 30
        watch.process.send_signal(signal.SIGINT)
        assert watch.process.wait(PATIENCE) == 0
    assert 'id="live"' not in Path("reports/my-map/index.html").read_text("utf-8")
    assert not any("Traceback" in line for line in watch.lines)


def test_a_save_says_what_changed_since_the_last_one_and_since_the_start(
    my_map: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [lambda: set_points(my_map, 9), lambda: set_points(my_map, "many"), lambda: set_points(my_map, 12)]
    told = saved(steps, monkeypatch, capsys)
    assert "Since the last save: ticket Begijnhof–Blauwbrug (contract): points 9 instead of 5" in told
    assert "Since the last save: ticket Begijnhof–Blauwbrug (contract): points 12 instead of 9" in told
    assert "Since the start: ticket Begijnhof–Blauwbrug (contract): points 12 instead of 5" in told
    assert "- 2 players: Begijnhof–Blauwbrug, 12 points instead of 9" in told
    assert "The page stays as it was." in told
    assert len(list(Path("runs").iterdir())) == 3  # a study is one folder


def test_a_save_that_changes_nothing_says_so(
    my_map: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = saved([lambda: set_points(my_map, 5)], monkeypatch, capsys)
    assert "Since the last save: nothing that is played" in told
    assert len(list(Path("runs").iterdir())) == 1


def test_runs_of_others_are_never_removed(
    my_map: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: Command
) -> None:
    set_points(my_map, 7)
    others = command("study", "my-map", "--quick", *HOW[:6], "-q")
    before = set(Path("runs").iterdir())
    assert (others.code, len(before)) == (0, 1)
    set_points(my_map, 5)
    points = (7, 8, 9)
    saved([lambda points=points: set_points(my_map, points) for points in points], monkeypatch, capsys)
    assert before < set(Path("runs").iterdir())


def saved(steps: list[Callable[[], None]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Watch in this process: each step makes the next save, then comes Ctrl-C; return what was printed."""
    from ttr_sim.cli.main import main

    def saves(folder: Path) -> Iterator[None]:
        yield
        for step in steps:
            step()
            yield
        raise KeyboardInterrupt

    monkeypatch.setattr("ttr_sim.cli.watching.saves_of", saves)
    monkeypatch.setenv("COLUMNS", "500")
    with pytest.raises(SystemExit) as ended:
        main(["study", "my-map", *HOW])
    assert ended.value.code == 0
    return capsys.readouterr().out


def answer(port: int, path: str, method: str = "GET", host: str | None = None) -> tuple[int, bytes]:
    connection = HTTPConnection(HOST, port, timeout=5)
    connection.request(method, path, headers={"Host": host} if host else {})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, body


def test_it_serves_the_page_and_what_became_of_it() -> None:
    with serving() as server:
        server.show("<p>é</p>", 3)
        server.message = "an error"
        assert answer(server.server_port, "/") == (200, "<p>é</p>".encode())
        status, state = answer(server.server_port, "/state")
        assert (status, json.loads(state)) == (200, {"version": 3, "message": "an error"})
        server.show("<p>new</p>", 4)
        assert json.loads(answer(server.server_port, "/state")[1]) == {"version": 4, "message": ""}


@pytest.mark.parametrize(
    ("path", "how", "status"),
    [
        *((path, {}, 404) for path in ("/edition.toml", "/../pyproject.toml", "/state/")),
        *(("/", {"method": method}, 501) for method in ("POST", "PUT", "DELETE")),
        ("/", {"host": "elsewhere.example"}, 403),
    ],
)
def test_it_answers_nothing_else(path: str, how: dict[str, str], status: int) -> None:
    with serving() as server:
        assert answer(server.server_port, path, **how)[0] == status
        assert answer(server.server_port, "/", host=f"localhost:{server.server_port}")[0] == 200


def test_it_ends_with_its_block() -> None:
    with serving() as server:
        port = server.server_port
    with pytest.raises(ConnectionRefusedError):
        answer(port, "/")
