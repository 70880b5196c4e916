"""The kernel with every index checked: an array read or written beyond its ends raises."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PLAY_ALL = """
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.mixed_editions import mixed_edition
from ttr_sim.bots import FAST_STYLES, load_bots
from ttr_sim.edition import load_edition, official_names
from ttr_sim.engine.batch import Games, play_batch
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.jit import CACHE_FOLDER
from ttr_sim.engine.claims import is_tunnel

assert CACHE_FOLDER.name.endswith("-bounds")
for beyond in (192, -1):
    with pytest.raises(IndexError):
        is_tunnel(compile_board(load_edition("europe"))[0], beyond)
mixed = [mixed_edition(seed, Path(sys.argv[1]) / str(seed)) for seed in range(40)]
for name in (*official_names(), *mixed):
    edition = load_edition(name)
    for players in range(edition.players[0], edition.players[1] + 1):
        n = 40
        board = compile_board(edition)
        bots = load_bots(FAST_STYLES, edition).table
        seats = (np.arange(n)[:, None] + np.arange(players)) % len(FAST_STYLES)
        games = Games(np.arange(n), np.zeros(n, np.int64), seats, seats)
        log = play_batch(board, players, 1, games, bots)
        assert log.games == n and log.failure is None, (name, players, log.failure)
        searching = load_bots(("search:budget=8", "planner"), edition).table
        games = Games(np.arange(2), np.zeros(2, np.int64), seats[:2] % 2, seats[:2] % 2)
        assert play_batch(board, players, 1, games, searching).games == 2
print("all played")
"""


@pytest.mark.slow
def test_kernel_and_bots_stay_within_their_arrays_on_all_editions(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    words = [sys.executable, "-c", PLAY_ALL, str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "all played"), done.stderr
