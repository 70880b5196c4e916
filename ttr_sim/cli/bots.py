"""`ttr-sim bots`: list the play styles and their parameters."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click

from ttr_sim.bots import Style, list_styles
from ttr_sim.cli.options import json_list_option
from ttr_sim.cli.text import paragraph


@click.command(epilog="Example: ttr-sim bots --json")
@json_list_option
def command(as_json: bool) -> None:
    """List the bots, each with its idea and parameters.

    \b
    --bots planner                      a style
    --bots planner:greed=0.3,block=1    a style with your own parameters
    --bots my_bots.py:Greedy            your own bot from a file
    """
    styles = list_styles()
    if as_json:
        click.echo(json.dumps([_entry(style) for style in styles], indent=2))
        return
    click.echo("\n\n".join(_describe(style) for style in styles))


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
