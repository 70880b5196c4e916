"""What the parent and its workers' compiled games say to each other while they run.

Each thread that plays has four numbers that the kernel polls once a turn: a stop word, and a
heartbeat of game, turn and seat.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

STOP, GAME, TURN, SEAT = range(4)


@dataclass(slots=True)
class Controls:
    """Of one process."""

    stopping: bool = False
    playing: dict[int, NDArray[np.int64]] = field(default_factory=dict)

    def start(self) -> None:
        self.stopping = False

    def stop(self) -> None:
        """Every game ends at its next turn, every part not begun stays so."""
        self.stopping = True
        for control in list(self.playing.values()):
            control[STOP] = 1

    @contextmanager
    def of_this_thread(self) -> Iterator[NDArray[np.int64]]:
        thread = threading.get_ident()
        control = np.zeros(4, np.int64)
        self.playing[thread] = control
        control[STOP] = self.stopping  # after it can be seen: a stop in between is not missed
        try:
            yield control
        finally:
            del self.playing[thread]

    def heartbeats(self) -> dict[int, tuple[int, int, int]]:
        """Game within its part, turn and seat, by thread."""
        return {
            thread: (int(control[GAME]), int(control[TURN]), int(control[SEAT]))
            for thread, control in list(self.playing.items())
        }

    def games_under_way(self) -> int:
        """Games that parts not finished have behind them."""
        return sum(game for game, _, _ in self.heartbeats().values())


CONTROLS = Controls()
