"""`ttr-sim compare`: show what a change did."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ttr_sim.analysis.thresholds import LEAST_DIFFERENCE
from ttr_sim.cli.comparison import as_object, as_text
from ttr_sim.cli.completion import editions_and_runs
from ttr_sim.cli.main import INTERRUPTED
from ttr_sim.cli.options import (
    bots_option,
    force_option,
    games_option,
    json_option,
    out_option,
    quiet_option,
    seed_option,
    workers_option,
)
from ttr_sim.cli.progress import Progress
from ttr_sim.cli.strange_rows import strange_rows_explained
from ttr_sim.errors import typed

if TYPE_CHECKING:
    from ttr_sim.analysis.compare import Comparison
    from ttr_sim.run.study import Side

DEFAULT_GAMES = 20_000
FOR_EDITIONS = ("players", "bots", "games", "seed")


@click.command(short_help="Compare two runs, or two editions, on the same deals.")
@click.argument("a", shell_complete=editions_and_runs)
@click.argument("b", shell_complete=editions_and_runs)
@click.option(
    "--players", type=int, metavar="N", help="Players in a game.  [default: the middle of what both editions allow]"
)
@bots_option("Bots that play.  [default: planner]")
@games_option(DEFAULT_GAMES, "Games to play of each edition.")
@seed_option
@click.option(
    "--least",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    default=LEAST_DIFFERENCE * 100,
    show_default=True,
    help="Smallest difference worth reporting: percentage points for a share, percent for any other number.",
)
@workers_option
@out_option("the page and its tables", "reports/<a>-and-<b>")
@force_option
@json_option
@quiet_option
@click.pass_context
def command(context: click.Context, /, a: str, b: str, as_json: bool, quiet: bool, **options: Any) -> int | None:
    """Show what differs between A and B, and whether it matters.

    A and B are runs, or editions (names or folders), which are then played on the same deals: by strong players, and by
    rivals of several styles to see how far a difference holds. With a run and an edition, the edition is played the way
    the run was.

    \b
    ttr-sim compare usa my-map
    ttr-sim compare usa my-map --players 2 --games 100000
    ttr-sim compare runs/usa-4p-1a2b3c4d runs/usa-4p-5e6f7a8b
    """
    from ttr_sim.report.compare_page import write_comparison
    from ttr_sim.report.folder import check_folder, comparison_of
    from ttr_sim.run.study import is_run

    progress, line = Progress(quiet), typed()
    folder, called = options["out"] or _folder(a, b), _called(a, b)
    check_folder(folder, comparison_of(called), options["force"])
    try:
        with strange_rows_explained(*(Path(side) for side in (a, b) if is_run(side))):
            comparison = replace(_compare(context, (a, b), options, progress, line), called=called)
    except KeyboardInterrupt:  # while playing, or while what was played is analyzed
        click.echo(f"Interrupted. Continue with: {line}", err=True)
        return INTERRUPTED
    page = write_comparison(comparison, folder, line, options["force"])
    click.echo(json.dumps(as_object(comparison), ensure_ascii=False) if as_json else f"{as_text(comparison)}\n\n{page}")
    return None


def _called(a: str, b: str) -> tuple[str, str]:
    """Return the last parts of what the user wrote, or all of it where these are alike."""
    one, other = (Path(side).resolve().name for side in (a, b))
    return (one, other) if one != other else (a, b)


def _folder(a: str, b: str) -> Path:
    from ttr_sim.report.folder import REPORTS, folder_names

    return REPORTS / "-and-".join(folder_names((a, b)))


def _compare(
    context: click.Context, sides: tuple[str, str], options: dict[str, Any], progress: Progress, line: str
) -> Comparison:
    """Compare what strong players do on both sides, or the user's bots; of two editions also what rivals do."""
    from ttr_sim.analysis.compare import compare
    from ttr_sim.run.fields import STRONG_BOT
    from ttr_sim.run.study import among_rivals, plan_sides, play_sides

    given = [name for name in FOR_EDITIONS if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    how = {name: options[name] for name in ("games", "seed", "players")}
    planned = plan_sides(*sides, bots=options["bots"] or (STRONG_BOT,), given=given, **how)

    def play(both: tuple[Side, Side]) -> Comparison:
        runs = play_sides(both, options["workers"], progress, line)
        with progress.wait("comparing the games"):
            return compare(*runs, options["least"] / 100)

    comparison, rivals = play(planned), among_rivals(planned)
    return replace(comparison, rivals=play(rivals).headlines) if rivals else comparison
