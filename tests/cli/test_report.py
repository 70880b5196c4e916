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


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("replay")
    return {name: play_run(folder / name, name, 2, ("random", "random"), 3).path for name in official_names()}


@pytest.mark.parametrize("edition", official_names())
def test_a_game_is_told_in_words_and_shown_on_a_page(
    command: Command, runs: dict[str, Path], edition: str, tmp_path: Path
) -> None:
    outcome = command("replay", runs[edition], 1)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    turns = [line for line in lines if re.match(r" *\d+  (first|second) player \(random\) ", line)]
    assert lines[0].startswith("Game 1 on ")
    assert f"after {len(turns)} turns." in outcome.out
    assert re.search(r"(wins|share the win)", lines[-1])
    assert "None" not in outcome.out and "unknown" not in outcome.out, "no codes are left"
    out = tmp_path / "game.html"
    assert command("replay", runs[edition], 1, "--out", out).code == 0
    assert "Final scores" in out.read_text("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["game.html"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((77,), "has no game 77; its games are numbered 0 to 2"),
        ((77, "--out", "game.html"), "has no game 77; its games are numbered 0 to 2"),
        ((1, "--out", "game.pdf"), "must end in .html"),
        ((1, "--out", "no/game.html"), "there is no folder"),
        ((1, "--out", "game.html"), "turn 4, seat 0: scoring"),
    ],
)
def test_a_game_that_cannot_be_shown(
    command: Command, runs: dict[str, Path], home: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object], why: str
) -> None:
    """Among them a game against the rules."""
    broken = Violation(1, 4, 0, "scoring", "score is 999 in the log but should be 3")
    monkeypatch.setattr("ttr_sim.cli.film.violations_of", lambda *_: [broken])
    outcome = command("replay", runs["usa"], *words)
    assert outcome.code == 2 and why in outcome.err
    assert list(home.iterdir()) == []


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
