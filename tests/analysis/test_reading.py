"""Foreign, damaged, empty and mixed runs end in a sentence, never in a wrong number."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.analysis.handmade import duel, write_log
from tests.analysis.synthetic import World, write_run
from tests.played_runs import play_run
from ttr_sim.analysis.analysis import analyze
from ttr_sim.cli.main import damaged_runs_explained
from ttr_sim.errors import UserError
from ttr_sim.run.plan import RESULTS


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_log(tmp_path / "run", ["A", "B"], 2, duel())


def sentence(*runs: Path) -> str:
    with pytest.raises(UserError) as refused:
        analyze(list(runs))
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_runs_that_cannot_be_read(run: Path, tmp_path: Path) -> None:
    assert sentence() == "no run was named"
    assert "run.json" in sentence(tmp_path / "nowhere")
    part = run / "seats" / "part-00000.parquet"
    part.unlink()
    assert sentence(run) == f"{part} is missing; part 0 is played again by `ttr-sim run --resume {run}`"


def test_runs_that_do_not_go_together(run: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path / "other", World(), blocks=2, edition="europe")
    assert "different editions" in sentence(run, other)
    copy = tmp_path / "run2" / "run"
    shutil.copytree(run, copy)
    assert "the same games" in sentence(run, copy)


def test_wildcards_and_quotes_in_the_path(run: Path, tmp_path: Path) -> None:
    odd = tmp_path / "it's [a] *?" / "run"
    shutil.copytree(run, odd)
    assert analyze([odd]).tables["overview"]["games"].tolist() == [4]


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


def test_one_style_only(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", World(bots={"planner": 0.0}), blocks=40)
    analysis = analyze([run])
    assert "Only one style" in analysis.missing["matchups"]
    assert "styles" not in {finding.topic for finding in analysis.findings}
    assert analysis.tables["strategies"]["win_share"].tolist() == [0.5]
    assert len(analysis.tables["seats"]) == 2


def test_nobody_publishes_wants(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", World(planning=frozenset()), blocks=40)
    analysis = analyze([run])
    assert analysis.tables["routes"]["contention"].isna().all()
    assert analysis.tables["routes"]["claimed"].notna().all()
    assert any("No bot published" in finding.sentence for finding in analysis.findings)


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
