"""`study`: from editions to pages, JSON and exit codes."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import Command
from ttr_sim.run.read import open_run

SMALL = ("--players", "2", "--games", "12", "--bots", "path,racer", "-q")


def test_study_writes_a_report_for_each_edition(command: Command) -> None:
    outcome = command("study", "amsterdam", *SMALL)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("Amsterdam · ")
    assert outcome.out.endswith("reports/amsterdam/index.html\n")
    report = Path("reports/amsterdam")
    assert "ttr-sim" in (report / "index.html").read_text(encoding="utf-8")
    assert list((report / "charts").glob("*.png"))
    assert (report / "tables" / "routes.csv").is_file()
    outcome = command("study", "amsterdam", "first_journey", *SMALL, "--out", "both")
    assert outcome.code == 0
    for name in ("amsterdam", "first_journey"):
        assert f"both/{name}/index.html\n" in outcome.out
        assert Path("both", name, "index.html").is_file()
    assert not Path("both/index.html").exists()


def test_ctrl_c_while_games_are_analyzed_says_how_to_go_on(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ttr_sim.report.page.write_report", interrupted)
    outcome = command("study", "amsterdam", *SMALL)
    assert outcome.code == 130
    assert outcome.err.startswith("Interrupted. Continue with: ttr-sim")


def test_study_as_one_json_object(command: Command) -> None:
    outcome = command("study", "amsterdam", "--players", "2", "--games", 40, "--json", "-q")
    assert (outcome.code, outcome.err) == (0, "")
    told = json.loads(outcome.out)
    keys = ["edition", "fingerprint", "report", "runs", "verdict", "cards", "findings", "seats", "tickets", "routes"]
    assert list(told) == [*keys, "rewards", "targets"]
    assert list(told["verdict"]) == ["word", "met", "open", "missed"]
    assert told["verdict"]["word"] in ("fair", "nearly fair", "not fair", "not sure yet")
    of_card = ["topic", "state", "players", "value", "low", "high", "limit", "official", "sentence"]
    assert all(list(card) == of_card for card in told["cards"])
    assert [card["topic"] for card in told["cards"]][:4] == ["tickets", "turn order", "routes", "strategy"]
    assert {card["state"] for card in told["cards"]} <= {"met", "open", "missed", "odd"}
    assert (Path() / told["report"]).is_file()
    assert {run["field"] for run in told["runs"]} == {"strong", "rivals", "all", "rewards"}
    assert all(set(run) == {"run", "field", "players"} for run in told["runs"])
    assert set(told["findings"][0]) == {"about", "topic", "sentence", "players", "holds"}
    assert {finding["about"] for finding in told["findings"]} <= {"board", "play", "limits"}
    assert [set(seat) for seat in told["seats"]] == [{"players", "seat", "win_share", "low", "high"}] * 2
    assert {"draws more tickets", "racer"} < {variant["variant"] for variant in told["rewards"]}
    assert set(told["rewards"][0]) == {"players", "variant", "win_share", "low", "high", "fair"}
    of_ticket = {"from", "to", "points", "deck", "copy", "players", "n", "trains", "win_effect", "expected", "excess"}
    assert set(told["tickets"][0]) == of_ticket | {"low", "high", "state", "side", "holds", "try", "tried"}
    judged = [row for row in told["tickets"] if row["players"] == 0]
    assert {row["state"] for row in judged} <= {"met", "open", "missed", None}
    assert {row["side"] for row in judged} <= {"generous", "stingy", ""}
    assert all(set(row["holds"].values()) <= {"same", "unsure", "reversed"} for row in judged)
    assert "rivals" in judged[0]["holds"] and "racer" in judged[0]["holds"]
    assert all(row["state"] is None for row in told["tickets"] if row["players"])
    of_route = {"from", "to", "color", "copy", "players", "claims", "contention", "denial"}
    assert set(told["routes"][0]) == of_route
    assert {row["players"] for row in told["tickets"]} == {0, 2}
    assert set(told["targets"][0]) == {"name", "measure", "players", "value", "low", "high", "limit", "state"}
    kinds = r"ticket .+–.+ contract( \d)?|route .+–.+ [a-z]+ \d|seat [01]|style [a-z ]+"
    assert all(re.fullmatch(kinds, target["name"]) for target in told["targets"])
    assert all(len(target["limit"]) == 2 for target in told["targets"])
    states = Counter(target["state"] for target in told["targets"])
    assert set(states) <= {"met", "open", "missed", None}
    assert all(told["verdict"][state] == states[state] for state in ("met", "open", "missed")), "one notion of fair"
    assert all(not finding["holds"] for finding in told["findings"] if finding["about"] != "board")


def test_a_study_says_for_which_board_its_players_were_tuned(command: Command) -> None:
    command("new", "my-map", "--from", "amsterdam")
    how = ("--players", "2", "--games", "20", "--quick", "-v", "-q")
    changed = Path("my-map/tickets.csv")
    lines = changed.read_text("utf-8").splitlines()
    changed.write_text("\n".join(lines[:-6]), "utf-8")
    assert "was not tuned for this board" in command("study", "my-map", *how).out
    Path("my-map/bots.toml").unlink()
    assert "was not tuned for this board: `ttr-sim tune my-map`" in command("study", "my-map", *how).out
    assert "tuned for this board" not in command("study", "amsterdam", *how).out


@pytest.mark.slow
def test_an_unedited_copy_gives_the_same_tables(command: Command) -> None:
    command("new", "my-map", "--from", "usa")
    how = ("--players", "2", "--games", "20", "-q")
    for edition in ("usa", "my-map"):
        assert command("study", edition, *how).code == 0
    tables = [
        {file.name: file.read_bytes() for file in Path(f"reports/{name}/tables").iterdir()}
        for name in ("usa", "my-map")
    ]
    assert len(tables[0]) > 15
    assert tables[0] == tables[1]


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
    how = ("--players", 2, "--quick", "--games", 2_000, "--fail", "missed", "-q")
    done = command("study", my_map, *how)
    missed = [line.split()[1] for line in done.out.splitlines() if line.startswith("  ✗ ")]
    assert done.code == 1
    assert "Tickets" in missed and "Begijnhof–Blauwbrug" in missed
    as_json = command("study", my_map, *how, "--json")
    assert (as_json.code, as_json.err) == (1, "")
    told = json.loads(as_json.out)
    assert "ticket Begijnhof–Blauwbrug contract" in {
        target["name"] for target in told["targets"] if target["state"] == "missed"
    }
    assert all(row["try"] is None for row in told["tickets"]), "nothing is replayed in a quick study"


def test_a_board_that_misses_nothing(command: Command, my_map: Path) -> None:
    rules = my_map / "edition.toml"
    rules.write_text(
        rules.read_text("utf-8")
        + "\n[targets]\nmargin = 50.0\nclaimed = 0.0\nfought_over = 100.0\nlocked_out = 100.0\n",
        "utf-8",
    )
    done = command("study", my_map, "--players", 2, "--quick", "--games", 300, "--fail", "missed", "-q")
    assert done.code == 0
    assert "  FAIR   nothing to fix" in done.out


def test_open_shows_the_page(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) is None)
    done = command("study", "amsterdam", "--players", 2, "--bots", "random", "--games", 20, "--open", "-q")
    assert done.code == 0
    assert opened == [Path("reports/amsterdam/index.html").resolve().as_uri()]
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    done = command("study", "amsterdam", "--players", 2, "--bots", "random", "--games", 20, "--open")
    assert f"no browser was found; open {opened[0]} yourself" in done.err


def test_force_replaces_a_page_of_the_user_or_of_another_board(command: Command) -> None:
    for name in ("mine/index.html", "board.svg"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("mine", "utf-8")
    assert command("show", "amsterdam", "--out", "board.svg", "--force").code == 0
    assert command("show", "amsterdam", "--out", "board.svg").code == 0
    assert command("show", "usa", "--out", "board.svg").code == 2
    assert command("study", "amsterdam", *SMALL, "--out", "mine", "--force").code == 0
    assert command("study", "amsterdam", *SMALL, "--out", "mine").code == 0
    assert "holds the report on amsterdam" in command("study", "usa", *SMALL, "--out", "mine").err
