"""`ttr-sim bots`: list the play styles and their parameters."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ttr_sim.bots import Style, list_styles
from ttr_sim.cli.main import FINDINGS
from ttr_sim.cli.options import json_list_option
from ttr_sim.cli.text import paragraph
from ttr_sim.errors import UserError

CHECKED_PLAYERS = 3
CHECKED_DEALS = 3
CHECKED_DECISIONS = 600  # on each edition, or as many as fit into the seconds
CHECKED_SECONDS = 20.0
MOST_SECONDS = 240.0  # for a bot on all editions, compiling included


@click.command(epilog="Example: ttr-sim bots --json")
@click.option(
    "--check",
    "checked",
    metavar="FILE",
    help="Run the bots in FILE (or FILE:Name) and test that they look at no hidden cards.",
)
@json_list_option
@click.pass_context
def command(context: click.Context, checked: str | None, as_json: bool) -> None:
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
        if not _check(checked):
            context.exit(FINDINGS)
        return
    styles = list_styles()
    if as_json:
        click.echo(json.dumps([_entry(style) for style in styles], indent=2))
        return
    click.echo("\n\n".join(_describe(style) for style in styles))


def _check(written: str) -> bool:
    """Print a sentence for each bot of a user's file; return whether all are well."""
    from functools import partial

    from ttr_sim.run.backends.hanging import in_a_process

    is_well = True
    for spec in _specs(written):
        trouble, sentence = in_a_process(partial(_verdict, spec), MOST_SECONDS, spec)
        click.echo(paragraph(sentence))
        is_well = is_well and not trouble
    return is_well


def _specs(written: str) -> list[str]:
    """Return the bots of FILE, or the one of FILE:Name."""
    from ttr_sim.bots.api import FILE_ENDING
    from ttr_sim.bots.loading import bots_in

    if f"{FILE_ENDING}:" in written:
        return [written]
    if not written.endswith(FILE_ENDING):
        raise UserError(f'"{written}" is not a file of bots, whose name ends in {FILE_ENDING}, as in my_bots.py')
    specs = bots_in(Path(written))
    if not specs:
        missing = "a function of board, view and seat, or a class with such a method choose"
        raise UserError(f"{written} has no bot: {missing}")
    return specs


def _verdict(spec: str) -> tuple[bool, str]:
    """Return whether the bot of a file is in trouble, and a sentence."""
    from ttr_sim.bots import load_bots
    from ttr_sim.edition import load_edition, official_names
    from ttr_sim.run.honesty import examine

    asked = 0
    for name in official_names():
        bots = load_bots([spec], load_edition(name))
        found = examine(bots, 0, CHECKED_PLAYERS, CHECKED_DEALS, CHECKED_DECISIONS, CHECKED_SECONDS)
        asked += found.decisions
        if found.trouble is not None:
            return True, f"{found.trouble} (on {name})"
    return False, f"{spec} answers the same whatever the hidden cards are: {asked:,} decisions on all editions"


def _entry(style: Style) -> dict[str, Any]:
    return {
        "bot": style.name,
        "idea": style.idea,
        "searches": style.searches,
        "parameters": [asdict(parameter) for parameter in style.parameters],
    }


def _describe(style: Style) -> str:
    lines = [style.name, paragraph(style.idea, "  ", "  ")]
    for parameter in style.parameters:
        limits = f"{parameter.low:g} to {parameter.high:g}"
        numbers = f"    {parameter.name:<10} {parameter.default:<5g} {limits:<10}  "
        lines.append(paragraph(parameter.idea, numbers, " " * len(numbers)))
    return "\n".join(lines)
