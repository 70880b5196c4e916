"""`ttr-sim run` and `audit`: results, refusals, and changes of a log that only digests find."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import Command
from tests.played_runs import play_run
from ttr_sim.run.folder import RunFolder

SMALL = ("run", "usa", "--players", 2, "--bots", "random,racer", "--games", 60)


def told(command: Command, *words: object) -> dict[str, Any]:
    outcome = command(*words, "-q", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    return dict(outcome.json)


def test_what_was_played_and_who_won_as_json_and_as_a_table(command: Command) -> None:
    run = told(command, *SMALL, "--out", "run")
    record = RunFolder(Path("run")).read()
    assert (run["digest"], run["digest_turns"]) == (record.digest, record.digest_turns)
    assert (run["players"], run["games"], run["blocks"]) == (2, 60, 30)
    assert [(bot["bot"], bot["place"], bot["seats"]) for bot in run["bots"]] == [("random", 0, 60), ("racer", 1, 60)]
    assert sum(bot["win_share"] for bot in run["bots"]) == pytest.approx(1)
    assert all(bot["low"] <= bot["win_share"] <= bot["high"] for bot in run["bots"])
    out = command(*SMALL, "-q", "--out", "run").out
    assert out.startswith("USA · 60 games with 2 players · ")
    assert "wins per 100 games, 50.0 is a fair share" in out
    assert run["digest"][:8] not in out, "digests are for programs"
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.startswith(("  random", "  racer"))}
    assert list(rows) == ["racer", "random"], "the best first"
    for bot in run["bots"]:
        assert rows[bot["bot"]][1:3] == [f"{bot['seats']}", f"{bot['win_share'] * 100:.1f}"]
    assert "  NEXT  ttr-sim report run " in out
    assert out.splitlines()[-1] == "run"


def test_a_name_twice_is_one_entry(command: Command) -> None:
    words = ("run", "usa", "--players", 4, "--bots", "racer,random,racer,random", "--games", 20)
    bots = told(command, *words, "--out", "run")["bots"]
    assert [(bot["bot"], bot["place"], bot["seats"]) for bot in bots] == [("racer", 0, 40), ("random", 1, 40)]
    assert sum(bot["win_share"] for bot in bots) == pytest.approx(0.5)


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


GAMES = 12


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("audit") / "run"
    play_run(run, "amsterdam", 2, ("random", "random"), GAMES)
    return run


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """A copy to spoil."""
    return Path(shutil.copytree(played, tmp_path / "run"))


def spoil(run: Path, table: str, column: str, change: Callable[[Any], Any]) -> None:
    """Change the column's first cell, the file's metadata kept."""
    file = run / table / "part-00000.parquet"
    rows = pq.read_table(file)
    field = rows.schema.field(column)
    first, *others = rows[column].to_pylist()
    changed = pa.array([change(first), *others]).cast(field.type)
    metadata = {key: value for key, value in pq.read_metadata(file).metadata.items() if key != b"ARROW:schema"}
    spoiled = rows.set_column(rows.schema.get_field_index(column), field, changed)
    pq.write_table(spoiled.replace_schema_metadata(metadata), file)


def test_a_clean_run_and_what_was_not_checked(command: Command, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = command("audit", played, "-q")
    verdict, unchecked = outcome.out.splitlines()
    assert outcome.code == 0
    assert verdict.startswith(f"✓ {GAMES} games with ")
    assert verdict.endswith("no rule was broken; the plan was followed; the digests match")
    assert unchecked.startswith("Not checked: what bots published as wanted, on which contention rests")
    found = command("audit", played, "-q", "--json").json
    turns = pq.read_metadata(played / "turns" / "part-00000.parquet").num_rows
    checked, unchecked = found.pop("checked"), found.pop("unchecked")
    assert found == {"run": str(played), "games": GAMES, "turns": turns, "violations": [], "digest_ok": True}
    assert f"the rules in {GAMES} of {GAMES} games" in checked and len(checked) == 3
    assert not any("rules" in thing or "version" in thing for thing in unchecked)
    monkeypatch.setattr("ttr_sim.engine.jit.SOURCE_HASH", "another")
    unchecked = command("audit", played, "--games", 5, "-q", "--json").json["unchecked"]
    assert f"the rules in {GAMES - 5} of {GAMES} games" in unchecked
    assert any("another version" in thing for thing in unchecked)


def test_a_violation_in_json_and_in_words(command: Command, run: Path) -> None:
    spoil(run, "games", "margin", lambda margin: margin + 1)
    outcome, told = command("audit", run, "-q"), command("audit", run, "-q", "--json")
    assert (outcome.code, told.code, told.json["digest_ok"]) == (1, 1, False)
    (violation,) = told.json["violations"]
    assert "in the log but should be" in violation.pop("message")
    assert violation == {"game": 0, "turn": None, "seat": None, "rule": "standings"}
    assert "game 0, final scoring: standings: margin is" in outcome.out
    assert "1 violation in 1 of them; the digests do not match\n" in outcome.out


@pytest.mark.parametrize(
    ("table", "column", "change"),
    [
        ("games", "deal", lambda deal: deal + 1),
        ("seats", "bot", lambda bot: "planner"),
        ("seats", "plans", lambda plans: not plans),
    ],
)
def test_what_no_rule_reaches_the_digest_finds(
    command: Command, run: Path, table: str, column: str, change: Callable[[Any], Any]
) -> None:
    spoil(run, table, column, change)
    outcome = command("audit", run, "-q", "--json")
    assert (outcome.code, outcome.json["violations"], outcome.json["digest_ok"]) == (1, [], False)


def test_what_cannot_be_audited(command: Command, run: Path) -> None:
    (run / "turns" / "part-00000.parquet").write_text("no parquet")
    outcome = command("audit", run, "-q")
    verdict, problem, _ = outcome.out.splitlines()
    assert (outcome.code, verdict) == (1, "✗ no game could be read: the digests do not match")
    assert "part-00000.parquet is damaged" in problem
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, "digest": None, "digest_turns": None}))
    unfinished = command("audit", run, "-q")
    assert unfinished.code == 2 and "is not finished; resume it with: ttr-sim run --resume" in unfinished.err
    shutil.rmtree(run / "turns")
    results = command("audit", run, "-q")
    assert results.code == 2 and "was logged without turns" in results.err
