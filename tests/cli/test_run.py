"""ttr-sim run: what it prints and refuses. What it plays is tested in tests/run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Command
from ttr_sim.run.folder import RunFolder

SMALL = ("run", "usa", "--players", 2, "--bots", "random,racer", "--games", 60, "-q")
JSON_KEYS = [
    *("run", "edition", "fingerprint", "players", "games", "blocks", "seconds", "games_per_second"),
    *("digest", "digest_turns", "stalled", "capped", "bots"),
]


def test_json_is_one_object_as_the_contract_has_it(command: Command, tmp_path: Path) -> None:
    done = command(*SMALL, "--out", tmp_path / "run", "--json")
    assert done.code == 0
    assert done.err == ""
    told = json.loads(done.out)
    assert list(told) == JSON_KEYS
    record = RunFolder(tmp_path / "run").read()
    assert (told["digest"], told["digest_turns"]) == (record.digest, record.digest_turns)
    assert (told["players"], told["games"], told["blocks"]) == (2, 60, 30)
    assert [list(bot) for bot in told["bots"]] == [["bot", "place", "seats", "win_share", "low", "high", "score"]] * 2
    assert [(bot["bot"], bot["place"], bot["seats"]) for bot in told["bots"]] == [("random", 0, 60), ("racer", 1, 60)]
    assert sum(bot["win_share"] for bot in told["bots"]) == pytest.approx(1)
    assert all(bot["low"] <= bot["win_share"] <= bot["high"] for bot in told["bots"])


def test_a_name_twice_is_one_entry(command: Command, tmp_path: Path) -> None:
    words = ("run", "usa", "--players", 4, "--bots", "racer,random,racer,random", "--games", 20, "-q", "--json")
    told = json.loads(command(*words, "--out", tmp_path / "run").out)
    assert [(bot["bot"], bot["place"], bot["seats"]) for bot in told["bots"]] == [("racer", 0, 40), ("random", 1, 40)]
    assert sum(bot["win_share"] for bot in told["bots"]) == pytest.approx(0.5)


def test_people_get_a_table_and_the_folder(command: Command, tmp_path: Path) -> None:
    out = command(*SMALL, "--out", tmp_path / "run").out
    assert out.splitlines()[-1] == str(tmp_path / "run")
    assert "60 games (30 blocks) of USA with 2 players" in out
    assert "(fair share)" in out


def test_the_folder_is_named_by_the_plan(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = json.loads(command(*SMALL, "--json").out)
    plan = RunFolder(Path(told["run"])).read().plan
    assert told["run"] == f"runs/usa-2p-{plan.hash[:8]}"
    assert json.loads(command(*SMALL, "--json").out) == told
    assert json.loads(command("run", "--resume", told["run"], "--json", "-q").out) == told


def test_planners_play_when_no_bots_are_named(command: Command, tmp_path: Path) -> None:
    words = ("run", "usa", "--players", 3, "--games", 10, "-q", "--json", "--out", tmp_path / "run")
    told = json.loads(command(*words).out)
    assert [(bot["bot"], bot["seats"]) for bot in told["bots"]] == [("planner", 30)]
    assert json.loads(command(*words, "--bots", "planner").out)["digest"] == told["digest"]


def test_a_rule_set_for_one_run(command: Command, tmp_path: Path) -> None:
    plain = json.loads(command(*SMALL, "--out", tmp_path / "plain", "--json").out)
    settings = ["trains=20", "route_scores=[1,2,4,7,10,15]"]
    how = ("--out", tmp_path / "changed", "--json", "--set", settings[0], "--set", settings[1])
    assert json.loads(command(*SMALL, *how).out)["fingerprint"] != plain["fingerprint"]
    assert json.loads((tmp_path / "changed" / "run.json").read_text())["set"] == settings
    assert command("check", tmp_path / "changed" / "edition").code == 0
    assert "trains = 20" in (tmp_path / "changed" / "edition" / "edition.toml").read_text()


def test_dry_run_tells_and_leaves_nothing(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("run", "usa", "--players", 4, "--bots", "random,racer", "--games", 1_000_000, "-q", "--dry-run")
    told = json.loads(command(*words, "--json").out)
    assert list(told) == ["games", "blocks", "parts", "bytes", "seconds", "jobs"]
    assert 1_000_000 <= told["games"] <= 1_000_003
    assert 5e8 < told["bytes"] < 2e9
    assert told["seconds"] > 0
    assert "parts: about" in command(*words).out
    assert list(tmp_path.iterdir()) == []


CRASH = """
import os

class Crash:
    def choose(self, board, view, seat):
        os._exit(1)
"""


def test_dry_run_survives_a_bot_that_ends_its_process(command: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CRASH)
    bots = f"{tmp_path / 'mine.py'}:Crash,random"
    done = command("run", "usa", "--players", 2, "--bots", bots, "--games", 100, "-q", "--dry-run")
    assert done.code == 2
    assert "ended the process" in done.err and "mine.py:Crash" in done.err


def test_dry_run_of_a_bot_in_plain_python(command: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CRASH.replace("os._exit(1)", "return -1"))
    words = ("run", "usa", "--players", 2, "--bots", f"{tmp_path / 'mine.py'}:Crash,random", "--games", 100)
    assert json.loads(command(*words, "-q", "--dry-run", "--json").out)["games"] == 100


def test_a_run_in_the_way_of_another(command: Command, tmp_path: Path) -> None:
    command(*SMALL, "--out", tmp_path / "run")
    done = command(*SMALL, "--seed", 2, "--out", tmp_path / "run")
    assert done.code == 2
    assert "holds another run (seed 1, not 2)" in done.err


def test_a_run_grows_to_a_new_total(command: Command, tmp_path: Path) -> None:
    words = ("run", "--resume", tmp_path / "run", "-q", "--json", "--games")
    command(*SMALL, "--out", tmp_path / "run")
    grown = json.loads(command(*words, 100).out)
    in_one_go = json.loads(command(*SMALL, "--games", 100, "--out", tmp_path / "one", "--json").out)
    assert (grown["games"], grown["digest"]) == (100, in_one_go["digest"])
    assert json.loads(command(*SMALL, "--out", tmp_path / "run", "--json").out)["digest"] == grown["digest"]
    assert command("audit", tmp_path / "run").code == 0
    refused = command(*words, 60)
    assert refused.code == 2
    assert "has 100 games, and --games is its new total: from 99" in refused.err


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
