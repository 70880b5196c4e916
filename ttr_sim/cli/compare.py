"""`ttr-sim compare`: show the effects of a change."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.analysis.thresholds import LEAST_DIFFERENCE
from ttr_sim.cli import options
from ttr_sim.cli.main import continued_by, damaged_runs_explained
from ttr_sim.cli.output import Progress, aligned, paragraph, print_json, records
from ttr_sim.errors import typed
from ttr_sim.report.folder import REPORTS, check_folder, comparison_of, folder_names

if TYPE_CHECKING:
    from ttr_sim.analysis.compare import Comparison
    from ttr_sim.run.study import Side

DEFAULT_GAMES = 20_000
PLAY_OPTIONS = ("players", "bots", "games", "seed")


@options.command(short_help="Compare two runs, or two editions, on the same deals.")
@options.side_argument("a")
@options.side_argument("b")
@click.option(
    "--players", type=int, metavar="N", help="Players in a game.  [default: the middle of what both editions allow]"
)
@options.bots(help="Bots that play.  [default: planner]")
@options.games(default=DEFAULT_GAMES, help="Games to play of each edition.")
@options.seed
@click.option(
    "--least",
    cls=options.Advanced,
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    default=LEAST_DIFFERENCE * 100,
    show_default=True,
    help="Smallest difference worth reporting: percentage points for a share, percent for any other number.",
)
@options.workers
@options.report_out(help="Folder for the page and its tables.  [default: reports/<a>-and-<b>]")
@options.force
@options.json
@options.quiet
@click.pass_context
def compare_command(context: click.Context, /, a: str, b: str, out: Path | None, as_json: bool, **values: Any) -> None:
    """Show what differs between A and B, and whether it matters.

    A and B are runs, or editions (names or folders), which are then played on the same deals: by strong players, and by
    rivals of several styles to see how far a difference holds. With a run and an edition, the edition is played the way
    the run was.

    \b
    ttr-sim compare usa my-map
    ttr-sim compare usa my-map --players 2 --games 100000
    ttr-sim compare runs/usa-4p-1a2b3c4d runs/usa-4p-5e6f7a8b
    """
    from ttr_sim.analysis.compare import compare
    from ttr_sim.report.compare_page import write_comparison
    from ttr_sim.run.lineups import STRONG_BOT
    from ttr_sim.run.study import among_mixes, among_rivals, is_run, plan_sides, play_sides

    line, folder = typed(), out or REPORTS / "-and-".join(folder_names((a, b)))
    progress: Progress = values["progress"]
    last_parts = Path(a).resolve().name, Path(b).resolve().name
    # `my-map` says more than `boards/old/my-map`, unless both sides end alike.
    called = (a, b) if last_parts[0] == last_parts[1] else last_parts
    check_folder(folder, comparison_of(called), values["force"])

    def play(sides: tuple[Side, Side]) -> Comparison:
        first, second = play_sides(sides, values["workers"], progress, line)
        mixes = play_sides(among_mixes(sides), values["workers"], progress, line)
        with progress.wait("comparing the games"):
            return compare(first, second, values["least"] / 100, mixes)

    runs = [Path(side) for side in (a, b) if is_run(side)]
    with continued_by(f"Interrupted. Continue with: {line}"), damaged_runs_explained(*runs):
        given = [name for name in PLAY_OPTIONS if options.is_given(context, name)]
        how = {name: values[name] for name in ("games", "seed", "players")}
        planned = plan_sides(a, b, bots=values["bots"] or (STRONG_BOT,), given=given, **how)
        # A difference among strong players may vanish or turn around among weaker ones.
        comparison, rivals = replace(play(planned), called=called), among_rivals(planned)
        if rivals:
            comparison = replace(comparison, rivals=play(rivals).headlines)
    page = write_comparison(comparison, folder, line, values["force"])
    if as_json:
        print_json(as_object(comparison))
    else:
        click.echo(f"{as_text(comparison)}\n\n{page.resolve().as_uri()}")


def as_object(comparison: Comparison) -> dict[str, Any]:
    from ttr_sim.analysis.compare_text import robustness_by_headline, verdict

    headlines = comparison.headlines.assign(holds=robustness_by_headline(comparison))
    return {
        "a": str(comparison.a.path),
        "b": str(comparison.b.path),
        "paired": not comparison.unpaired,
        "blocks": comparison.blocks,
        "changes": list(comparison.changes),
        "verdict": verdict(comparison),
        "headlines": records(headlines),
        "tickets": records(comparison.tickets),
        "routes": records(comparison.routes),
    }


def as_text(comparison: Comparison) -> str:
    """Format the verdict, the changes and the headline numbers."""
    from ttr_sim.analysis.compare_text import side_names, verdict, written

    rows = []
    for row in comparison.headlines.to_dict("records"):
        name = f"{row['name']}{', %' if row['unit'] == 'share' else ''}{' *' if row['notable'] else ''}"
        sides = [written(row[side], row["unit"]) for side in ("a", "b")]
        difference, low, high = (written(row[number], row["unit"], "+") for number in ("difference", "low", "high"))
        rows.append((name, *sides, difference, "–" if isnan(row["low"]) else f"{low} to {high}"))
    headings = ("", *side_names(comparison), "difference", "95 % interval")
    first, *others = verdict(comparison)
    lines = [paragraph(first), "", "Changed:"]
    lines += [paragraph(change, "- ", "  ") for change in comparison.changes or ("nothing",)]
    lines += ["", *(paragraph(sentence, "- ", "  ") for sentence in others), ""]
    return "\n".join([*lines, aligned(headings, rows, left=1)])
