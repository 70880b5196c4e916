"""Small runs played for tests, as the command `run` plays them."""

from __future__ import annotations

from pathlib import Path

from ttr_sim.cli.output import Progress
from ttr_sim.edition import load_edition
from ttr_sim.edition.rules import overrides_of
from ttr_sim.run.plan import FULL, Request, make_plans
from ttr_sim.run.play import play_plan
from ttr_sim.run.read import Run
from ttr_sim.run.workers import ProgressListener, ThisMachine, Workers


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
    watch: ProgressListener | None = None,
    one_of: tuple[str, ...] = (),
) -> Run:
    """Play into the folder; by default with one worker and full logs."""
    watch = watch or Progress(quiet=True)
    loaded = load_edition(edition, overrides_of(settings))
    request = Request(loaded, (players,), bots, games, seed, log, settings, part_size, one_of=one_of)
    (plan,) = make_plans(request, watch)
    return play_plan(request, plan, folder, workers, watch, "ttr-sim run")
