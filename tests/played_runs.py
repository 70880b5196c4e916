"""Small runs played for tests, as the command `run` plays them."""

from __future__ import annotations

from pathlib import Path

from ttr_sim.run.carry_out import carry_out
from ttr_sim.run.draft import Wish, draft
from ttr_sim.run.folder import Record
from ttr_sim.run.start import taken
from ttr_sim.run.watch import Silence


def play_run(
    folder: Path, edition: str | Path, players: int, bots: tuple[str, ...], games: int, seed: int = 1
) -> Record:
    """Play into the folder, with one worker and full logs."""
    silence = Silence()
    wish = Wish(str(edition), players, bots, games, seed)
    with taken(draft(wish, silence.note), folder, "ttr-sim run") as (run, record):
        return carry_out(run, record, 1, silence)
