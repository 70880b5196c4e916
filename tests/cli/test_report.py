"""`report` and `replay`: runs that are already played as pages, and a game in words, names only."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.conftest import Command
from tests.played_runs import play_run
from ttr_sim.cli.runs import MAX_NAMED_RUNS
from ttr_sim.edition import official_names
from ttr_sim.referee.rulebook import Violation


@pytest.fixture(scope="module", params=official_names())
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    edition = str(request.param)
    run = tmp_path_factory.mktemp("replay") / edition
    play_run(run, edition, 2, ("random", "random"), 3)
    return run


def test_every_turn_is_told_and_the_end(command: Command, played: Path) -> None:
    outcome = command("replay", played, 1)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    turns = [line for line in lines if re.match(r" *\d+  (first|second) player \(random\) ", line)]
    assert lines[0].startswith("Game 1 on ")
    assert f"after {len(turns)} turns." in outcome.out
    assert re.search(r"(wins|share the win)", lines[-1])
    assert "None" not in outcome.out and "unknown" not in outcome.out, "no codes are left"


def test_a_page_is_written(command: Command, played: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    assert command("replay", played, 1, "--out", out).code == 0
    assert "Final scores" in out.read_text("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["game.html"]


@pytest.mark.parametrize(
    ("game", "name", "why"),
    [
        (77, "game.html", "has no game 77; its games are numbered 0 to 2"),
        (1, "game.pdf", "must end in .html"),
        (1, "no/game.html", "there is no folder"),
    ],
)
def test_a_page_that_cannot_be_written(
    command: Command, played: Path, tmp_path: Path, game: int, name: str, why: str
) -> None:
    for out in ((), ("--out", tmp_path / name)) if game > 1 else (("--out", tmp_path / name),):
        outcome = command("replay", played, game, *out)
        assert outcome.code == 2 and why in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_a_game_against_the_rules_is_refused(
    command: Command, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Violation(1, 4, 0, "scoring", "score is 999 in the log but should be 3")
    monkeypatch.setattr("ttr_sim.cli.film.violations_of", lambda *_: [broken])
    outcome = command("replay", played, 1, "--out", tmp_path / "game.html")
    assert outcome.code == 2
    assert "turn 4, seat 0: scoring" in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_report_of_a_run(command: Command, tmp_path: Path) -> None:
    play_run(tmp_path / "my-run", "amsterdam", 2, ("path", "racer"), 12, log="results")
    assert command("report", "my-run", "--out", "page").code == 0
    assert "--log results" in Path("page/index.html").read_text(encoding="utf-8")


def test_a_page_of_many_runs_names_the_first_and_lists_the_others(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [Path(f"run-{seed}") for seed in range(MAX_NAMED_RUNS + 2)]
    for seed, run in enumerate(runs):
        play_run(run, "amsterdam", 2, ("random",), 4, seed)
    words = ["report", *map(str, runs), "--out", "page", "-q"]
    monkeypatch.setattr(sys, "argv", ["ttr-sim", *words])
    assert command(*words).code == 0
    page = Path("page", "index.html").read_text("utf-8")
    assert f"report run-0 --out page -q (and {len(runs) - 1} more runs, listed below)" in page
    assert all(f"<dd>{run}</dd>" in page for run in runs)
