"""ttr-sim compare: runs and editions by name, its JSON, its page, and what it refuses."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.analysis.synthetic import World, write_run
from tests.cli.conftest import replace_in
from tests.conftest import Command
from tests.shuffled import shuffled_copy
from ttr_sim.edition import find_folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("runs")
    return write_run(home / "before", World(), 120), write_run(home / "after", World(seats=(15.0, 0.0)), 120)


def test_two_runs_as_one_json_object(runs: tuple[Path, Path], command: Command) -> None:
    outcome = command("compare", *runs, "--json", "-q")
    assert (outcome.code, outcome.err) == (0, "")
    told = outcome.json
    assert (told["a"], told["b"], told["paired"], told["blocks"]) == (*map(str, runs), True, 120)
    assert next(line for line in told["headlines"] if line["name"] == "Wins of the first player")["notable"]


def test_the_verdict_comes_first_and_the_page_last(runs: tuple[Path, Path], command: Command) -> None:
    lines = command("compare", *runs, "--out", "page").out.splitlines()
    assert "for the targets of before: " in lines[0]
    assert lines[-1] == Path("page/index.html").resolve().as_uri()
    assert {path.name for path in Path("page/tables").iterdir()} == {"headlines.csv", "tickets.csv", "routes.csv"}


def test_sides_are_called_as_the_user_called_them(command: Command) -> None:
    shutil.copytree(find_folder("usa"), "copy")  # with the same name and title
    out = command("compare", "usa", "copy", "--players", 2, "--games", 40, "--bots", "random,onestep", "-q").out
    table = next(line for line in out.splitlines() if "95 % interval" in line)
    assert table.split()[:2] == ["usa", "copy"]


def test_editions_are_played_on_the_same_deals(command: Command) -> None:
    command("new", "my-map", "--from", "usa")
    replace_in(Path("my-map/tickets.csv"), "Atlanta,Montréal,9", "Atlanta,Montréal,11")
    how = ("--players", 2, "--bots", "random,onestep", "--games", 40)
    told = command("compare", "usa", "my-map", *how, "--json", "-q").json
    assert told["paired"]
    assert told["changes"] == ["ticket Atlanta–Montréal (regular): points 11 instead of 9"]
    assert told["blocks"] == 20
    assert {Path(told[side]).parent for side in "ab"} == {Path("runs")}
    assert Path("reports/usa-and-my-map/index.html").is_file()
    beside = command("compare", told["a"], "my-map", "--json", "-q").json
    assert beside["b"] == told["b"]  # played as the run was, so it is there already


def test_rivals_show_how_far_a_difference_holds(command: Command, my_map: Path) -> None:
    rules = my_map / "edition.toml"
    rules.write_text(re.sub(r"(?m)^trains = \d+", "trains = 10", rules.read_text("utf-8")), "utf-8")
    told = command("compare", "amsterdam", "my-map", "--games", 120, "--players", 2, "--json", "-q").json
    rounds = next(line for line in told["headlines"] if line["name"] == "Rounds of a game")
    assert (rounds["notable"], rounds["holds"]) == (True, "same")
    assert any(sentence.startswith("Among rivals of several styles the same holds for") for sentence in told["verdict"])
    assert all((line["holds"] is None) != line["notable"] for line in told["headlines"])
    assert len(list(Path("runs").iterdir())) == 4


def test_options_of_playing_do_not_go_with_runs(runs: tuple[Path, Path], command: Command) -> None:
    outcome = command("compare", *runs, "--games", 10, "--players", 2)
    assert outcome.code == 2
    assert "omit --players, --games" in outcome.err


@pytest.mark.parametrize("other", ["itself", "usa", "shuffled"])
def test_a_side_beside_itself_or_its_shuffled_lines_is_the_same(
    runs: tuple[Path, Path], command: Command, other: str
) -> None:
    shuffled_copy("usa", Path("shuffled"))
    how = ("usa", other, "--players", 3, "--bots", "planner,random,path", "--games", 60)
    outcome = command("compare", *((runs[0], runs[0]) if other == "itself" else how))
    assert outcome.code == 0
    assert outcome.out.startswith("Every game is the same")


def test_renamed_cities_are_told(command: Command) -> None:
    command("new", "my-map", "--from", "usa")
    for file in Path("my-map").glob("*.csv"):
        file.write_text(file.read_text("utf-8").replace("Denver", "Mile High"), "utf-8")
    how = ("--players", 2, "--bots", "random,onestep", "--games", 40)
    told = command("compare", "usa", "my-map", *how, "--json", "-q").json
    assert [line for line in told["verdict"] if line.startswith("Cities were renamed (Denver is now Mile High):")]
