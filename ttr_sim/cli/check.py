"""`ttr-sim check`: report every problem of an edition folder at once."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ttr_sim.cli.completion import editions
from ttr_sim.cli.main import FINDINGS
from ttr_sim.cli.options import json_option
from ttr_sim.cli.text import counted
from ttr_sim.edition import CheckResult, Problem, check_folder, find_folder


@click.command(epilog="Example: ttr-sim check my-map")
@click.argument("folder", shell_complete=editions)
@json_option
@click.pass_context
def command(context: click.Context, folder: str, as_json: bool) -> None:
    """Report every problem of an edition folder, with file, line and column.

    Exits with 1 when there is an error; warnings alone do not fail.
    """
    report = _check(find_folder(folder))
    if as_json:
        click.echo(json.dumps(_as_json(report), ensure_ascii=False, indent=2))
    else:
        click.echo(_text(report))
    if report.errors:
        context.exit(FINDINGS)


def _check(folder: Path) -> CheckResult:
    from ttr_sim.bots.tuning import check_tuned

    return check_folder(folder) + check_tuned(folder)


def _as_json(report: CheckResult) -> dict[str, list[dict[str, object]]]:
    return {
        "errors": [_entry(problem) for problem in report.errors],
        "warnings": [_entry(problem) for problem in report.warnings],
    }


def _entry(problem: Problem) -> dict[str, object]:
    return {name: getattr(problem, name) for name in ("file", "line", "column", "message", "hint")}


def _text(report: CheckResult) -> str:
    errors = [str(problem) for problem in report.errors]
    warnings = [problem.as_line("warning: ") for problem in report.warnings]
    return "\n".join([*errors, *warnings, _summary(len(errors), len(warnings))])


def _summary(errors: int, warnings: int) -> str:
    counts = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
    return f"{counts}: {'this edition cannot be played' if errors else 'ready to play'}"
