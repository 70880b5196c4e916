"""Runs, studies and comparisons that stop when they know enough."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from ttr_sim.analysis.until import QUICK_LOOKS
from ttr_sim.run.opened import open_run

Command = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def my_map(command: Command) -> Path:
    command("new", "my-map", "--from", "amsterdam")
    tickets = Path("my-map/tickets.csv")
    lines = tickets.read_text("utf-8").splitlines()
    head, *cells, points, deck = lines[1].split(",")
    lines[1] = ",".join((head, *cells, str(int(points) + 9), deck))
    tickets.write_text("\n".join(lines) + "\n", "utf-8")
    return Path("my-map")


def test_a_run_stops_when_it_knows_enough(command: Command) -> None:
    words = ("run", "amsterdam", "--players", 2, "--log", "results", "--until", 9)
    done = command(*words, "--json")
    told = json.loads(done.out)
    assert told["games"] == 3_000
    assert "2,000 games: every headline is known to ±9.3 wins in 100" in done.err
    assert json.loads(command(*words, "--json", "-q").out)["digest"] == told["digest"]
    plain = json.loads(command("run", *words[1:6], "--games", 3_000, "--out", "plain", "--json", "-q").out)
    assert plain["digest"] == told["digest"]


def test_a_run_stops_at_the_most_games(command: Command) -> None:
    words = ("run", "amsterdam", "--players", 2, "--bots", "random", "--games", 300, "--until", 1, "--json", "-q")
    assert json.loads(command(*words).out)["games"] == 300


def test_a_quick_study_is_short_and_strong_players_alone(command: Command) -> None:
    done = command("study", "amsterdam", "--players", "2,3", "--quick", "--games", 600, "--json")
    told = json.loads(done.out)
    assert [(run["field"], run["players"]) for run in told["runs"]] == [("strong", 2), ("strong", 3)]
    plans = [open_run(run["run"]).plan for run in told["runs"]]
    assert [plan.tables for plan in plans] == [("tickets", "seats", "games")] * 2
    assert all(4 * plan.part_size <= QUICK_LOOKS[0] for plan in plans), "the first look keeps several workers busy"
    assert Path(told["report"]).is_file()
    assert not Path("reports/amsterdam/charts").exists()
    assert "1,200 games: every headline is known to" in done.err
    limits = [finding["sentence"] for finding in told["findings"] if finding["about"] == "limits"]
    assert sum("logged without turns" in sentence for sentence in limits) == 1


def test_a_study_until_is_completed_by_smaller_fields(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ttr_sim.cli.studying.DEFAULT_GAMES", 40)
    told = json.loads(command("study", "amsterdam", "--players", 2, "--until", 20, "--games", 3_000, "--json").out)
    games = {run["field"]: open_run(run["run"]).finished_games for run in told["runs"]}
    assert games["strong"] == 2_000
    assert games["rivals"] <= 24


def test_a_comparison_stops_when_it_is_sure(command: Command, my_map: Path) -> None:
    words = ("compare", "amsterdam", my_map, "--players", 2, "--until", "sure", "--least", 4, "--json", "-q")
    told = json.loads(command(*words).out)
    found = {headline["name"]: headline for headline in told["headlines"]}
    least = {name: 0.04 if "Wins" in name or "Tickets" in name else 0.04 * abs(row["a"]) for name, row in found.items()}
    assert 2_000 <= told["blocks"] < 20_000
    assert all(
        row["low"] > 0 or row["high"] < 0 or max(-row["low"], row["high"]) <= least[name] for name, row in found.items()
    )
    assert any("looked at again and again" in sentence for sentence in told["verdict"])


def test_targets_make_an_exit_code(command: Command, my_map: Path) -> None:
    how = ("--players", 2, "--quick", "--games", 2_000, "--check", "-q")
    done = command("study", my_map, *how)
    missed = [line for line in done.out.splitlines() if line.startswith("missed: ")]
    assert done.code == 1
    assert "wins in 100 beyond its class; wanted: −5.0 to 5.0" in " ".join(missed)
    as_json = command("study", my_map, *how, "--json")
    assert (as_json.code, as_json.err) == (1, "")
    assert sum(target["met"] is False for target in json.loads(as_json.out)["targets"]) == len(missed)


def test_a_board_that_misses_nothing(command: Command, my_map: Path) -> None:
    rules = my_map / "edition.toml"
    rules.write_text(rules.read_text("utf-8") + "\n[targets]\nmargin = 50.0\n", "utf-8")
    done = command("study", my_map, "--players", 2, "--quick", "--games", 300, "--check", "-q")
    assert done.code == 0
    assert done.out.endswith("No target is missed.\n")


def test_open_shows_the_page(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) is None)
    done = command("study", "amsterdam", "--players", 2, "--bots", "random", "--games", 20, "--open", "-q")
    assert done.code == 0
    assert opened == [Path("reports/amsterdam/index.html").resolve().as_uri()]
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    done = command("study", "amsterdam", "--players", 2, "--bots", "random", "--games", 20, "--open")
    assert f"no browser was found; open {opened[0]} yourself" in done.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("run", "usa", "--players", 2, "--until", 0), "--until"),
        (("run", "usa", "--players", 2, "--until", 1, "--dry-run"), "--dry-run cannot know"),
        (("run", "--resume", "nowhere", "--until", 1), "omit --until"),
        (("study", "usa", "--until", "sure"), "--until"),
        (("study", "usa", "--until", 1, "--quick"), "omit --until or --quick"),
        (("compare", "usa", "europe", "--until", 1), "--until"),
    ],
)
def test_wrong_use_is_one_sentence(command: Command, words: tuple[object, ...], sentence: str) -> None:
    done = command(*words)
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert sentence in done.err


def test_played_runs_are_not_grown_by_a_comparison(command: Command) -> None:
    for seed in (1, 2):
        words = ("run", "amsterdam", "--players", 2, "--bots", "random", "--games", 20, "-q")
        command(*words, "--seed", seed, "--out", f"run-{seed}")
    refused = command("compare", "run-1", "run-2", "--until", "sure")
    assert refused.code == 2
    assert "omit --until" in refused.err
