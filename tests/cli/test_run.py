"""ttr-sim run: what it prints and refuses. What it plays is tested in tests/run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Command
from ttr_sim.run.folder import RunFolder

SMALL = ("run", "usa", "--players", 2, "--bots", "random,racer", "--games", 60)


def told(command: Command, *words: object) -> dict[str, Any]:
    outcome = command(*words, "-q", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    return dict(outcome.json)


def test_json_has_what_was_played_and_who_won(command: Command) -> None:
    run = told(command, *SMALL, "--out", "run")
    record = RunFolder(Path("run")).read()
    assert (run["digest"], run["digest_turns"]) == (record.digest, record.digest_turns)
    assert (run["players"], run["games"], run["blocks"]) == (2, 60, 30)
    assert [(bot["bot"], bot["place"], bot["seats"]) for bot in run["bots"]] == [("random", 0, 60), ("racer", 1, 60)]
    assert sum(bot["win_share"] for bot in run["bots"]) == pytest.approx(1)
    assert all(bot["low"] <= bot["win_share"] <= bot["high"] for bot in run["bots"])


def test_a_name_twice_is_one_entry(command: Command) -> None:
    words = ("run", "usa", "--players", 4, "--bots", "racer,random,racer,random", "--games", 20)
    bots = told(command, *words, "--out", "run")["bots"]
    assert [(bot["bot"], bot["place"], bot["seats"]) for bot in bots] == [("racer", 0, 40), ("random", 1, 40)]
    assert sum(bot["win_share"] for bot in bots) == pytest.approx(0.5)


def test_people_get_a_table_and_the_folder(command: Command) -> None:
    out = command(*SMALL, "-q", "--out", "run").out
    assert out.startswith("USA · 60 games with 2 players · ")
    assert "wins per 100 games, 50.0 is a fair share" in out
    run = told(command, *SMALL, "--out", "run")
    assert run["digest"][:8] not in out, "digests are for programs"
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.startswith(("  random", "  racer"))}
    assert list(rows) == ["racer", "random"], "the best first"
    for bot in run["bots"]:
        assert rows[bot["bot"]][1:3] == [f"{bot['seats']}", f"{bot['win_share'] * 100:.1f}"]
    assert "  NEXT  ttr-sim report run " in out
    assert out.splitlines()[-1] == "run"


def test_the_folder_is_named_by_the_plan(command: Command) -> None:
    run = told(command, *SMALL)
    assert run["run"] == f"runs/usa-2p-{RunFolder(Path(run['run'])).read().plan.hash[:8]}"
    assert told(command, *SMALL) == told(command, "run", "--resume", run["run"]) == run


def test_planners_play_when_no_bots_are_named(command: Command) -> None:
    words = ("run", "usa", "--players", 3, "--games", 10, "--out", "run")
    run = told(command, *words)
    assert [(bot["bot"], bot["seats"]) for bot in run["bots"]] == [("planner", 30)]
    assert told(command, *words, "--bots", "planner")["digest"] == run["digest"]


def test_a_rule_set_for_one_run(command: Command) -> None:
    plain, settings = told(command, *SMALL, "--out", "plain"), ["trains=20", "route_scores=[1,2,4,7,10,15]"]
    how = ("--out", "changed", "--set", settings[0], "--set", settings[1])
    assert told(command, *SMALL, *how)["fingerprint"] != plain["fingerprint"]
    assert json.loads(Path("changed/run.json").read_text())["set"] == settings
    assert command("check", "changed/edition").code == 0
    assert "trains = 20" in Path("changed/edition/edition.toml").read_text()


def test_dry_run_tells_and_leaves_nothing(command: Command, home: Path) -> None:
    words = ("run", "usa", "--players", 4, "--bots", "random,racer", "--games", 1_000_000, "--dry-run")
    cost = told(command, *words)
    assert list(cost) == ["games", "blocks", "parts", "bytes", "seconds", "jobs"]
    assert 1_000_000 <= cost["games"] <= 1_000_003
    assert 5e8 < cost["bytes"] < 2e9
    assert cost["seconds"] > 0
    assert "parts: about" in command(*words, "-q").out
    assert list(home.iterdir()) == []


PLAIN_BOT = """
import os

class Bot:
    def choose(self, board, view, seat):
        {}
"""


def test_dry_run_with_a_bot_in_plain_python(command: Command) -> None:
    words = ("run", "usa", "--players", 2, "--bots", "mine.py:Bot,random", "--games", 100, "--dry-run")
    Path("mine.py").write_text(PLAIN_BOT.format("return -1"))
    assert told(command, *words)["games"] == 100
    Path("mine.py").write_text(PLAIN_BOT.format("os._exit(1)"))
    done = command(*words, "-q")
    assert done.code == 2
    assert "ended the process" in done.err and "mine.py:Bot" in done.err


@pytest.mark.parametrize(
    "how", ["def choose(self, board, view, seat)", "@staticmethod\n    def choose(board, view, seat)"]
)
def test_what_a_bot_prints_is_not_the_result(tmp_path: Path, how: str) -> None:
    """A plain bot, in a process of its own, and a compiled one; and what the file itself prints."""
    bot = f"print('loaded')\n\n\nclass Chatty:\n    {how}:\n        print('hello')\n        return -1\n"
    (tmp_path / "my_bots.py").write_text(bot, "utf-8")
    words = ("run", "usa", "--players", "2", "--bots", "my_bots.py:Chatty,random", "--games", "2", "-q", "--json")
    call = [sys.executable, "-m", "ttr_sim", *words]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["games"] == 2
    assert "loaded" in done.stderr
    assert "hello" in done.stderr
