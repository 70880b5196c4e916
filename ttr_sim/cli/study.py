"""ttr-sim study: run an edition at its player counts and write its report."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from ttr_sim.cli.options import (
    bots_option,
    jobs_option,
    out_option,
    player_counts_option,
    quiet_option,
    seed_option,
)
from ttr_sim.cli.progress import Progress
from ttr_sim.run.interrupted import Interrupted

DEFAULT_GAMES = 40_000
INTERRUPTED = 130


@click.command(short_help="Run an edition at several player counts and write its report.")
@click.argument("editions", nargs=-1, required=True, metavar="EDITION...")
@click.option("--games", type=int, metavar="N", default=DEFAULT_GAMES, show_default=True, help="For each player count.")
@player_counts_option
@bots_option("Who plays; by default the standard styles.")
@seed_option
@jobs_option
@out_option("the report; by default reports/<edition>")
@quiet_option
def command(
    editions: tuple[str, ...],
    games: int,
    players: tuple[int, ...] | None,
    bots: tuple[str, ...] | None,
    seed: int,
    jobs: int,
    out: Path | None,
    quiet: bool,
) -> int | None:
    """Run one or more EDITIONs (names or folders) at several player counts and write a report.

    \b
    ttr-sim study usa
    ttr-sim study my-map --players 2,4 --games 100000
    """
    from ttr_sim.bots import STANDARD_STYLES
    from ttr_sim.cli.first_page import write_first_page
    from ttr_sim.run.study import StudyWish, play_study, report_folder

    line = shlex.join(["ttr-sim", *sys.argv[1:]])
    try:
        runs = [
            run
            for edition in editions
            for run in play_study(
                StudyWish(edition, bots or STANDARD_STYLES, games, seed, players), jobs, Progress(quiet), line
            )
        ]
    except Interrupted:
        click.echo(f"Interrupted. Go on with: {line}", err=True)
        return INTERRUPTED
    click.echo(write_first_page(runs, out or report_folder(editions)))
    return None
