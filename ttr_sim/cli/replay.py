"""`ttr-sim replay`: show one game of a run in words."""

from __future__ import annotations

from pathlib import Path

import click

from ttr_sim.cli.completion import runs
from ttr_sim.referee.audit import one_game
from ttr_sim.referee.telling import tell
from ttr_sim.run.opened import open_run


@click.command(epilog="Example: ttr-sim replay runs/usa-4p-0a1b2c3d 17")
@click.argument("run", type=click.Path(path_type=Path), shell_complete=runs)
@click.argument("game", type=click.IntRange(0))
def command(run: Path, game: int) -> None:
    """Show game number GAME of RUN, turn by turn, and the final scores.

    All hands are shown. Turn numbers are those of the log.
    """
    open_run(run).check()
    for line in tell(*one_game(run, game)):
        click.echo(line)
