"""Questions over batches of games: the answers do not depend on the order of rows or on parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.analysis.handmade import duel, write_log
from tests.analysis.synthetic import World, write_run
from tests.played_runs import play_run
from ttr_sim.analysis import analyze
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.rows import Batch, Rows
from ttr_sim.analysis.seats import by_bot_and_seat
from ttr_sim.analysis.source import Played, Source, played
from ttr_sim.errors import UserError
from ttr_sim.run.opened import Run, open_run

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
    seats = Source([open_run(run) for run in runs]).ask(by_bot_and_seat)
    logged = [open_run(run).seats(["bot", "seat", "score"]).astype({"bot": str}) for run in runs]
    for row, (bot, seat) in enumerate(zip(seats.keys["bot"], seats.keys["seat"], strict=True)):
        own = [frame[(frame["bot"] == bot) & (frame["seat"] == seat)] for frame in logged]
        assert seats.total("n")[row] == sum(map(len, own))
        assert seats.total("score")[row] == sum(frame["score"].sum() for frame in own)


def test_a_part_in_the_middle_may_be_missing(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", World(), blocks=30, blocks_per_part=10)
    for table in ("games", "seats", "tickets", "turns"):
        (folder / table / "part-00001.parquet").unlink()
    run = open_run(folder)
    rows = Rows(Batch(run, 0, ("planner", "racer")))
    assert rows.numbers.tolist() == [*range(20), *range(40, 60)]
    assert np.bincount(rows.tickets.game, minlength=40).min() > 0
    claimed = run.turns(["game", "claimed"])
    claims = claimed[claimed["claimed"].fillna(False).astype(bool)]
    assert np.array_equal(rows.numbers[rows.claims.game], claims["game"].to_numpy())
    assert analyze([folder]).tables["seats"]["n"].tolist() == [40, 40]


def test_blocks_that_are_left_out_are_in_no_table(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path / "run", World(), blocks=30, blocks_per_part=10))
    rows = Rows(Batch(run, 0, ("planner", "racer"), blocks=np.array([3, 17])))
    assert rows.numbers.tolist() == [6, 7, 34, 35]
    for table in (rows.seats, rows.outcomes, rows.tickets, rows.draws, rows.claims):
        assert set(table.game.tolist()) == {0, 1, 2, 3}
        assert set(table.grp.tolist()) == {3, 17}


def test_turns_of_a_kind_are_counted(tmp_path: Path) -> None:
    run = play_run(tmp_path / "run", "europe", 3, ("random",), 30)
    rows, turns = Rows(Batch(run, 0, ("random",))), run.turns()
    assert rows.actions.sum() == len(turns)
    assert len(rows.stations.game) == turns["city"].notna().sum()
    assert (~rows.claims["claimed"]).sum() == (turns["claimed"] == False).sum()  # noqa: E712 - null is not given up


def test_a_question_is_asked_once(tmp_path: Path) -> None:
    source = Source([open_run(write_run(tmp_path / "run", World(), blocks=20, blocks_per_part=10))])
    asked = []

    def question(rows: Rows) -> Played:
        asked.append(rows)
        return played(rows)

    source.answer([question, played])
    assert source.ask(question) == source.ask(question) == Played(20, planning=True)
    assert len(asked) == 1
    assert source.take(question) == source.ask(question)
    assert len(asked) == 2


def test_what_can_no_longer_be_read_is_said_in_a_sentence(tmp_path: Path) -> None:
    run: Run = open_run(write_run(tmp_path / "run", World(), blocks=5))
    file = run.files("seats")[0]
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(UserError, match=r"a part of .* can no longer be read: "):
        Source([run]).ask(by_bot_and_seat)
