"""`ttr-sim open` and `ttr-sim help`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Command
from tests.played_runs import play_run
from ttr_sim.cli.main import COMMANDS
from ttr_sim.report.folder import new_report, report_on


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Addresses that the browser was asked for."""
    addresses: list[str] = []

    def remember(address: str) -> bool:
        addresses.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", remember)
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
    facts = {"edition": "amsterdam", "title": "Amsterdam", "players": [2], "games": 4, "seed": 1, "bots": []}
    (study / "study.json").write_text(json.dumps(facts), "utf-8")
    write_page("reports/europe", "europe")
    own = write_page("reports/own", "amsterdam", "<dd>my-run</dd>")
    of_study = write_page("reports/amsterdam", "amsterdam", f"<dd>{study}/2p-own</dd>")
    assert command("open", "my-run", study, study / "2p-own").code == 0
    assert opened == [own, of_study, of_study]


def test_help_is_that_of_the_command(command: Command) -> None:
    assert command("help").out == command("--help").out
    for name in COMMANDS:
        assert command("help", name).out == command(name, "--help").out
    wrong = command("help", "stdy")
    assert (wrong.code, 'no command "stdy" (did you mean "study"?)' in wrong.err) == (2, True)
