"""Quick studies, targets with an exit code, and pages that open."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
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


def test_a_quick_study_is_short_and_strong_players_alone(command: Command) -> None:
    done = command("study", "amsterdam", "--players", "2,3", "--quick", "--games", 600, "--json")
    told = json.loads(done.out)
    assert [(run["field"], run["players"]) for run in told["runs"]] == [("strong", 2), ("strong", 3)]
    plans = [open_run(run["run"]).plan for run in told["runs"]]
    assert [plan.tables for plan in plans] == [("turns", "tickets", "seats", "games")] * 2
    assert all(4 * plan.part_size <= 2_000 for plan in plans), "several workers share a player count"
    assert Path(told["report"]).is_file()
    assert not Path("reports/amsterdam/charts").exists()


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
