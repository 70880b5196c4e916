"""`ttr-sim report`: write the report of runs that are already played."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ttr_sim.cli import completion
from ttr_sim.cli.findings import findings_text
from ttr_sim.cli.options import force_option, out_option, quiet_option
from ttr_sim.cli.progress import Progress
from ttr_sim.cli.strange_rows import strange_rows_explained
from ttr_sim.errors import typed

MOST_IN_A_LINE = 6  # runs


@click.command(short_help="Write the report of one or more runs.")
@click.argument(
    "runs", nargs=-1, required=True, type=click.Path(path_type=Path), shell_complete=completion.runs, metavar="RUN..."
)
@out_option("the report", "reports/<edition>")
@force_option
@quiet_option
def command(runs: tuple[Path, ...], out: Path | None, force: bool, quiet: bool) -> None:
    """Write the report of RUNs of one edition: a page, charts/*.png and tables/*.csv.

    \b
    ttr-sim report runs/usa-4p-1a2b3c4d
    ttr-sim report runs/usa-2p-* runs/usa-4p-* --out my-report
    """
    from ttr_sim.cli.film import film_games
    from ttr_sim.report.page import write_report

    with Progress(quiet).wait("analyzing the games"), strange_rows_explained(*runs):
        report = write_report(runs, out, _line(runs), film=film_games, force=force)
    click.echo(findings_text(report.analysis))
    click.echo(report.page)


def _line(runs: tuple[Path, ...]) -> str:
    """Return the command as it was typed; of many runs, which the page lists anyway, only the first."""
    if len(runs) <= MOST_IN_A_LINE:
        return typed()
    others = set(runs[1:])
    words = [word for word in shlex.split(typed()) if Path(word) not in others]
    return f"{shlex.join(words)} (and {len(others)} more runs, listed below)"
