"""`ttr-sim tune`: find how a style plays a board best, and write it into the board's bots.toml."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttr_sim.bots.api import FAST_STYLES
from ttr_sim.cli import options
from ttr_sim.cli.output import Progress
from ttr_sim.errors import UserError, command_line

if TYPE_CHECKING:
    from ttr_sim.edition.model import Edition
    from ttr_sim.run.tune import Laboratory, Values
    from ttr_sim.run.workers import Workers

DEFAULT_STEPS = 45


@click.command(short_help="Tune a bot for your own board.")
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
    "--steps",
    type=click.IntRange(min=1),
    metavar="N",
    default=DEFAULT_STEPS,
    show_default=True,
    help="Generations to try.",
)
@options.seed
@options.workers
@options.quiet
def tune_command(folder: Path, style: str, steps: int, seed: int, workers: Workers, quiet: bool) -> None:
    """Find how a style plays the board in FOLDER best, and write it into its bots.toml.

    The same seed and steps write the same file. Stopped before the end, it writes nothing.

    \b
    ttr-sim tune my-map
    ttr-sim tune my-map --style racer --steps 90
    """
    edition = own_edition(folder)

    from ttr_sim.bots.api import load_style
    from ttr_sim.bots.tuning import tuned_of, write_tuned
    from ttr_sim.run.tune import open_laboratory, tune

    if not load_style(style).parameters:
        raise UserError(f"{style} has no parameters to tune; to list those of each style: {command_line('bots')}")
    known, progress = tuned_of(edition), Progress(quiet, "generations")
    progress.note(f"tuning {style} for {edition.title}")
    with open_laboratory(edition, style, seed, workers, progress) as laboratory:
        with progress.count(steps) as show:
            found = tune(laboratory, steps, show)
        gained = gain_text(laboratory, found)
        write_tuned(edition, style, laboratory.named(found), known)
    click.echo(gained)
    click.echo(edition.folder / "bots.toml")


def own_edition(folder: Path) -> Edition:
    """Load the edition of a folder that is the user's own."""
    from ttr_sim.edition import edition_names, find_folder, load_edition

    own = find_folder(str(folder))
    shipped = [name for name in edition_names() if find_folder(name).resolve() == own.resolve()]
    if shipped:
        name = shipped[0]
        copying = command_line("new", "my-map", "--from", name)
        raise UserError(f"{name} comes with ttr-sim and stays as it is; copy it with: {copying}")
    return load_edition(folder)


def gain_text(laboratory: Laboratory, values: Values) -> str:
    """Say how many games in 100 the values win beyond the fair share among the defaults, by player count."""
    from ttr_sim.run.tune import measure

    fewest, most = laboratory.edition.players
    texts = []
    for players in range(fewest, most + 1):
        gain = measure(laboratory, values, laboratory.defaults, players)
        share, error = 100 * gain.mean, 50 * (gain.high - gain.low)
        texts.append(f"{share:+.1f} ± {error:.1f} with {players} players")
    return f"On fresh deals, a seat with the tuned values wins {', '.join(texts)} beyond its share of 100 games."
