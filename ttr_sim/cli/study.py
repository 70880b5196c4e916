"""`ttr-sim study`: run an edition at several player counts and write its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttr_sim.cli import completion
from ttr_sim.cli.findings import findings_text
from ttr_sim.cli.main import INTERRUPTED
from ttr_sim.cli.options import (
    bots_option,
    games_option,
    jobs_option,
    out_option,
    player_counts_option,
    quiet_option,
    seed_option,
)
from ttr_sim.cli.progress import Progress
from ttr_sim.command_line import typed
from ttr_sim.errors import Interrupted

if TYPE_CHECKING:
    from ttr_sim.run.plan import Request

DEFAULT_GAMES = 40_000


@click.command(short_help="Run an edition at several player counts and write its report.")
@click.argument("editions", nargs=-1, required=True, shell_complete=completion.editions, metavar="EDITION...")
@games_option(DEFAULT_GAMES, "Games for each player count.")
@player_counts_option
@bots_option("Bots that play.  [default: the standard styles]")
@seed_option
@jobs_option
@out_option("the report", "reports/<edition>, or reports for several editions")
@quiet_option
def command(
    editions: tuple[str, ...],
    games: int,
    players: tuple[int, ...] | None,
    bots: tuple[str, ...] | None,
    seed: int,
    jobs: int,
    out: Path | None,
    quiet: bool,
) -> int | None:
    """Run one or more EDITIONs (names or folders) at several player counts and write a report.

    Several editions each get their own page, plus one page that shows them side by side.

    \b
    ttr-sim study usa
    ttr-sim study my-map --players 2,4 --games 100000
    ttr-sim study usa europe germany
    """
    from ttr_sim.bots import STANDARD_STYLES
    from ttr_sim.report.reports import REPORTS, folder_names, make_folder, write_report, write_side_by_side
    from ttr_sim.run.study import play_study

    progress, line = Progress(quiet), typed()
    requests = [_request(edition, players, bots or STANDARD_STYLES, games, seed) for edition in editions]
    names = folder_names(editions)
    home = out or (REPORTS if len(editions) > 1 else REPORTS / names[0])
    make_folder(home)
    try:
        played = [play_study(request, jobs, progress, line) for request in requests]
    except Interrupted:
        click.echo(f"Interrupted. Continue with: {line}", err=True)
        return INTERRUPTED
    progress.note("analyzing the games")
    folders = [home / name for name in names] if len(editions) > 1 else [home]
    reports = [write_report(runs, folder, line) for runs, folder in zip(played, folders, strict=True)]
    for report in reports:
        click.echo(findings_text(report.analysis))
    click.echo(write_side_by_side(reports, home) if len(reports) > 1 else reports[0].page)
    return None


def _request(edition: str, players: tuple[int, ...] | None, bots: tuple[str, ...], games: int, seed: int) -> Request:
    """Return the request for one edition, checked before anything is played."""
    from ttr_sim.edition import load_edition
    from ttr_sim.run.plan import Request, all_player_counts, check_request

    loaded = load_edition(edition)
    request = Request(loaded, players or all_player_counts(loaded), bots, games, seed)
    check_request(request)
    return request
