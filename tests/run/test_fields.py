"""Fields: told from a run's bots, and what a study plays of each."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.run.plans import plan_of
from ttr_sim.bots import STYLE_NAMES
from ttr_sim.bots.api import parse_spec
from ttr_sim.edition import find_folder, load_edition
from ttr_sim.run.backends import ThisMachine
from ttr_sim.run.control import Silence
from ttr_sim.run.fields import ALL_BOTS, field_of, variants
from ttr_sim.run.plan import FULL, RESULTS
from ttr_sim.run.study import Study, play_study

FIELDS = ("rivals", "all", "rewards")


@pytest.mark.parametrize(
    ("players", "bots", "log", "field"),
    [
        (2, "planner", FULL, "strong"),
        (3, "planner,planner,planner", RESULTS, "strong"),
        (2, "planner,racer,blocker,longroute", FULL, "rivals"),
        (4, "longroute,planner,racer,blocker", FULL, "rivals"),
        (5, ",".join(ALL_BOTS), RESULTS, "all"),
        (3, "racer,planner,planner", RESULTS, "rewards"),
        (2, "planner:greed=2,planner", RESULTS, "rewards"),
        (2, "racer,planner", FULL, "own"),
        (3, "racer,planner", RESULTS, "own"),
        (2, "planner:greed=2", FULL, "own"),
        (2, "planner,racer", RESULTS, "own"),
        (2, "racer,longroute", RESULTS, "own"),
    ],
)
def test_the_field_follows_from_the_bots(players: int, bots: str, log: str, field: str) -> None:
    assert field_of(replace(plan_of(players, bots), log=log)) == field


def test_all_styles_are_all_but_random_slow_and_retired_ones() -> None:
    assert set(STYLE_NAMES) - set(ALL_BOTS) == {"random", "search"}


def test_variants_move_one_taste_from_where_it_is_on_the_board(tmp_path: Path) -> None:
    board = Path(shutil.copytree(find_folder("usa"), tmp_path / "board"))
    (board / "bots.toml").write_text("[planner]\ncuriosity = -4.5\ngreed = 2\n")
    found = variants(load_edition(board))
    assert found["draws more tickets"] == "planner:curiosity=-5"
    assert found["draws fewer tickets"] == "planner:curiosity=-3"
    assert "goes for route points" not in found, "it cannot move any further"
    assert found["racer"] == "racer"
    assert all(str(parse_spec(spec)) == spec for spec in found.values())


def test_a_study_plays_the_strong_field_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    study = Study(load_edition("amsterdam"), (2,), 40, seed=1)
    workers = ThisMachine(1)
    first, everything = (list(runs) for runs in play_study(study, workers, Silence(), ""))
    assert [run.field for run in first] == ["strong"]
    by_field = {field: [run for run in everything if run.field == field] for field in FIELDS}
    assert [(len(runs), runs[0].plan.log) for runs in by_field.values()] == [
        (1, FULL),
        (1, RESULTS),
        (len(variants(study.edition)), RESULTS),
    ]
    assert {run.record.size.blocks for run in by_field["rewards"]} == {2}, "one deal for every twenty games"
    assert len(list(play_study(study, workers, Silence(), ""))) == 1, "all is played: nothing to show before the end"


def test_a_users_own_bots_play_alone() -> None:
    study = Study(load_edition("amsterdam"), (2, 3), 40, 1, ("racer", "path"))
    assert study.first.bots == ("racer", "path")
    assert not list(study.rest)
