"""`study --watch`: a save plays and shows anew; in this process, and as a command of its own with errors between."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.cli.conftest import set_points
from tests.conftest import Command
from ttr_sim.cli.watching import HOST, serving

HOW = ("--players", "2,3", "--games", "60", "--jobs", "1", "--watch", "-q")
PATIENCE = 600
BOARD = Path("my-map")
Saved = Callable[..., str]


pytestmark = pytest.mark.usefixtures("my_map")


@pytest.mark.slow
def test_ten_saves_with_errors_between() -> None:
    call = [sys.executable, "-m", "ttr_sim", "study", "my-map", *HOW]
    page, lines = Path("reports/my-map/index.html"), list[str]()
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        limit = threading.Timer(PATIENCE, process.kill)
        limit.start()

        def until(pattern: str) -> str:
            for line in process.stdout or ():
                lines.append(line)
                if found := re.search(pattern, line):
                    return found[0]
            raise AssertionError("".join(lines[-20:]))

        def state() -> dict[str, Any]:
            with urlopen(f"{address}state", timeout=10) as answer:
                return dict(json.load(answer))

        address = until(r"http://127\.0\.0\.1:\d+/")
        for save in range(2, 12):
            if save % 5 == 0:
                before = page.read_bytes()
                set_points("many", BOARD)
                until("The page stays as it was")
                assert "cannot be played" in state()["message"] and "tickets.csv:2:" in state()["message"]
                assert page.read_bytes() == before
            set_points(3 + (save + 1) % 7, BOARD)
            until(f"^Save {save}: ")
            assert state() == {"version": save, "message": ""}
            assert len(list(Path("runs").iterdir())) <= 3
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        limit.cancel()
    assert sum(line.startswith("Edited: ticket") for line in lines) == 10
    assert 'id="live"' not in page.read_text("utf-8")
    assert not any("Traceback" in line for line in lines)


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch, command: Command) -> Saved:
    """Watch in this process: each value of points makes the next save, then comes Ctrl-C."""

    def watch(*points: object) -> str:
        def saves(folder: Path) -> Iterator[None]:
            yield
            for value in points:
                set_points(value, BOARD)
                yield
            raise KeyboardInterrupt

        monkeypatch.setattr("ttr_sim.cli.watching.saves_of", saves)
        monkeypatch.setenv("COLUMNS", "500")
        outcome = command("study", "my-map", *HOW)
        assert outcome.code == 0
        return str(outcome.out)

    return watch


def test_a_save_says_what_was_edited_and_what_became_of_the_targets(saved: Saved) -> None:
    told = saved(9, "many", 12, 12)
    assert told.startswith("my-map · 24 tickets"), "the first save shows the verdict"
    assert told.count("tickets · 45 routes") == 1, "later ones do not repeat it"
    assert "Edited: ticket Begijnhof–Blauwbrug (contract): points 9 instead of 5\n" in told
    assert "Edited: ticket Begijnhof–Blauwbrug (contract): points 12 instead of 9\n" in told
    assert re.search(r"^  ✗ worse  Begijnhof–Blauwbrug \+\d", told, re.MULTILINE)
    assert re.search(r"^  ✗ left   Begijnhof–Blauwbrug \+\d", told, re.MULTILINE)
    assert "The page stays as it was." in told
    assert "Edited: nothing that is played\n" in told
    assert len(list(Path("runs").iterdir())) == 1, "one folder is used again"


def test_runs_of_others_are_never_removed(saved: Saved, command: Command) -> None:
    set_points(7, BOARD)
    others = command("study", "my-map", "--quick", *HOW[:6], "-q")
    before = set(Path("runs").iterdir())
    assert (others.code, len(before)) == (0, 1)
    set_points(5, BOARD)
    saved(7, 8, 9)
    assert before < set(Path("runs").iterdir())


def answer(port: int, path: str, method: str = "GET", host: str | None = None) -> tuple[int, bytes]:
    connection = HTTPConnection(HOST, port, timeout=5)
    connection.request(method, path, headers={"Host": host} if host else {})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, body


def test_it_serves_the_page_and_what_became_of_it_until_its_block_ends_and_nothing_else() -> None:
    with serving() as server:
        port = server.server_port
        server.show("<p>é</p>", 3)
        server.message = "an error"
        assert answer(port, "/") == (200, "<p>é</p>".encode())
        status, state = answer(port, "/state")
        assert (status, json.loads(state)) == (200, {"version": 3, "message": "an error"})
        server.show("<p>new</p>", 4)
        assert json.loads(answer(port, "/state")[1]) == {"version": 4, "message": ""}
        for path in ("/edition.toml", "/../pyproject.toml", "/state/"):
            assert answer(port, path)[0] == 404
        for method in ("POST", "PUT", "DELETE"):
            assert answer(port, "/", method)[0] == 501
        assert answer(port, "/", host="elsewhere.example")[0] == 403
        assert answer(port, "/", host=f"localhost:{port}")[0] == 200
    with pytest.raises(ConnectionRefusedError):
        answer(port, "/")


def test_watch_is_the_command_and_study_has_it_as_an_alias(command: Command, saved: Saved) -> None:
    """The alias is hidden."""
    assert "--watch" not in command("study", "--help").out
    printed = saved()
    told = command("watch", "my-map", *HOW[:6], "-q").out
    assert told.partition("Save 1")[0] == printed.partition("Save 1")[0]
