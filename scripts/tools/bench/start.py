"""How long the first game takes, with a cold and a warm cache, as a run compiles; and what a rollout copies."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from statistics import median
from typing import Any

import numpy as np

from scripts.tools.bench.measure import Row
from ttr_sim.edition import load_edition
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.records import STATE, new_state
from ttr_sim.engine.setup import set_up
from ttr_sim.engine.worlds import copy_game

FIRST_GAME = """
import numpy as np
from ttr_sim.bots import STANDARD_STYLES, load_bots
from ttr_sim.edition import load_edition
from ttr_sim.engine.batch import Games, play_batch
from ttr_sim.engine.board import compile_board
from ttr_sim.run.compiling import compile_engine, compiling
from ttr_sim.run.control import Silence
edition = load_edition("usa")
board = compile_board(edition)
with compiling(Silence()):
    bots = load_bots({bots}, edition).table
    compile_engine(edition)
games = Games(*(np.zeros(1, np.int64),) * 2, np.zeros((1, 2), np.int64), np.arange(2).reshape(1, 2))
assert play_batch(board, 2, 1, games, bots).games == 1
"""


def measure(quick: bool) -> list[Row]:
    with tempfile.TemporaryDirectory() as cache:
        cold = _seconds("STANDARD_STYLES", cache)
        searching = _seconds('["search"]', cache)
        warm = [_seconds('["random"]', cache)[0] for _ in range(2 if quick else 5)]
    return [
        {"measure": "cold compile of engine and standard styles", "unit": "s", "value": cold[0]},
        {"measure": "the same, CPU of both processes", "unit": "s", "value": cold[1]},
        {"measure": "the style search after them, CPU", "unit": "s", "value": searching[1]},
        {"measure": "warm start to the first game", "unit": "s", "value": median(warm)},
        {"measure": "state copied by a rollout", "unit": "bytes", "value": rollout_bytes()},
        {"measure": "copying a game of two", "unit": "ns", "value": _copy_nanoseconds()},
    ]


def _seconds(bots: str, cache: str) -> tuple[float, float]:
    """Return how long the first game takes, and the CPU seconds of all processes that had a part in it."""
    start, cpu_start = time.perf_counter(), _cpu_of_children()
    environment = {**os.environ, "TTR_SIM_CACHE": cache}
    subprocess.run([sys.executable, "-c", FIRST_GAME.format(bots=bots)], check=True, env=environment)
    return time.perf_counter() - start, _cpu_of_children() - cpu_start


def _cpu_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def rollout_bytes() -> int:
    """What all see, what each seat holds and what is hidden stand first in the state, with room for all seats."""
    fields = STATE.fields
    assert fields is not None
    return int(fields["seats"][1])


def _copy_nanoseconds(copies: int = 200_000) -> float:
    board, players = compile_board(load_edition("usa")), 2
    source, target = new_state(), new_state()
    set_up_game(board, source, players)
    copy_often(target, source, 10)
    start = time.perf_counter()
    copy_often(target, source, copies)
    return (time.perf_counter() - start) / copies * 1e9


@compiled
def set_up_game(boards: Any, states: Any, players: Any) -> Any:
    set_up(boards[0], states[0], players, np.uint64(1), 0, 0)


@compiled
def copy_often(targets: Any, sources: Any, copies: Any) -> Any:
    for i in range(copies):
        sources[0].table.turn = i
        copy_game(targets[0], sources[0])
