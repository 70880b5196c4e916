"""The kernel with every index checked: an array read or written beyond its end raises."""

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

import numba
import numpy as np
import pytest
from tests.mixed_editions import mixed_edition
from ttr_sim.bots.styles.random import choose
from ttr_sim.edition import load_edition, official_names
from ttr_sim.engine.batch import BotTable, Games, play_batch
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.calls import address_of
from ttr_sim.engine.compiled import CACHE_FOLDER
from ttr_sim.engine.state import new_state

@numba.njit
def read(states, color):
    return states[0].table.hand[color]

assert CACHE_FOLDER.name.endswith("-bounds")
with pytest.raises(IndexError):
    read(new_state(), 13)
bots = BotTable(np.array([address_of(choose)]), np.zeros((1, 16)), np.zeros(1, bool), np.zeros(1, bool))
mixed = [mixed_edition(seed, Path(sys.argv[1]) / str(seed)) for seed in range(40)]
for name in (*official_names(), *mixed):
    edition = load_edition(name)
    for players in range(edition.players[0], edition.players[1] + 1):
        n = 40
        seats = np.zeros((n, players), np.int64)
        games = Games(np.arange(n), np.zeros(n, np.int64), seats, seats + np.arange(players))
        log = play_batch(compile_board(edition), players, 1, games, bots)
        assert log.games == n and log.failure is None, (name, players, log.failure)
print("all played")
"""


@pytest.mark.slow
def test_kernel_stays_within_its_arrays_on_all_editions(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    words = [sys.executable, "-c", PLAY_ALL, str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "all played"), done.stderr
