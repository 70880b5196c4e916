"""Questions in SQL count what the log says, in any order of rows and parts. Odd runs end in a sentence."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.analysis.handmade import duel, write_log
from tests.analysis.synthetic import World, write_run
from tests.played_runs import play_run
from ttr_sim.analysis.analysis import Analysis, analyze
from ttr_sim.analysis.bot_results import outcome
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Estimate
from ttr_sim.analysis.standings import BY_SEAT
from ttr_sim.analysis.tables import Measured
from ttr_sim.cli.main import damaged_runs_explained
from ttr_sim.errors import UserError
from ttr_sim.run.plan import RESULTS
from ttr_sim.run.read import open_run

BOTS = {"planner": 0.0, "racer": -10.0, "random": -60.0}


def assert_same_tables(some: Analysis, others: Analysis) -> None:
    for name, table in some.tables.items():
        other = others.tables[name].drop(columns="run", errors="ignore")
        assert table.drop(columns="run", errors="ignore").equals(other), name


@pytest.mark.parametrize("table", ["seats", "tickets", "turns"])
def test_rows_may_stand_in_any_order(tmp_path: Path, table: str) -> None:
    tables = duel()
    in_order = analyze([write_log(tmp_path / "run", ["A", "B"], 2, tables)])
    backwards = analyze([write_log(tmp_path / "back" / "run", ["A", "B"], 2, {**tables, table: tables[table][::-1]})])
    assert_same_tables(in_order, backwards)


def test_runs_of_other_bots_go_together(tmp_path: Path) -> None:
    runs = [
        write_run(tmp_path / f"run{seed}", World(bots=dict(list(BOTS.items())[:most])), blocks=20, players=2, seed=seed)
        for seed, most in ((1, 2), (2, 3))
    ]
    assert_same_tables(analyze(runs), analyze(runs))
    with Database([open_run(run) for run in runs]) as games:
        seats = games.sums(BY_SEAT, "bot", "seat")
    logged = [open_run(run).seats(["bot", "seat", "score"]).astype({"bot": str}) for run in runs]
    for row, (bot, seat) in enumerate(zip(seats.keys["bot"], seats.keys["seat"], strict=True)):
        own = [frame[(frame["bot"] == bot) & (frame["seat"] == seat)] for frame in logged]
        assert seats.total("n")[row] == sum(map(len, own))
        assert seats.total("score")[row] == sum(frame["score"].sum() for frame in own)


def test_missing_parts_and_chosen_blocks(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", World(), blocks=30, blocks_per_part=10)
    with Database([open_run(folder)], blocks=np.array([3, 17])) as games:
        assert games.played.loc[2].to_dict() == {"blocks": 2, "games": 4}
        for table in ("game", "seat", "offer", "claim"):
            assert set(games.frame(f"SELECT grp FROM {table}")["grp"]) == {3, 17}
    for table in ("games", "seats", "tickets", "turns"):
        (folder / table / "part-00001.parquet").unlink()
    with Database([open_run(folder)]) as games:
        for table in ("game", "seat", "claim"):
            numbers = games.frame(f"SELECT DISTINCT game FROM {table} ORDER BY game")["game"]
            assert numbers.tolist() == [*range(20), *range(40, 60)]
    assert analyze([folder]).tables["seats"]["n"].tolist() == [40, 40]


def test_residuals_of_a_stratum_add_up_to_zero(tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", "germany", 3, ("random", "onestep"), 60)
    question = "SELECT bot, seat, mix, sum(win), sum(points) FROM offer WHERE turn = -1 GROUP BY ALL"
    with Database([run]) as games:
        of_mixes, of_seats = games.frame(question), games.frame("SELECT sum(win), sum(points) FROM seat")
    assert of_mixes["mix"].nunique() > 1
    for sums in (of_mixes.iloc[:, 3:], of_seats):
        assert sums.to_numpy(float) == pytest.approx(0.0, abs=1e-6)


def test_a_damaged_part_is_named_in_a_sentence(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path / "run", World(), blocks=5))
    file = run.files("seats")[0]
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(UserError, match=r"a part of .* can no longer be read: "), Database([run]) as games:
        games.sums(BY_SEAT, "seat")


def test_a_table_has_no_negative_zero() -> None:
    """Where numbers cancel, rounding decides on which side of 0 the rest lies."""
    values = np.array([-1e-17, 1e-17])
    estimate = Estimate(values, np.tile(values, (100, 1)), np.full(2, 100), np.full(2, 100.0))
    keys = pd.DataFrame({"players": 2, "seat": [0, 1], "n": 100, "fair": 0.5, "p": 1.0, "p_adjusted": 1.0})
    table = Measured(keys, {"score": estimate}, blocks=100).table("seats")
    assert table["score"].tolist() == [0.0, 0.0]
    assert not np.signbit(table["score"].to_numpy(float)).any()


def test_bot_results_are_means_over_the_seats_a_bot_held(tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", "usa", 3, ("racer", "random", "longroute", "racer"), 90)
    by_bot = run.seats().groupby("bot", observed=True)
    results = outcome(run)
    assert [(bot.bot, bot.place) for bot in results.bots] == [("racer", 0), ("random", 1), ("longroute", 2)]
    for bot in results.bots:
        assert bot.seats == by_bot.size()[bot.bot]
        assert bot.win_share == pytest.approx(by_bot["win_share"].mean()[bot.bot])
        assert bot.score == pytest.approx(by_bot["score"].mean()[bot.bot])
        assert bot.low is not None and bot.high is not None and bot.win_share is not None
        assert bot.low <= bot.win_share <= bot.high
    assert (results.stalled, results.capped) == (0, 0)


def test_what_one_block_cannot_say_is_none_and_games_cut_off_are_counted(tmp_path: Path) -> None:
    assert outcome(play_run(tmp_path / "short", "usa", 2, ("random",), 20, settings=("max_turns=5",))).capped == 20
    results = outcome(play_run(tmp_path / "run", "usa", 2, ("random", "racer", "longroute"), 1)).bots
    (left_out,) = (bot for bot in results if bot.seats == 0)
    assert (left_out.win_share, left_out.low, left_out.high, left_out.score) == (None, None, None, None)
    assert all(bot.low is None and bot.high is None for bot in results)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_log(tmp_path / "run", ["A", "B"], 2, duel())


def sentence(*runs: Path) -> str:
    with pytest.raises(UserError) as refused:
        analyze(list(runs))
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_runs_that_cannot_be_read_or_do_not_go_together(run: Path, tmp_path: Path) -> None:
    assert sentence() == "no run was named"
    assert "run.json" in sentence(tmp_path / "nowhere")
    other = write_run(tmp_path / "other", World(), blocks=2, edition="europe")
    assert "different editions" in sentence(run, other)
    odd = tmp_path / "it's [a] *?" / "run"  # wildcards and quotes in the path
    shutil.copytree(run, odd)
    assert analyze([odd]).tables["overview"]["games"].tolist() == [4]
    assert "the same games" in sentence(run, odd)
    part = run / "seats" / "part-00000.parquet"
    part.unlink()
    assert sentence(run) == f"{part} is missing; part 0 is played again by `ttr-sim run --resume {run}`"


def test_run_without_a_finished_part(run: Path) -> None:
    (run / "games" / "part-00000.parquet").unlink()
    analysis = analyze([run])
    assert all(table.empty for table in analysis.tables.values())
    assert analysis.missing["seats"] == "No game is finished yet."
    assert [finding.sentence for finding in analysis.findings] == [f"{run} is unfinished: it has 0 of 4 games."]


def test_single_block_gives_numbers_without_intervals(tmp_path: Path) -> None:
    tables = {name: [row for row in rows if row["game"] < 2] for name, rows in duel().items()}
    analysis = analyze([write_log(tmp_path / "run", ["A", "B"], 2, tables)])
    for table in analysis.tables.values():
        assert table.filter(regex="_(low|high)$").isna().all(axis=None)
    assert any("only one block" in finding.sentence for finding in analysis.findings)


def test_one_style_only_and_nobody_publishes_wants(tmp_path: Path) -> None:
    analysis = analyze([write_run(tmp_path / "run", World(bots={"racer": 0.0}), blocks=40)])
    tables, sentences = analysis.tables, [finding.sentence for finding in analysis.findings]
    assert "Only one style" in analysis.missing["matchups"]
    assert "styles" not in {finding.topic for finding in analysis.findings}
    assert tables["strategies"]["win_share"].tolist() == [0.5]
    assert len(tables["seats"]) == 2
    assert tables["routes"]["contention"].isna().all()
    assert tables["routes"]["claimed"].notna().all()
    assert any("No bot published" in sentence for sentence in sentences)


def test_run_logged_without_turns(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", World(), blocks=40, log="results")
    analysis = analyze([run])
    for name in ("routes", "connections", "cities", "actions"):
        assert analysis.tables[name].empty
        assert "--log results" in analysis.missing[name]
    assert len(analysis.tables["seats"]) == 2
    assert any("without turns" in finding.sentence for finding in analysis.findings)


def test_runs_of_several_player_counts_and_seeds_go_together(tmp_path: Path) -> None:
    runs = [
        write_run(tmp_path / f"run{players}-{seed}", World(), blocks=30, players=players, seed=seed)
        for players, seed in [(3, 1), (2, 1), (2, 2)]
    ]
    analysis = analyze(runs)
    overview = analysis.tables["overview"]
    assert overview[["players", "runs", "games", "blocks"]].to_numpy().tolist() == [[2, 2, 120, 60], [3, 1, 90, 30]]
    assert set(analysis.tables["ticket_value"]["players"]) == {0, 2, 3}


def test_race_has_no_points(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", World(), blocks=40, edition="first_journey")
    analysis = analyze([run])
    assert analysis.tables["score_parts"].empty
    assert "scores no points" in analysis.missing["score_parts"]
    value = analysis.tables["ticket_value"]
    assert value["points_effect"].isna().all()
    assert value["win_effect"].notna().all()


INTERRUPTED = """
import os, signal, sys, threading
from ttr_sim.analysis.db import Database
from ttr_sim.run.read import open_run

signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may have been told to ignore it
run = open_run(sys.argv[1])
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    Database([run]).frame("SELECT count(*) AS n FROM range(3_000_000_000) WHERE hash(range) = 0")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_in_the_middle_of_a_query_stays_one(run: Path) -> None:
    """DuckDB would make an error of its own of it, which looked like a damaged run."""
    said = subprocess.run([sys.executable, "-c", INTERRUPTED, run], capture_output=True, text=True, check=True)
    assert said.stdout == "interrupted\n"


def test_a_crash_is_not_blamed_on_a_run_without_turns(tmp_path: Path) -> None:
    results = play_run(tmp_path / "run", "amsterdam", 2, ("random",), 20, log=RESULTS)
    with pytest.raises(ZeroDivisionError), damaged_runs_explained(results.path):
        raise ZeroDivisionError
