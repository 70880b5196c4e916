"""`study`: from editions to pages, JSON and exit codes."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.conftest import set_points
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
    outcome = command("study", "amsterdam", "first_journey", *SMALL, "--quick", "--out", "both")
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
    """Keys and types are held by tests/golden/words, values here."""
    outcome = command("study", "amsterdam", "--players", "2", "--games", 40, "--json", "-q")
    assert (outcome.code, outcome.err) == (0, "")
    told = outcome.json
    keys = ["edition", "fingerprint", "report", "runs", "verdict", "cards", "findings", "seats", "tickets", "routes"]
    assert list(told) == [*keys, "rewards", "targets"]
    assert told["verdict"]["word"] in ("fair", "nearly fair", "not fair", "not sure yet")
    assert [card["topic"] for card in told["cards"]][:4] == ["tickets", "turn order", "routes", "strategy"]
    assert {card["state"] for card in told["cards"]} <= {"met", "open", "missed", "odd"}
    assert (Path() / told["report"]).is_file()
    assert {run["field"] for run in told["runs"]} == {"strong", "rivals", "all", "rewards"}
    assert {finding["about"] for finding in told["findings"]} <= {"board", "play", "limits"}
    assert all(not finding["holds"] for finding in told["findings"] if finding["about"] != "board")
    assert {"draws more tickets", "racer"} < {variant["variant"] for variant in told["rewards"]}
    assert {row["players"] for row in told["tickets"]} == {0, 2}
    judged = [row for row in told["tickets"] if row["players"] == 0]
    assert {row["state"] for row in judged} <= {"met", "open", "missed", None}
    assert {row["side"] for row in judged} <= {"generous", "stingy", ""}
    assert all(set(row["holds"].values()) <= {"same", "unsure", "reversed"} for row in judged)
    assert "rivals" in judged[0]["holds"] and "racer" in judged[0]["holds"]
    assert all(row["state"] is None for row in told["tickets"] if row["players"])
    kinds = r"ticket .+–.+ contract( \d)?|route .+–.+ [a-z]+ \d|seat [01]|style [a-z ]+"
    assert all(re.fullmatch(kinds, target["name"]) for target in told["targets"])
    assert all(len(target["limit"]) == 2 for target in told["targets"])
    states = Counter(target["state"] for target in told["targets"])
    assert set(states) <= {"met", "open", "missed", None}
    assert all(told["verdict"][state] == states[state] for state in ("met", "open", "missed")), "one notion of fair"


def test_a_study_says_for_which_board_its_players_were_tuned(command: Command, my_map: Path) -> None:
    how = ("--players", "2", "--games", "20", "--quick", "-v", "-q")
    changed = my_map / "tickets.csv"
    changed.write_text("\n".join(changed.read_text("utf-8").splitlines()[:-6]), "utf-8")
    assert "was not tuned for this board" in command("study", "my-map", *how).out
    (my_map / "bots.toml").unlink()
    assert "was not tuned for this board: `ttr-sim tune my-map`" in command("study", "my-map", *how).out
    assert "tuned for this board" not in command("study", "amsterdam", *how).out


@pytest.mark.slow
def test_an_unedited_copy_gives_the_same_tables(command: Command) -> None:
    command("new", "my-map", "--from", "usa")
    tables = []
    for edition in ("usa", "my-map"):
        assert command("study", edition, "--players", "2", "--games", "20", "-q").code == 0
        tables.append({file.name: file.read_bytes() for file in Path(f"reports/{edition}/tables").iterdir()})
    assert len(tables[0]) > 15
    assert tables[0] == tables[1]


def test_a_quick_study_is_short_and_strong_players_alone(command: Command) -> None:
    told = command("study", "amsterdam", "--players", "2,3", "--quick", "--games", 600, "--json").json
    assert [(run["field"], run["players"]) for run in told["runs"]] == [("strong", 2), ("strong", 3)]
    plans = [open_run(run["run"]).plan for run in told["runs"]]
    assert [plan.tables for plan in plans] == [("turns", "tickets", "seats", "games")] * 2
    assert all(4 * plan.part_size <= 2_000 for plan in plans), "several workers share a player count"
    assert Path(told["report"]).is_file()
    assert not Path("reports/amsterdam/charts").exists()


def test_targets_make_an_exit_code(command: Command, my_map: Path) -> None:
    set_points(14, my_map)
    how = ("--players", 2, "--quick", "--games", 2_000, "--fail", "missed", "-q")
    done = command("study", my_map, *how, "--json")
    assert (done.code, done.err) == (1, "")
    names = {target["name"] for target in done.json["targets"] if target["state"] == "missed"}
    assert "ticket Begijnhof–Blauwbrug contract" in names
    assert all(row["try"] is None for row in done.json["tickets"]), "nothing is replayed in a quick study"


def test_open_shows_the_page(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    words = ("study", "amsterdam", "--players", 2, "--bots", "random", "--games", 20, "--quick", "--open")
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) is None)
    assert command(*words, "-q").code == 0
    assert opened == [Path("reports/amsterdam/index.html").resolve().as_uri()]
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    assert f"no browser was found; open {opened[0]} yourself" in command(*words).err


def test_force_replaces_a_page_of_the_user_or_of_another_board(command: Command) -> None:
    for name in ("mine/index.html", "board.svg"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("mine", "utf-8")
    assert command("show", "amsterdam", "--out", "board.svg", "--force").code == 0
    assert command("show", "amsterdam", "--out", "board.svg").code == 0
    assert command("show", "usa", "--out", "board.svg").code == 2
    how = (*SMALL, "--quick", "--out", "mine")
    assert command("study", "amsterdam", *how, "--force").code == 0
    assert command("study", "amsterdam", *how).code == 0
    assert "holds the report on amsterdam" in command("study", "usa", *how).err
