"""`ttr-sim check`: report every problem of an edition folder at once."""

from __future__ import annotations

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, FINE
from ttr_sim.cli.output import counted, print_json
from ttr_sim.edition import check_folder, find_folder


@click.command(epilog="Example: ttr-sim check my-map")
@click.argument("folder", shell_complete=options.complete_editions)
@options.json
def command(folder: str, as_json: bool) -> int:
    """Report every problem of an edition folder, with file, line and column.

    Exits with 1 when there is an error; warnings alone do not fail.
    """
    from ttr_sim.bots.tuning import check_tuned

    # bots.toml is read by the bots, so its problems come from there.
    path = find_folder(folder)
    report = check_folder(path) + check_tuned(path)
    errors, warnings = report.errors, report.warnings
    if as_json:
        names = ("file", "line", "column", "message", "hint")
        lists = {"errors": errors, "warnings": warnings}
        rows = {key: [{name: getattr(row, name) for name in names} for row in found] for key, found in lists.items()}
        print_json(rows, indent=2)
    else:
        for problem in errors:
            click.echo(str(problem))
        for problem in warnings:
            click.echo(problem.as_line("warning: "))
        verdict = "this edition cannot be played" if errors else "ready to play"
        click.echo(f"{counted(len(errors), 'error')}, {counted(len(warnings), 'warning')}: {verdict}")
    return FINDINGS if errors else FINE
