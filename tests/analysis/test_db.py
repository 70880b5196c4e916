"""Questions in SQL: sums by group and key do not depend on the order of rows or on parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.analysis.handmade import duel, write_log
from tests.analysis.synthetic import World, write_run
from tests.played_runs import play_run
from ttr_sim.analysis.analysis import TABLES, Analysis, analyze
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Estimate
from ttr_sim.analysis.routes import BY_ROUTE
from ttr_sim.analysis.shape import BY_ACTION
from ttr_sim.analysis.standings import BY_SEAT
from ttr_sim.analysis.tables import Measured
from ttr_sim.errors import UserError
from ttr_sim.run.read import Run, open_run

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


def test_turns_of_a_kind_are_counted(tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", "europe", 3, ("random",), 30)
    turns = run.turns()
    with Database([run]) as games:
        assert games.sums(BY_ACTION, "action").total("n").sum() == len(turns)
        claims = games.sums(BY_ROUTE, "players")
    given_up = claims.total("tries").sum() - claims.total("claims").sum()
    assert given_up == (turns["claimed"] == False).sum()  # noqa: E712 - null is not given up


def test_residuals_of_a_stratum_add_up_to_zero(tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", "germany", 3, ("random", "onestep"), 60)
    question = "SELECT bot, seat, mix, sum(win), sum(points) FROM offer WHERE turn = -1 GROUP BY ALL"
    with Database([run]) as games:
        of_mixes, of_seats = games.frame(question), games.frame("SELECT sum(win), sum(points) FROM seat")
    assert of_mixes["mix"].nunique() > 1
    for sums in (of_mixes.iloc[:, 3:], of_seats):
        assert sums.to_numpy(float) == pytest.approx(0.0, abs=1e-6)


def test_a_damaged_part_is_named_in_a_sentence(tmp_path: Path) -> None:
    run: Run = open_run(write_run(tmp_path / "run", World(), blocks=5))
    file = run.files("seats")[0]
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(UserError, match=r"a part of .* can no longer be read: "), Database([run]) as games:
        games.sums(BY_SEAT, "seat")


def test_a_table_has_no_negative_zero() -> None:
    """Where numbers cancel, rounding decides on which side of 0 the rest lies."""
    values = np.array([-1e-17, 1e-17])
    estimate = Estimate(values, np.tile(values, (100, 1)), np.full(2, 100), np.full(2, 100.0))
    keys = pd.DataFrame({"players": 2, "seat": [0, 1], "n": 100, "fair": 0.5, "p": 1.0, "p_adjusted": 1.0})
    table = Measured(keys, {"score": estimate}, blocks=100).table(TABLES["seats"])
    assert table["score"].tolist() == [0.0, 0.0]
    assert not np.signbit(table["score"].to_numpy(float)).any()
