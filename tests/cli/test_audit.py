"""The command audit: what it prints, how it exits, and what the digests find where no rule reaches."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import Command
from tests.played_runs import play_run

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


def test_a_clean_run(command: Command, played: Path) -> None:
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


def test_an_audit_names_the_games_it_left_out_and_another_engine(
    command: Command, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ttr_sim.engine.jit.SOURCE_HASH", "another")
    unchecked = command("audit", played, "--games", 5, "-q", "--json").json["unchecked"]
    assert f"the rules in {GAMES - 5} of {GAMES} games" in unchecked
    assert any("another version" in thing for thing in unchecked)


def test_a_violation_is_shown_and_the_digest_broken(command: Command, run: Path) -> None:
    spoil(run, "seats", "score", lambda score: score + 1)
    outcome = command("audit", run, "-q", "--json")
    assert (outcome.code, outcome.json["digest_ok"]) == (1, False)
    violation = outcome.json["violations"][0]
    assert "in the log but should be" in violation.pop("message")
    assert violation == {"game": 0, "turn": None, "seat": 0, "rule": "scoring"}


def test_violations_in_words(command: Command, run: Path) -> None:
    spoil(run, "games", "margin", lambda margin: margin + 1)
    outcome = command("audit", run, "-q")
    assert outcome.code == 1
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


def test_a_file_is_no_part(command: Command, run: Path) -> None:
    (run / "turns" / "part-00000.parquet").write_text("no parquet")
    outcome = command("audit", run, "-q")
    verdict, problem, _ = outcome.out.splitlines()
    assert (outcome.code, verdict) == (1, "✗ no game could be read: the digests do not match")
    assert "part-00000.parquet is damaged" in problem


def test_what_cannot_be_audited(command: Command, run: Path) -> None:
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, "digest": None, "digest_turns": None}))
    unfinished = command("audit", run, "-q")
    assert unfinished.code == 2 and "is not finished; resume it with: ttr-sim run --resume" in unfinished.err
    shutil.rmtree(run / "turns")
    results = command("audit", run, "-q")
    assert results.code == 2 and "was logged without turns" in results.err
