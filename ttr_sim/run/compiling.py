"""Compile the engine and the bots once, in two processes.

They share little, and each takes about half of the time. This process compiles the bots, as whatever loads them does.
A second one compiles the engine, into the same cache.
"""

from __future__ import annotations

import atexit
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition

if TYPE_CHECKING:
    from ttr_sim.run.workers import ProgressListener

COMPILING = "compiling the engine, once (about twenty seconds)"
STILL_COMPILING = "still compiling"
QUICK_EDITION = "usa"

_second: list[subprocess.Popen[bytes]] = []


@contextmanager
def compiling(watch: ProgressListener) -> Iterator[None]:
    """Show compile progress and start compiling the engine in parallel."""
    from ttr_sim.engine.jit import is_cache_cold

    if any(process.poll() is None for process in _second):
        with watch.wait(STILL_COMPILING):
            yield
    elif is_cache_cold():
        with watch.wait(COMPILING):
            if not _second:
                quiet = subprocess.DEVNULL
                words = [sys.executable, "-P", "-m", "ttr_sim.run.compiling"]
                _second.append(subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet))
                atexit.register(_second[0].kill)
            yield
    else:
        yield


def compile_engine(edition: Edition) -> None:
    """Compile all kernels by starting and stopping one game, or load them if the second process could keep them."""
    import numpy as np

    from ttr_sim.bots import load_bots
    from ttr_sim.engine.board import compile_board
    from ttr_sim.engine.play import STOP_WORD, Games, new_control, play_batch

    for process in _second:
        process.wait()
    # The number of players and the log are plain values to the kernels: one game compiles for all.
    players = edition.players[0]
    zeros = np.zeros((1, players), np.int64)
    games = Games(zeros[0, :1], zeros[0, :1], zeros, np.arange(players)[None, :])
    table = load_bots(("random",), edition).table
    control = new_control()
    # On some boards a whole game takes long, and could not be interrupted here.
    control[STOP_WORD] = 1
    play_batch(compile_board(edition), players, 1, games, table, True, control)


if __name__ == "__main__":
    compile_engine(load_edition(QUICK_EDITION))
