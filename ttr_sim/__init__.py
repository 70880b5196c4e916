"""ttr-sim: a Monte-Carlo strategy and balance analyser for the Ticket to Ride family."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttr_sim.run.opened import Run

__version__ = "0.1.0"


def open_run(path: str | Path) -> Run:
    """A run to read from: `open_run("runs/...").turns(["game", "route"])`, with names joined."""
    from ttr_sim.run.opened import open_run as opened  # pandas and pyarrow load here, not with the package

    return opened(path)
