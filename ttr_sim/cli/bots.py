"""`ttr-sim bots`: list the play styles and their parameters, or check your own bots."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from ttr_sim.bots import list_styles
from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS
from ttr_sim.cli.output import paragraph, print_json
from ttr_sim.errors import UserError

CHECKED_PLAYERS = 3
CHECKED_DEALS = 3
CHECKED_DECISIONS = 600  # on each edition, or as many as fit into the seconds
CHECKED_SECONDS = 20.0
TIMEOUT = 240.0  # seconds for a bot on all editions, compiling included


@click.command(epilog="Example: ttr-sim bots --json")
@click.option(
    "--check",
    "checked",
    metavar="FILE",
    help="Run the bots in FILE (or FILE:Name) and test that they look at no hidden cards.",
)
@options.json_list
def bots_command(checked: str | None, as_json: bool) -> int | None:
    """List the bots, each with its idea and parameters.

    \b
    --bots planner                      a style
    --bots planner:greed=0.3,block=1    a style with your own parameters
    --bots my_bots.py:Greedy            your own bot from a file

    With --check, exits with 1 when a bot looks at hidden cards or breaks a rule.
    """
    if checked is not None:
        if as_json:
            raise click.UsageError("--check prints sentences; omit --json.")
        return _check(checked)
    if as_json:
        styles = []
        for style in list_styles():
            parameters = [asdict(parameter) for parameter in style.parameters]
            about = {"bot": style.name, "idea": style.idea, "searches": style.searches}
            styles.append({**about, "parameters": parameters})
        print_json(styles, indent=2)
        return None
    sections = []
    for style in list_styles():
        lines = [style.name, paragraph(style.idea, "  ", "  ")]
        for parameter in style.parameters:
            limits = f"{parameter.low:g} to {parameter.high:g}"
            numbers = f"    {parameter.name:<10} {parameter.default:<5g} {limits:<10}  "
            lines.append(paragraph(parameter.idea, numbers, " " * len(numbers)))
        sections.append("\n".join(lines))
    click.echo("\n\n".join(sections))
    return None


def _check(bot: str) -> int | None:
    """Print a sentence about each bot of a file and choose the exit code."""
    from ttr_sim.bots.api import FILE_ENDING
    from ttr_sim.bots.loading import bots_in
    from ttr_sim.run.workers import in_a_process

    if f"{FILE_ENDING}:" in bot:
        specs = [bot]
    elif bot.endswith(FILE_ENDING):
        specs = bots_in(Path(bot))
    else:
        raise UserError(f'"{bot}" is not a file of bots, whose name ends in {FILE_ENDING}, as in my_bots.py')
    if not specs:
        missing = "a function of board, view and seat, or a class with such a method choose"
        raise UserError(f"{bot} has no bot: {missing}")
    code = None
    for spec in specs:
        # A bot that hangs or breaks its process must not take this one along.
        is_faulty, sentence = in_a_process(partial(_examine, spec), TIMEOUT, spec)
        click.echo(paragraph(sentence))
        if is_faulty:
            code = FINDINGS
    return code


def _examine(spec: str) -> tuple[bool, str]:
    """Test a bot on all editions, giving (is_faulty, description)."""
    from ttr_sim.bots import load_bots
    from ttr_sim.edition import load_edition, official_names
    from ttr_sim.run.honesty import examine

    decisions = 0
    for name in official_names():
        bots = load_bots([spec], load_edition(name))
        found = examine(bots, 0, CHECKED_PLAYERS, CHECKED_DEALS, CHECKED_DECISIONS, CHECKED_SECONDS)
        decisions += found.decisions
        if found.trouble is not None:
            return True, f"{found.trouble} (on {name})"
    return False, f"{spec} answers the same whatever the hidden cards are: {decisions:,} decisions on all editions"
