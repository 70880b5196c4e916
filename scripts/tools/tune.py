"""Tune a style for a shipped edition, or measure what its stored values gain.

scripts/tune usa                      `ttr-sim tune` for the editions that it refuses
scripts/tune usa --check              what the stored values gain over the defaults, on fresh deals
"""

from __future__ import annotations

import click

from ttr_sim.bots.tuning import tuned_of, write_tuned
from ttr_sim.cli import options
from ttr_sim.cli.bots import DEFAULT_STEPS, gain_text
from ttr_sim.cli.output import Progress
from ttr_sim.edition import load_edition
from ttr_sim.run.tune import open_laboratory, tune
from ttr_sim.run.workers import Workers


@click.command(help=__doc__)
@click.argument("edition")
@click.option("--style", default="planner", show_default=True)
@click.option("--steps", type=int, default=DEFAULT_STEPS, show_default=True)
@click.option("--check", is_flag=True, help="Keep the stored values, and print what they gain.")
@options.seed
@options.workers
def main(edition: str, style: str, steps: int, check: bool, seed: int, workers: Workers) -> None:
    loaded, progress = load_edition(edition), Progress(unit="generations")
    known = tuned_of(loaded)
    with open_laboratory(loaded, style, seed, workers, progress) as laboratory:
        if check:
            found = laboratory.values(known.of(style, None))
        else:
            with progress.count(steps) as show:
                found = tune(laboratory, steps, show)
            write_tuned(loaded, style, laboratory.named(found), known)
        click.echo(f"{loaded.title}: {gain_text(laboratory, found)}")


if __name__ == "__main__":
    main(prog_name="scripts/tune")
