"""A search on a small board: planted errors are found, a fair board stays, an interruption costs nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ttr_sim.analysis.targets import CLAIMED, STYLE, TICKET, Target, route_names
from ttr_sim.balance import evaluate, remedies, search
from ttr_sim.balance import outcome as outcomes
from ttr_sim.balance.edits import CELL, LENGTH, ROUTES, Edit, edited, points_edit
from ttr_sim.balance.evaluate import Evaluator, MeasuredBoard, Sample, estimates, gain
from ttr_sim.balance.outcome import BalanceOutcome, Order, balance
from ttr_sim.cli.output import Progress
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.errors import Interrupted, UserError
from ttr_sim.run.workers import ThisMachine

GAMES = 1_200
PLANTED = 20  # points of a contract that is worth a few
MARGIN = 20.0  # with two players and few games only what is far off is surely missed


@pytest.fixture(autouse=True)
def few_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the study of the board goes to `runs`
    monkeypatch.setattr(search, "GAMES", GAMES)
    monkeypatch.setattr(search, "MOST_GAMES", GAMES)
    monkeypatch.setattr(remedies, "GAMES", GAMES)
    monkeypatch.setattr(outcomes, "SPOT_CHECK_GAMES", 60)
    monkeypatch.setattr(evaluate, "variants", lambda _: {"races": "racer"})


def order(edition: Edition, out: Path) -> Order:
    return Order(edition, (2,), frozenset({"tickets"}), (), 8, MARGIN, 1, out, GAMES)


def test_a_folder_of_the_users_is_not_taken_for_games(tmp_path: Path) -> None:
    (tmp_path / "out-games" / "2p-0123456789ab").mkdir(parents=True)
    what = order(load_edition("amsterdam"), tmp_path / "out")
    what.check()
    (tmp_path / "out-games" / "notes.txt").touch()
    with pytest.raises(UserError, match="holds something else than games"):
        what.check()


def carried_out(what: Order, watch: Progress | None = None) -> BalanceOutcome:
    return balance(what, ThisMachine(2), watch or Progress(quiet=True), "ttr-sim balance")


class Interrupting(Progress):
    """Presses Ctrl-C when the proof begins."""

    def note(self, message: str) -> None:
        if message.startswith("proof"):
            raise Interrupted("Interrupted.")


def interrupted_edit(*arguments: Any) -> None:
    """Press Ctrl-C when the result is half written."""
    edited(*arguments)
    raise Interrupted("Interrupted.")


def test_a_planted_error_is_mended_and_stays_mended_and_an_interruption_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition = edited(load_edition("amsterdam"), [points_edit(0, PLANTED)], tmp_path / "mine")
    with pytest.raises(Interrupted):
        carried_out(order(edition, tmp_path / "out"), Interrupting())
    assert not (tmp_path / "out").exists()
    kept = {file: file.stat().st_mtime_ns for file in (tmp_path / "out-games").rglob("*.parquet")}
    assert kept
    with monkeypatch.context() as context, pytest.raises(Interrupted):
        context.setattr(outcomes, "edited", interrupted_edit)
        carried_out(order(edition, tmp_path / "out"))
    order(edition, tmp_path / "out").check()
    outcome = carried_out(order(edition, tmp_path / "out"))
    whole = carried_out(order(edition, tmp_path / "whole"))
    assert outcome.edits == whole.edits
    assert outcome.proof.pairs == whole.proof.pairs
    assert {target.measure for target in outcome.proof.after.targets} >= {TICKET, STYLE}
    assert outcome.proof.spot_check is not None
    assert outcome.proof.spot_check.low <= outcome.proof.spot_check.value <= outcome.proof.spot_check.high
    moved = {edit.row: int(edit.value) for edit in outcome.edits}
    assert 1 <= moved[0] < PLANTED
    assert load_edition(tmp_path / "out").tickets[0].points == moved[0]
    ticket = next(pair for pair in outcome.proof.pairs if pair.after.name.startswith("ticket"))
    assert ticket.before is not None
    assert abs(ticket.after.value) < abs(ticket.before.value)
    again = carried_out(order(load_edition(tmp_path / "out"), tmp_path / "again"))
    assert all(edit.row != 0 for edit in again.edits)


def test_a_board_without_a_missed_target_gets_no_edit_and_no_folder(tmp_path: Path) -> None:
    wide = replace(order(load_edition("amsterdam"), tmp_path / "out"), margin=50.0)
    outcome = carried_out(wide)
    assert (outcome.edits, outcome.out, outcome.met) == ((), None, True)
    assert not (tmp_path / "out").exists()
    assert len(outcome.found.path) == 1


def test_edits_without_which_fewer_targets_are_missed_are_left_out() -> None:
    beyond, within = (Target("ticket A–B long", TICKET, 0, v, v - 0.01, v + 0.01, (-0.05, 0.05)) for v in (0.1, 0.0))
    one, two, three = (tuple(points_edit(row, 9) for row in range(count)) for count in (1, 2, 3))
    base, good, also_good, bad = (
        MeasuredBoard(edits, (), targets, pd.DataFrame())
        for edits, targets in (
            ((), (beyond,) * 2),
            (one, (within,) * 2),
            (two, (within,) * 2),
            (three, (beyond, within)),
        )
    )
    assert search.cut_where_fewest_missed((base, good, also_good, bad)) == (base, good)
    assert search.cut_where_fewest_missed((base, bad, good)) == (base, bad, good)
    assert search.cut_where_fewest_missed((base,)) == (base,)


def test_what_a_route_gains_is_measured_deal_by_deal(tmp_path: Path) -> None:
    """A route that scores 4 points instead of 15 is claimed less, surely; the same board gains nothing at all."""
    edition = load_edition("usa")
    row = next(row for row, route in enumerate(edition.routes) if route.length == 6)
    wanted, players = edition.targets, (2,)
    side_by_side = Evaluator(
        edition, wanted, players, tmp_path, ThisMachine(2), Progress(quiet=True), "ttr-sim balance"
    )
    sample = Sample(1_000, 1)
    dead = Target(route_names(edition)[row], CLAIMED, 2, 0.1, 0.1, 0.1, (0.9, None))
    before = estimates(side_by_side.play((), sample, ""), [dead], None)
    shorter = side_by_side.play((Edit(ROUTES, row, CELL, LENGTH, "3"), points_edit(0, 9)), sample, "")
    gained = gain(before, estimates(shorter, [dead], None), [dead])
    assert -gained.value[0] > 3 * gained.error[0] > 0
    same = gain(before, before, [dead])
    assert (same.value[0], same.error[0]) == (0.0, 0.0)
    within = replace(dead, limit=(0.0, None))
    assert gain(before, estimates(shorter, [within], None), [within]).value[0] == 0.0
