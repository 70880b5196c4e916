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
JSON_KEYS = [
    *("run", "edition", "fingerprint", "players", "games", "blocks", "seconds", "games_per_second"),
    *("digest", "digest_turns", "stalled", "capped", "bots"),
]


def told(command: Command, *words: object) -> dict[str, Any]:
    outcome = command(*words, "-q", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    return dict(json.loads(outcome.out))


def test_json_is_one_object_as_the_contract_has_it(command: Command, tmp_path: Path) -> None:
    run = told(command, *SMALL, "--out", tmp_path / "run")
    assert list(run) == JSON_KEYS
    record = RunFolder(tmp_path / "run").read()
    assert (run["digest"], run["digest_turns"]) == (record.digest, record.digest_turns)
    assert (run["players"], run["games"], run["blocks"]) == (2, 60, 30)
    assert [list(bot) for bot in run["bots"]] == [["bot", "place", "seats", "win_share", "low", "high", "score"]] * 2
    assert [(bot["bot"], bot["place"], bot["seats"]) for bot in run["bots"]] == [("random", 0, 60), ("racer", 1, 60)]
    assert sum(bot["win_share"] for bot in run["bots"]) == pytest.approx(1)
    assert all(bot["low"] <= bot["win_share"] <= bot["high"] for bot in run["bots"])


def test_a_name_twice_is_one_entry(command: Command, tmp_path: Path) -> None:
    words = ("run", "usa", "--players", 4, "--bots", "racer,random,racer,random", "--games", 20)
    bots = told(command, *words, "--out", tmp_path / "run")["bots"]
    assert [(bot["bot"], bot["place"], bot["seats"]) for bot in bots] == [("racer", 0, 40), ("random", 1, 40)]
    assert sum(bot["win_share"] for bot in bots) == pytest.approx(0.5)


def test_people_get_a_table_and_the_folder(command: Command, tmp_path: Path) -> None:
    out = command(*SMALL, "-q", "--out", tmp_path / "run").out
    assert out.startswith("USA · 60 games with 2 players · ")
    assert "wins per 100 games, 50.0 is a fair share" in out
    bots = json.loads(command(*SMALL, "-q", "--out", tmp_path / "run", "--json").out)["bots"]
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.startswith(("  random", "  racer"))}
    assert list(rows) == ["racer", "random"], "the best first"
    for bot in bots:
        assert rows[bot["bot"]][1:3] == [f"{bot['seats']}", f"{bot['win_share'] * 100:.1f}"]
    assert f"  NEXT  ttr-sim report {tmp_path / 'run'} " in out
    assert out.splitlines()[-1] == str(tmp_path / "run")


def test_digests_are_for_programs(command: Command, tmp_path: Path) -> None:
    digest = told(command, *SMALL, "--out", tmp_path / "run")["digest"]
    assert digest[:8] not in command(*SMALL, "--out", tmp_path / "run").out


def test_the_folder_is_named_by_the_plan(command: Command) -> None:
    run = told(command, *SMALL)
    assert run["run"] == f"runs/usa-2p-{RunFolder(Path(run['run'])).read().plan.hash[:8]}"
    assert told(command, *SMALL) == told(command, "run", "--resume", run["run"]) == run


def test_planners_play_when_no_bots_are_named(command: Command, tmp_path: Path) -> None:
    words = ("run", "usa", "--players", 3, "--games", 10, "--out", tmp_path / "run")
    run = told(command, *words)
    assert [(bot["bot"], bot["seats"]) for bot in run["bots"]] == [("planner", 30)]
    assert told(command, *words, "--bots", "planner")["digest"] == run["digest"]


def test_a_rule_set_for_one_run(command: Command, tmp_path: Path) -> None:
    plain, settings = told(command, *SMALL, "--out", tmp_path / "plain"), ["trains=20", "route_scores=[1,2,4,7,10,15]"]
    how = ("--out", tmp_path / "changed", "--set", settings[0], "--set", settings[1])
    assert told(command, *SMALL, *how)["fingerprint"] != plain["fingerprint"]
    assert json.loads((tmp_path / "changed" / "run.json").read_text())["set"] == settings
    assert command("check", tmp_path / "changed" / "edition").code == 0
    assert "trains = 20" in (tmp_path / "changed" / "edition" / "edition.toml").read_text()


def test_dry_run_tells_and_leaves_nothing(command: Command, tmp_path: Path) -> None:
    words = ("run", "usa", "--players", 4, "--bots", "random,racer", "--games", 1_000_000, "--dry-run")
    cost = told(command, *words)
    assert list(cost) == ["games", "blocks", "parts", "bytes", "seconds", "jobs"]
    assert 1_000_000 <= cost["games"] <= 1_000_003
    assert 5e8 < cost["bytes"] < 2e9
    assert cost["seconds"] > 0
    assert "parts: about" in command(*words, "-q").out
    assert list(tmp_path.iterdir()) == []


PLAIN_BOT = """
import os

class Bot:
    def choose(self, board, view, seat):
        {}
"""


def test_dry_run_with_a_bot_in_plain_python(command: Command, tmp_path: Path) -> None:
    words = ("run", "usa", "--players", 2, "--bots", f"{tmp_path / 'mine.py'}:Bot,random", "--games", 100, "--dry-run")
    (tmp_path / "mine.py").write_text(PLAIN_BOT.format("return -1"))
    assert told(command, *words)["games"] == 100
    (tmp_path / "mine.py").write_text(PLAIN_BOT.format("os._exit(1)"))
    done = command(*words, "-q")
    assert done.code == 2
    assert "ended the process" in done.err and "mine.py:Bot" in done.err


def test_a_run_in_the_way_of_another(command: Command, tmp_path: Path) -> None:
    command(*SMALL, "--out", tmp_path / "run", "-q")
    done = command(*SMALL, "--seed", 2, "--out", tmp_path / "run", "-q")
    assert done.code == 2
    assert "holds another run (seed 1, not 2)" in done.err


def test_a_run_grows_to_a_new_total(command: Command, tmp_path: Path) -> None:
    words = ("run", "--resume", tmp_path / "run", "--games")
    told(command, *SMALL, "--out", tmp_path / "run")
    grown = told(command, *words, 100)
    in_one_go = told(command, *SMALL, "--games", 100, "--out", tmp_path / "one")
    assert (grown["games"], grown["digest"]) == (100, in_one_go["digest"])
    assert told(command, *SMALL, "--out", tmp_path / "run")["digest"] == grown["digest"]
    assert command("audit", tmp_path / "run").code == 0
    refused = command(*words, 60, "-q")
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
