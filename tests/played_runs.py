"""Small runs played for tests, as the command `run` plays them."""

from __future__ import annotations

from pathlib import Path

from ttr_sim.edition import load_edition
from ttr_sim.edition.rules import overrides_of
from ttr_sim.run.backends import ThisMachine, Workers
from ttr_sim.run.control import Silence, Watch
from ttr_sim.run.opened import Run
from ttr_sim.run.plan import FULL, Request, make_plans
from ttr_sim.run.play import play_plan


def play_run(
    folder: Path,
    edition: str | Path,
    players: int,
    bots: tuple[str, ...],
    games: int,
    seed: int = 1,
    *,
    log: str = FULL,
    settings: tuple[str, ...] = (),
    part_size: int | None = None,
    workers: Workers = ThisMachine(1),  # noqa: B008
    watch: Watch | None = None,
) -> Run:
    """Play into the folder; by default with one worker and full logs."""
    watch = watch or Silence()
    loaded = load_edition(edition, overrides_of(settings))
    request = Request(loaded, (players,), bots, games, seed, log, settings, part_size)
    (plan,) = make_plans(request, watch)
    return play_plan(request, plan, folder, workers, watch, "ttr-sim run")
