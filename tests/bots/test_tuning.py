"""bots.toml: read, checked at its lines, written, and shared by the two sides of a comparison."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from ttr_sim.bots import load_bots
from ttr_sim.bots.api import load_style
from ttr_sim.bots.tuning import FITTING, Tuned, check_tuned, state_of_tuning, tuned_of, write_tuned
from ttr_sim.edition import find_folder, load_edition, official_names
from ttr_sim.edition.problems import Problems
from ttr_sim.edition.write import with_bots_of
from ttr_sim.errors import UserError

PLANNER = [parameter.name for parameter in load_style("planner").parameters]
Command = Callable[..., Outcome]


@pytest.fixture
def board(tmp_path: Path) -> Path:
    return Path(shutil.copytree(find_folder("amsterdam"), tmp_path / "board"))


def write(board: Path, text: str) -> Path:
    (board / "bots.toml").write_text(text, encoding="utf-8")
    return board


@pytest.mark.parametrize("name", official_names())
def test_the_official_boards_are_tuned(name: str) -> None:
    edition = load_edition(name)
    tuned = tuned_of(edition)
    assert set(tuned.values["planner"]) <= set(PLANNER)
    assert state_of_tuning(edition, "planner") == FITTING


def test_values_replace_defaults_and_the_blocker_shares_the_planners(board: Path) -> None:
    edition = load_edition(write(board, "[planner]\ngreed = 0.5\n[racer]\n[blocker]\ntempo = 1"))
    planner, blocker, greedy = load_bots(["planner", "blocker", "planner:greed=0.7"], edition).table["parameters"]
    greed, tempo = PLANNER.index("greed"), PLANNER.index("tempo")
    assert (planner[greed], blocker[greed], greedy[greed]) == (0.5, 0.5, 0.7)
    assert (planner[tempo], blocker[tempo]) == (load_style("planner").parameters[tempo].default, 1)


def test_a_board_without_the_file_plays_the_defaults(board: Path) -> None:
    (board / "bots.toml").unlink()
    defaults = [each.default for each in load_style("planner").parameters]
    assert load_bots(["planner"], load_edition(board)).table["parameters"][0][: len(defaults)].tolist() == defaults
    check_tuned(board, problems := Problems())
    assert not problems.errors


def test_the_file_counts_for_the_bots_and_not_for_the_board(board: Path) -> None:
    before = load_edition(board)
    after = load_edition(write(board, "[planner]\ngreed = 0.5"))
    assert before.fingerprint == after.fingerprint
    assert load_bots(["planner"], before).fingerprint != load_bots(["planner"], after).fingerprint
    assert load_bots(["racer"], before).fingerprint == load_bots(["racer"], after).fingerprint


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[planner]\n\ngred = 1", 'bots.toml:3:1: planner has no parameter "gred" (did you mean "greed"?)'),
        ("planner = 1", "bots.toml:1:1: planner must be a table"),
        ("[planner]\ngreed = true", "bots.toml:2:1: greed must be a number, not True"),
        ("[planner]\ngreed = nan", "bots.toml:2:1: greed must be from 0 to 2, not nan"),
        ("[planner]\ngreed = 7", "bots.toml:2:1: greed must be from 0 to 2, not 7"),
        ("[planner]\ngreed =", "bots.toml:2:1: not valid TOML"),
    ],
)
def test_mistakes_are_reported_at_their_line(board: Path, command: Command, text: str, problem: str) -> None:
    outcome = command("check", write(board, text))
    assert outcome.code == 1
    assert problem in outcome.out
    with pytest.raises(UserError) as refusal:
        load_bots(["planner"], load_edition(board))
    assert problem in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("[planer]", 'bots.toml:1:2: warning: there is no style "planer", so its values are ignored'),
        ("[classic]\ngreed = 1", 'there is no style "classic", so its values are ignored'),
        ("[tuned]\nplanner = { gain = 1 }", "bots.toml:2:1: warning: tuned.planner is ignored"),
    ],
)
def test_tables_of_other_versions_are_ignored_with_a_warning(
    board: Path, command: Command, text: str, warning: str
) -> None:
    outcome = command("check", write(board, text))
    assert outcome.code == 0 and warning in outcome.out
    load_bots(["planner"], load_edition(board))


def test_text_that_is_not_utf8_is_reported_once(board: Path, command: Command) -> None:
    (board / "bots.toml").write_bytes(b"# \xff")
    assert len(json.loads(command("check", board, "--json").out)["errors"]) == 1


def test_what_is_written_is_read_back(board: Path) -> None:
    known = Tuned({"racer": {"greed": 1.0}, "planner": {"greed": 0.1}}, {})
    write_tuned(load_edition(board), "planner", {"greed": 0.5, "thrift": 1e-05}, known)
    found = tuned_of(load_edition(board))
    assert found.values == {"racer": {"greed": 1.0}, "planner": {"greed": 0.5, "thrift": 1e-05}}
    assert state_of_tuning(load_edition(board), "planner") == FITTING


def test_one_boards_bots_on_another(board: Path) -> None:
    usa, mine = load_edition("usa"), load_edition(board)
    assert tuned_of(with_bots_of(mine, usa)) == tuned_of(usa)
    (board / "bots.toml").unlink()
    assert tuned_of(with_bots_of(usa, load_edition(board))) == Tuned()


def test_an_unedited_copy_plays_the_same_games(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command("new", "my-map", "--from", "usa")
    how = ("--players", 2, "--games", 20, "--jobs", 1, "--json", "-q")
    played, copied = (json.loads(command("run", name, *how).out) for name in ("usa", "my-map"))
    assert played["digest"] == copied["digest"]
    assert (Path(copied["run"]) / "edition" / "bots.toml").read_bytes() == Path("my-map/bots.toml").read_bytes()
