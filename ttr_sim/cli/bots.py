"""The commands about bots: list and check them (`bots`), and fit them to a board (`tune`)."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

import click

from ttr_sim.bots import list_styles
from ttr_sim.bots.api import FAST_STYLES, FILE_ENDING, load_style
from ttr_sim.bots.tuning import tuned_of, write_tuned
from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS
from ttr_sim.cli.output import MAX_WIDTH, Progress, paragraph, print_json
from ttr_sim.edition import edition_names, find_folder, load_edition, official_names
from ttr_sim.errors import UserError, command_line, did_you_mean

if TYPE_CHECKING:
    from ttr_sim.run.tune import Laboratory, Values
    from ttr_sim.run.workers import Workers

DEFAULT_STEPS = 45
CHECKED_PLAYERS = 3
CHECKED_DEALS = 3
CHECKED_DECISIONS = 600  # on each edition, or as many as fit into the seconds
CHECKED_SECONDS = 20.0
TIMEOUT = 240.0  # seconds for a bot on all editions, compiling included


@options.command(epilog="Example: ttr-sim bots planner")
@click.argument("style", required=False)
@click.option(
    "--check",
    "checked",
    metavar="FILE",
    help="Run the bots in FILE (or FILE:Name) and test that they look at no hidden cards.",
)
@options.json_list
def bots_command(style: str | None, checked: str | None, as_json: bool) -> int | None:
    """List the bots, or show the idea and the parameters of a STYLE.

    \b
    --bots planner                      a style
    --bots planner:greed=0.3,block=1    a style with your own parameters
    --bots my_bots.py:Greedy            your own bot from a file

    With --check, exits with 1 when a bot looks at hidden cards or breaks a rule.
    """
    if checked is not None:
        if as_json:
            raise click.UsageError("--check prints sentences; omit --json.")
        if style is not None:
            raise click.UsageError(f"--check is about the bots of a file; omit {style}.")
        return check_bots(checked)
    styles = {known.name: known for known in list_styles()}
    if style is not None and style.lower() not in styles:
        raise UserError(
            f'there is no style "{style}"{did_you_mean(style, styles)}; to list them: {command_line("bots")}'
        )
    chosen = [styles[style.lower()]] if style else [*styles.values()]
    if as_json:
        found = []
        for known in chosen:
            parameters = [asdict(parameter) for parameter in known.parameters]
            found.append({"bot": known.name, "idea": known.idea, "searches": known.searches, "parameters": parameters})
        print_json(found, indent=2)
    elif style:
        (known,) = chosen
        click.echo(f"{known.name}\n{paragraph(known.idea, '  ', '  ')}")
        for parameter in known.parameters:
            limits = f"{parameter.low:g} to {parameter.high:g}"
            numbers = f"    {parameter.name:<10} {parameter.default:<5g} {limits:<10}  "
            click.echo(paragraph(parameter.idea, numbers, " " * len(numbers)))
    else:
        width = min(shutil.get_terminal_size((MAX_WIDTH, 0)).columns, MAX_WIDTH) - 12
        for known in chosen:
            idea = shorten(known.idea.partition(". ")[0].rstrip("."), width, placeholder="…")
            click.echo(f"  {known.name:<10}{idea}")
        click.echo(f"\nThe parameters of one: {command_line('bots', 'planner')}")
    return None


def check_bots(bot: str) -> int | None:
    """Print a sentence about each bot of a file and choose the exit code."""
    from ttr_sim.bots.loading import bots_in
    from ttr_sim.run.processes import in_a_process

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
        is_faulty, sentence = in_a_process(partial(examine_bot, spec), TIMEOUT, spec)
        click.echo(paragraph(sentence))
        if is_faulty:
            code = FINDINGS
    return code


def examine_bot(spec: str) -> tuple[bool, str]:
    """Test a bot on all editions, giving (is_faulty, description)."""
    from ttr_sim.bots import load_bots
    from ttr_sim.run.honesty import examine

    decisions = 0
    for name in official_names():
        bots = load_bots([spec], load_edition(name))
        found = examine(bots, 0, CHECKED_PLAYERS, CHECKED_DEALS, CHECKED_DECISIONS, CHECKED_SECONDS)
        decisions += found.decisions
        if found.trouble is not None:
            return True, f"{found.trouble} (on {name})"
    return False, f"{spec} answers the same whatever the hidden cards are: {decisions:,} decisions on all editions"


@options.command(short_help="Tune a bot for your own board.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--style",
    type=click.Choice(FAST_STYLES),
    default="planner",
    show_default=True,
    metavar="STYLE",
    help="Bot to tune; blocker plays with the planner's values.",
)
@click.option(
    "--steps", type=click.IntRange(1), metavar="N", default=DEFAULT_STEPS, show_default=True, help="Generations to try."
)
@options.seed
@options.workers
@options.quiet
def tune_command(folder: Path, style: str, steps: int, seed: int, workers: Workers, progress: Progress) -> None:
    """Find how a style plays the board in FOLDER best, and write it into its bots.toml.

    The same seed and steps write the same file. Stopped before the end, it writes nothing.

    \b
    ttr-sim tune my-map
    ttr-sim tune my-map --style racer --steps 90
    """
    own = find_folder(str(folder)).resolve()
    for name in edition_names():
        if find_folder(name).resolve() == own:
            copying = command_line("new", "my-map", "--from", name)
            raise UserError(f"{name} comes with ttr-sim and stays as it is; copy it with: {copying}")
    edition = load_edition(folder)
    # Numba loads here, after the folder was checked.
    from ttr_sim.run.tune import open_laboratory, tune

    if not load_style(style).parameters:
        raise UserError(f"{style} has no parameters to tune; to list those of each style: {command_line('bots')}")
    known = tuned_of(edition)
    progress.unit = "generations"
    progress.note(f"tuning {style} for {edition.title}")
    with open_laboratory(edition, style, seed, workers, progress) as laboratory:
        with progress.count(steps) as show:
            found = tune(laboratory, steps, show)
        gained = gain_text(laboratory, found)
        write_tuned(edition, style, laboratory.named(found), known)
    click.echo(gained)
    click.echo(edition.folder / "bots.toml")


def gain_text(laboratory: Laboratory, values: Values) -> str:
    """Compare the values with the defaults on fresh deals, by player count."""
    from ttr_sim.run.tune import measure

    fewest, most = laboratory.edition.players
    texts = []
    for players in range(fewest, most + 1):
        gain = measure(laboratory, values, laboratory.defaults, players)
        share, error = 100 * gain.mean, 50 * (gain.high - gain.low)
        texts.append(f"{share:+.1f} ± {error:.1f} with {players} players")
    return f"On fresh deals, a seat with the tuned values wins {', '.join(texts)} beyond its share of 100 games."
