"""What a process and its compiled games say to each other while they run.

Each thread that plays has four numbers that the kernel polls once a turn: a stop word, and a
heartbeat of game, turn and seat.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ttr_sim.run.parts import Part

STOP, GAME, TURN, SEAT = range(4)


class Heartbeat(NamedTuple):
    """Where a worker is; `game` counts within its part."""

    part: Part
    game: int
    turn: int
    seat: int


@dataclass(slots=True)
class Controls:
    """Of all threads of one process."""

    stopping: bool = False
    playing: dict[int, tuple[Part, NDArray[np.int64]]] = field(default_factory=dict)

    def start(self) -> None:
        self.stopping = False

    def stop(self) -> None:
        """Every game ends at its next turn, every part not begun stays so."""
        self.stopping = True
        for _, control in list(self.playing.values()):
            control[STOP] = 1

    @contextmanager
    def of_this_thread(self, part: Part) -> Iterator[NDArray[np.int64]]:
        thread = threading.get_ident()
        control = np.zeros(4, np.int64)
        self.playing[thread] = part, control
        control[STOP] = self.stopping  # after it can be seen: a stop in between is not missed
        try:
            yield control
        finally:
            del self.playing[thread]

    def heartbeats(self) -> dict[int, Heartbeat]:
        """By thread."""
        return {
            thread: Heartbeat(part, int(control[GAME]), int(control[TURN]), int(control[SEAT]))
            for thread, (part, control) in list(self.playing.items())
        }


CONTROLS = Controls()
