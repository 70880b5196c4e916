"""`ttr-sim check`: report every problem of an edition folder at once."""

from __future__ import annotations

from typing import Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, FINE
from ttr_sim.cli.output import counted, print_json
from ttr_sim.edition import Problem, check_folder, find_folder


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
        print_json({"errors": [*map(_entry, errors)], "warnings": [*map(_entry, warnings)]}, indent=2)
    else:
        for problem in errors:
            click.echo(str(problem))
        for problem in warnings:
            click.echo(problem.as_line("warning: "))
        verdict = "this edition cannot be played" if errors else "ready to play"
        click.echo(f"{counted(len(errors), 'error')}, {counted(len(warnings), 'warning')}: {verdict}")
    return FINDINGS if errors else FINE


def _entry(problem: Problem) -> dict[str, Any]:
    return {name: getattr(problem, name) for name in ("file", "line", "column", "message", "hint")}
