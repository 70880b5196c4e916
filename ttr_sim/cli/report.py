"""The commands about runs that are already played: `report` and `replay`."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import damaged_runs_explained
from ttr_sim.cli.output import Progress, findings_text
from ttr_sim.errors import typed

MAX_NAMED_RUNS = 6


@click.command(short_help="Write the report of one or more runs.")
@options.run_folder("runs", nargs=-1, required=True, metavar="RUN...")
@options.out("Folder for the report.  [default: reports/<edition>]", metavar="DIR")
@options.force
@options.quiet
def report_command(runs: tuple[Path, ...], out: Path | None, force: bool, quiet: bool) -> None:
    """Write the report of RUNs of one edition: a page, charts/*.png and tables/*.csv.

    \b
    ttr-sim report runs/usa-4p-1a2b3c4d
    ttr-sim report runs/usa-2p-* runs/usa-4p-* --out my-report
    """
    from ttr_sim.cli.film import film_games
    from ttr_sim.report.page import write_report

    line = typed()
    if len(runs) > MAX_NAMED_RUNS:  # the page lists them anyway
        words = [word for word in shlex.split(line) if Path(word) not in runs[1:]]
        line = f"{shlex.join(words)} (and {len(set(runs[1:]))} more runs, listed below)"
    with Progress(quiet).wait("analyzing the games"), damaged_runs_explained(*runs):
        report = write_report(runs, out, line, film=film_games, force=force)
    click.echo(findings_text(report.analysis))
    click.echo(report.page)


@click.command(epilog="Example: ttr-sim replay runs/usa-4p-0a1b2c3d 17 --out game.html")
@options.run_folder("run")
@click.argument("game", type=click.IntRange(0))
@options.out("Write a page (.html) that steps through the game.")
@options.force
def replay_command(run: Path, game: int, out: Path | None, force: bool) -> None:
    """Show game number GAME of RUN, turn by turn, and the final scores.

    All hands are shown. Turn numbers are those of the log.
    """
    from ttr_sim.referee.audit import one_game
    from ttr_sim.referee.telling import tell
    from ttr_sim.report.folder import check_file, own_file
    from ttr_sim.run.read import open_run

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
