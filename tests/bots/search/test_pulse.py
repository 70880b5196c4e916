"""A bot that searches is seen to think within a turn, so that no watchdog takes it for one that hangs."""

from __future__ import annotations

import numpy as np

from tests.bots.bot_games import board_of, load
from ttr_sim.engine.batch import Games, new_control, play_batch
from ttr_sim.engine.play import AT_TURN, THOUGHTS


def thoughts_per_turn(bot: str) -> float:
    control, first = new_control(), np.zeros(1, np.int64)
    games = Games(first, first, np.zeros((1, 2), np.int64), np.array([[0, 1]]))
    play_batch(board_of("first_journey"), 2, 1, games, load([bot], "first_journey").table, False, control)
    return float(control[THOUGHTS] / control[AT_TURN])


def test_thoughts_are_counted_within_a_turn() -> None:
    assert thoughts_per_turn("search:budget=8") > 1
    assert thoughts_per_turn("random") == 0
