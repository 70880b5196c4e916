from __future__ import annotations

from pathlib import Path

import pytest

from tests.played_runs import play_run
from ttr_sim.analysis.bot_results import outcome


def test_results_are_means_over_the_seats_a_bot_held(tmp_path: Path) -> None:
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


def test_what_one_block_cannot_say_is_none(tmp_path: Path) -> None:
    results = outcome(play_run(tmp_path / "run", "usa", 2, ("random", "racer", "longroute"), 1)).bots
    (left_out,) = (bot for bot in results if bot.seats == 0)
    assert (left_out.win_share, left_out.low, left_out.high, left_out.score) == (None, None, None, None)
    assert all(bot.low is None and bot.high is None for bot in results)


def test_games_cut_off_are_counted(tmp_path: Path) -> None:
    assert outcome(play_run(tmp_path / "run", "usa", 2, ("random",), 20, settings=("max_turns=5",))).capped == 20
