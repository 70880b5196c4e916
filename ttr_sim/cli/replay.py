"""`ttr-sim replay`: show one game of a run in words, or write a page to watch it."""

from __future__ import annotations

from pathlib import Path

import click

from ttr_sim.cli import options
from ttr_sim.cli.problems import damaged_runs_explained
from ttr_sim.errors import typed
from ttr_sim.referee.audit import one_game
from ttr_sim.referee.telling import tell
from ttr_sim.report.folder import check_file, own_file
from ttr_sim.run.read import open_run


@click.command(epilog="Example: ttr-sim replay runs/usa-4p-0a1b2c3d 17 --out game.html")
@options.run_folder("run")
@click.argument("game", type=click.IntRange(0))
@click.option("--out", type=click.Path(path_type=Path), help="Write a page (.html) that steps through the game.")
@options.force
def command(run: Path, game: int, out: Path | None, force: bool) -> None:
    """Show game number GAME of RUN, turn by turn, and the final scores.

    All hands are shown. Turn numbers are those of the log.
    """
    if out is not None:
        check_file(out, "write the game to", (".html", ".htm"))
    opened = open_run(run)
    opened.check()
    with damaged_runs_explained(run):
        if out is None:
            click.echo("\n".join(tell(*one_game(run, game))))
            return
        from ttr_sim.cli.film import film_of
        from ttr_sim.report.replay import write_game

        with own_file(out, opened.edition.name, force) as file:
            write_game(film_of(opened, game, with_chances=True), file, typed())
        click.echo(f"Wrote the game to {out}.", err=True)
