"""`runs`, `report`, `replay` and `open`: runs and pages that are already there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Command
from tests.played_runs import play_run
from ttr_sim.edition import official_names
from ttr_sim.referee.rulebook import Violation
from ttr_sim.report.folder import new_report, report_on
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import RunSize
from ttr_sim.run.plan import Plan
from ttr_sim.run.record import Record


def record(digest: str | None) -> Record:
    plan = Plan("usa", "f" * 16, 4, ("planner",), 1_000, 1, "full", 2_000, "a" * 64, "b" * 64)
    return Record(plan, RunSize(1_000, 1_000, 1), (), "ttr-sim run", {}, (), digest)


@pytest.fixture
def three_runs(home: Path) -> Path:
    """A new finished run, a damaged one two hours old and an unfinished one nine days old, in folder `my runs`."""
    folder = home / "my runs"
    entries = {"new": ("d" * 64, 0), "damaged": (None, 2 * 3_600), "old": (None, 9 * 86_400)}
    for name, (digest, age) in entries.items():
        run = folder / name
        (run / "games").mkdir(parents=True)
        (run / "games" / "part-00000.parquet").write_bytes(b"x" * 2_000_000)
        RunFolder(run).write(record(digest))
        if name == "damaged":
            (run / "run.json").write_text("{")
        then = time.time() - age
        os.utime(run / "run.json", (then, then))
    return folder


def test_runs_are_listed_by_age_with_size_and_state(command: Command, three_runs: Path) -> None:
    """The printed command removes the oldest."""
    assert command("runs").out == "There are no runs in runs.\n"
    lines = command("runs", three_runs).out.splitlines()
    assert lines[0] == "no studies, 3 other runs, 6.0 MB in all"
    assert [line.replace(str(three_runs), "").split() for line in lines[3:6]] == [
        ["/new", "usa", "4", "1,000", "✓", "finished", "2.0", "MB", "new", "a", "run"],
        ["/damaged", "-", "-", "-", "✗", "damaged", "2.0", "MB", "2", "hours", "a", "run"],
        ["/old", "usa", "4", "1,000", "?", "unfinished", "2.0", "MB", "9", "days", "a", "run"],
    ]
    removal, is_last, _ = lines[-1].partition("  remove the oldest")
    assert is_last
    subprocess.run(removal, shell=True, check=True)
    assert sorted(run.name for run in three_runs.iterdir()) == ["damaged", "new"]


FACTS = {"edition": "usa", "title": "USA", "players": [4], "games": 1_000, "seed": 1, "bots": []} | {"command": ""}


def test_records_that_nobody_wrote_are_damaged_and_no_studies(command: Command, three_runs: Path) -> None:
    deep, odd = '{"plan":' * 3_000 + "1" + "}" * 3_000, {"edition": "usa", "games": "x", "digest": 1, "plan": {}}
    (three_runs / "usa").mkdir()
    for text in (deep, " " * 3_000_000, json.dumps(odd), "\ud800"):
        (three_runs / "new" / "run.json").write_bytes(text.encode("utf-8", "surrogatepass"))
        outcome = command("runs", three_runs)
        assert (outcome.code, outcome.out.count(" damaged ")) == (0, 2)
    for wrong in ({"players": 4}, {"players": ["x"]}, {"games": "many"}, {"bots": 1}):
        (three_runs / "usa" / "study.json").write_text(json.dumps(FACTS | wrong))
        outcome = command("runs", three_runs)
        assert (outcome.code, "3 other runs" in outcome.out) == (0, True)


def test_only_studies_are_pruned(command: Command, three_runs: Path) -> None:
    study = three_runs / "usa"
    (study / "4p-strong").mkdir(parents=True)
    RunFolder(study / "4p-strong").write(record("d" * 64))
    (study / "study.json").write_text(json.dumps(FACTS))
    (three_runs / "notes").mkdir()
    listed = command("runs", three_runs).out
    assert "study of USA, seed 1" in listed and listed.startswith("1 study, 3 other runs")
    pruned = command("runs", three_runs, "--prune").out
    assert "usa" in pruned and "1 folder deleted" in pruned
    assert {entry.name for entry in three_runs.iterdir()} == {"new", "damaged", "old", "notes"}
    assert "no runs of studies" in command("runs", three_runs, "--prune").out


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


def test_a_page_of_many_runs_names_the_first_and_lists_the_others(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ttr_sim.cli.runs.MAX_NAMED_RUNS", 1)
    runs = [Path(f"run-{seed}") for seed in range(3)]
    for seed, run in enumerate(runs):
        play_run(run, "amsterdam", 2, ("random",), 4, seed, log="results")
    words = ["report", *map(str, runs), "--out", "page", "-q"]
    monkeypatch.setattr(sys, "argv", ["ttr-sim", *words])
    assert command(*words).code == 0
    page = Path("page", "index.html").read_text("utf-8")
    assert f"report run-0 --out page -q (and {len(runs) - 1} more runs, listed below)" in page
    assert "--log results" in page
    assert all(f"<dd>{run}</dd>" in page for run in runs)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Addresses that the browser was asked for."""
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: addresses.append(address) is None)
    return addresses


def write_page(folder: str, board: str, text: str = "<p>a page</p>") -> str:
    with new_report(Path(folder), report_on(board)) as new:
        (new / "index.html").write_text(text, "utf-8")
    return Path(folder, "index.html").resolve().as_uri()


def test_the_page_of_an_edition_in_any_case_or_of_a_folder(command: Command, opened: list[str]) -> None:
    usa, mine = write_page("reports/usa", "usa"), write_page("reports/my-map", "my-map")
    command("new", "my-map", "--from", "amsterdam")
    Path("my-map/routes.csv").write_text("being edited", "utf-8")
    outcome = command("open", "USA", "my-map", "reports/usa", "reports/my-map/index.html")
    assert (outcome.code, outcome.out.splitlines()) == (0, [usa, mine, usa, mine])
    assert opened == [usa, mine, usa, mine]


def test_by_default_the_newest_report_of_ours(command: Command, opened: list[str]) -> None:
    missing = command("open")
    assert (missing.code, opened) == (2, [])
    assert "there is no report in reports yet; to write one: ttr-sim study usa" in missing.err
    Path("reports/notes").mkdir(parents=True)
    page = write_page("reports/europe", "europe")
    Path("reports/notes/index.html").write_text("mine", "utf-8")
    assert command("open").code == 0
    assert opened == [page]


def test_a_missing_page_comes_with_the_command_that_writes_it(command: Command, opened: list[str]) -> None:
    play_run(Path("my-run"), "amsterdam", 2, ("random", "random"), 4)
    lines = {
        "usa": "there is no report on usa yet; to write one: ttr-sim study usa",
        "my-run": "no page in reports is about my-run; to write one: ttr-sim report my-run",
        "usaa": 'no edition or folder "usaa" (did you mean "usa"?)',
    }
    write_page("reports/europe", "europe")
    for name, sentence in lines.items():
        outcome = command("open", "europe", name)
        assert (outcome.code, opened) == (2, [])
        assert sentence in outcome.err


def test_the_page_of_a_run_or_of_its_study(command: Command, opened: list[str]) -> None:
    play_run(Path("my-run"), "amsterdam", 2, ("random", "random"), 4)
    study = Path("runs/amsterdam")
    play_run(study / "2p-own", "amsterdam", 2, ("random", "random"), 4)
    facts = FACTS | {"edition": "amsterdam", "title": "Amsterdam", "players": [2], "games": 4}
    (study / "study.json").write_text(json.dumps(facts), "utf-8")
    write_page("reports/europe", "europe")
    own = write_page("reports/own", "amsterdam", "<dd>my-run</dd>")
    of_study = write_page("reports/amsterdam", "amsterdam", f"<dd>{study}/2p-own</dd>")
    assert command("open", "my-run", study, study / "2p-own").code == 0
    assert opened == [own, of_study, of_study]
