"""Fields of bots, and the runs that a study plays of them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.run.test_plan import plan_of
from ttr_sim.bots import STYLE_NAMES
from ttr_sim.bots.api import parse_spec
from ttr_sim.cli.output import Progress
from ttr_sim.edition import find_folder, load_edition
from ttr_sim.run.lineups import ALL_BOTS, field_of, variants
from ttr_sim.run.plan import FULL, RESULTS
from ttr_sim.run.study import Study, play_study, study_facts
from ttr_sim.run.workers import ThisMachine


@pytest.mark.parametrize(
    ("players", "bots", "log", "field"),
    [
        (2, "planner", FULL, "strong"),
        (3, "planner,planner,planner", RESULTS, "strong"),
        (2, "planner,racer,blocker,longroute", FULL, "rivals"),
        (4, "longroute,planner,racer,blocker", FULL, "rivals"),
        (5, ",".join(ALL_BOTS), RESULTS, "all"),
        (3, "racer,planner,planner", RESULTS, "own"),
        (2, "racer,planner", FULL, "own"),
        (3, "planner:lottery=1", FULL, "mixes"),
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


def test_a_run_with_one_of_several_variants_is_of_the_rewards() -> None:
    plan = replace(plan_of(3, "planner,planner,planner"), one_of=("racer", "planner:greed=2"))
    assert field_of(plan) == "rewards"
    assert field_of(replace(plan, bots=("racer",) * 3)) == "own"


def play_quickly(study: Study) -> Path:
    """The folder of the only run of a quick study."""
    ((run,),) = play_study(study, ThisMachine(1), Progress(quiet=True), "")
    return run.path.parent


def test_a_study_plays_the_strong_field_first_and_all_in_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    study = Study(load_edition("amsterdam"), (2,), 40, seed=1)
    workers = ThisMachine(1)
    first, everything = (list(runs) for runs in play_study(study, workers, Progress(quiet=True), ""))
    assert [run.field for run in first] == ["strong"]
    assert [(run.path, run.field, run.plan.log) for run in everything] == [
        (Path("runs/amsterdam/2p-strong"), "strong", FULL),
        (Path("runs/amsterdam/2p-rivals"), "rivals", FULL),
        (Path("runs/amsterdam/2p-all"), "all", FULL),
        (Path("runs/amsterdam/2p-rewards"), "rewards", RESULTS),
    ]
    assert [run.record.size.games for run in everything] == [40, 20, 20, 30]
    assert everything[-1].plan.one_of == tuple(variants(study.edition).values())
    again = list(play_study(study, workers, Progress(quiet=True), ""))
    assert len(again) == 1, "all is played: nothing to show before the end"
    (other,) = play_study(replace(study, seed=2, quick=True), workers, Progress(quiet=True), "")
    assert [run.path for run in other] == [Path("runs/amsterdam-2/2p-strong")]


def test_a_study_keeps_the_player_counts_of_earlier_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    study = Study(load_edition("amsterdam"), (3,), 4, seed=1, quick=True)

    assert play_quickly(study) == play_quickly(replace(study, players=(2,))) == Path("runs/amsterdam")
    facts = study_facts(Path("runs/amsterdam"))
    assert facts is not None
    assert facts.players == (2, 3)
    assert play_quickly(replace(study, players=(4,), seed=2)) == Path("runs/amsterdam-2")
    assert play_quickly(replace(study, players=(4,), bots=("random",))) == Path("runs/amsterdam-3")
    Path("runs/amsterdam/2p-strong/run.json").write_text("{")
    assert play_quickly(replace(study, players=(2,))) == Path("runs/amsterdam"), "damage is repaired by playing again"


def test_other_files_in_the_place_of_a_study_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "amsterdam").mkdir(parents=True)
    study = Study(load_edition("amsterdam"), (2,), 4, seed=1, quick=True)
    assert play_quickly(study) == Path("runs/amsterdam-2")


@pytest.mark.parametrize(("games", "of_mixes"), [(100_000, 25_000), (20_000, 5_000), (2_000, 2_000)])
def test_a_study_draws_mixes_by_chance_where_a_player_chooses_decks(games: int, of_mixes: int) -> None:
    strong, mixes = Study(load_edition("germany"), (2, 3), games, seed=1, quick=True).first
    assert (strong.bots, strong.games) == (("planner",), games)
    assert (mixes.bots, mixes.games, mixes.players) == (("planner:lottery=1",), of_mixes, (2, 3))
    assert len(Study(load_edition("europe"), (2,), games, seed=1).first) == 1


def test_a_users_own_bots_play_alone() -> None:
    study = Study(load_edition("amsterdam"), (2, 3), 40, 1, ("racer", "path"))
    assert [request.bots for request in study.first] == [("racer", "path")]
    assert not list(study.rest)
