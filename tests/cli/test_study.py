"""`study` and `report`: from editions or runs to pages, and wrong use told in a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome

Command = Callable[..., Outcome]
SMALL = ("--players", "2", "--games", "12", "--bots", "path,racer", "-q")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_study_writes_a_report_and_tells_its_findings(command: Command, elsewhere: Path) -> None:
    outcome = command("study", "amsterdam", *SMALL)
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.out.startswith("Amsterdam: what stands out")
    assert outcome.out.endswith("reports/amsterdam/index.html\n")
    report = elsewhere / "reports" / "amsterdam"
    assert "ttr-sim" in (report / "index.html").read_text(encoding="utf-8")
    assert list((report / "charts").glob("*.png"))
    assert (report / "tables" / "routes.csv").is_file()


def test_ctrl_c_while_games_are_analyzed_says_how_to_go_on(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ttr_sim.report.page.write_report", interrupted)
    outcome = command("study", "amsterdam", *SMALL)
    assert outcome.code == 130
    assert outcome.err.startswith("Interrupted. Continue with: ttr-sim")


def test_study_as_one_json_object(command: Command, elsewhere: Path) -> None:
    outcome = command("study", "amsterdam", "--players", "2", "--games", 40, "--json", "-q")
    assert (outcome.code, outcome.err) == (0, "")
    told = json.loads(outcome.out)
    assert list(told) == [
        "edition",
        "fingerprint",
        "report",
        "runs",
        "findings",
        "seats",
        "tickets",
        "rewards",
        "targets",
    ]
    assert (elsewhere / told["report"]).is_file()
    assert {run["field"] for run in told["runs"]} == {"strong", "rivals", "all", "rewards"}
    assert all(set(run) == {"run", "field", "players"} for run in told["runs"])
    assert set(told["findings"][0]) == {"about", "topic", "sentence", "players", "holds"}
    assert {finding["about"] for finding in told["findings"]} <= {"board", "play", "limits"}
    assert [set(seat) for seat in told["seats"]] == [{"players", "seat", "win_share", "low", "high"}] * 2
    assert {"draws more tickets", "racer"} < {variant["variant"] for variant in told["rewards"]}
    assert set(told["rewards"][0]) == {"players", "variant", "win_share", "low", "high", "fair"}
    effects = {"class", "class_effect", "win_effect", "low", "high", "points_effect", "verdict", "grade", "holds"}
    assert set(told["tickets"][0]) == effects | {"from", "to", "points", "deck", "copy", "players", "n"}
    assert {row["players"] for row in told["tickets"]} == {0, 2}
    assert set(told["targets"][0]) == {"name", "players", "value", "low", "high", "limit", "met"}
    kinds = r"ticket .+–.+ contract( \d)?|route .+–.+ [a-z]+ \d|seat [01]|style [a-z ]+"
    assert all(re.fullmatch(kinds, target["name"]) for target in told["targets"])
    assert all(len(target["limit"]) == 2 and target["met"] in (True, False, None) for target in told["targets"])
    assert all((finding["holds"] is None) != (finding["about"] == "board") for finding in told["findings"])


@pytest.mark.slow
def test_several_editions_as_a_list(command: Command) -> None:
    told = json.loads(command("study", "amsterdam", "first_journey", *SMALL, "--json").out)
    assert [each["edition"] for each in told] == ["amsterdam", "first_journey"]
    assert {run["field"] for run in told[0]["runs"]} == {"own"}


def test_a_study_says_for_which_board_its_players_were_tuned(command: Command) -> None:
    command("new", "my-map", "--from", "amsterdam")
    how = ("--players", "2", "--games", "20", "--quick", "-q")
    changed = Path("my-map/tickets.csv")
    lines = changed.read_text("utf-8").splitlines()
    changed.write_text("\n".join(lines[:-1]), "utf-8")
    assert "tuned for this board" in " ".join(command("study", "my-map", *how).out.split())
    Path("my-map/bots.toml").unlink()
    assert "never tuned for this board" in " ".join(command("study", "my-map", *how).out.split())
    assert "tuned for this board" not in " ".join(command("study", "amsterdam", *how).out.split())


@pytest.mark.slow
def test_an_unedited_copy_gives_the_same_tables(command: Command, elsewhere: Path) -> None:
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


def test_several_editions_get_a_page_each(command: Command, elsewhere: Path) -> None:
    outcome = command("study", "amsterdam", "first_journey", *SMALL, "--out", "both")
    assert outcome.code == 0
    for name in ("amsterdam", "first_journey"):
        assert f"both/{name}/index.html\n" in outcome.out
        assert (elsewhere / "both" / name / "index.html").is_file()
    assert not (elsewhere / "both" / "index.html").exists()


def test_a_designers_own_folder(command: Command, elsewhere: Path) -> None:
    assert command("new", "my-map", "--from", "amsterdam").code == 0
    assert command("study", "my-map", "--players", "2", "--games", "20", "--quick", "-q").code == 0
    assert (elsewhere / "reports" / "my-map" / "index.html").is_file()


def test_report_of_a_run(command: Command, elsewhere: Path) -> None:
    played = command("run", "amsterdam", *SMALL, "--log", "results", "--out", "my-run")
    assert played.code == 0
    outcome = command("report", "my-run", "--out", "page")
    assert outcome.code == 0
    page = (elsewhere / "page" / "index.html").read_text(encoding="utf-8")
    assert "--log results" in page


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("study", "amsterdamm"), "amsterdam"),
        (("study", "amsterdam", "--players", "5"), "5"),
        (("report", "nowhere"), "nowhere"),
    ],
)
def test_wrong_use_is_one_sentence(command: Command, words: tuple[str, ...], told: str) -> None:
    outcome = command(*words)
    assert outcome.code == 2
    assert told in outcome.err
    assert "Traceback" not in outcome.err


def test_a_file_in_the_place_of_the_report(command: Command, elsewhere: Path) -> None:
    (elsewhere / "taken").touch()
    outcome = command("study", "amsterdam", "--out", "taken")
    assert outcome.code == 2
    assert "taken is a file" in outcome.err
