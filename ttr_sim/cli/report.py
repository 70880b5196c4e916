"""`ttr-sim report`: write the report of runs that are already played."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ttr_sim.cli import options
from ttr_sim.cli.output import Progress, findings_text
from ttr_sim.cli.problems import damaged_runs_explained
from ttr_sim.errors import typed

MAX_NAMED_RUNS = 6


@click.command(short_help="Write the report of one or more runs.")
@options.run_folder("runs", nargs=-1, required=True, metavar="RUN...")
@options.out("the report", "reports/<edition>")
@options.force
@options.quiet
def command(runs: tuple[Path, ...], out: Path | None, force: bool, quiet: bool) -> None:
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
