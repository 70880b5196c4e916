"""`ttr-sim study`: run an edition at several player counts and write its report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttr_sim.cli import completion
from ttr_sim.cli.findings import findings_text
from ttr_sim.cli.main import INTERRUPTED
from ttr_sim.cli.options import (
    bots_option,
    games_option,
    json_option,
    out_option,
    player_counts_option,
    quiet_option,
    seed_option,
    workers_option,
)
from ttr_sim.cli.progress import Progress
from ttr_sim.cli.study_json import as_object
from ttr_sim.command_line import typed
from ttr_sim.errors import Interrupted

if TYPE_CHECKING:
    from ttr_sim.report.reports import Report
    from ttr_sim.run.study import Study
    from ttr_sim.run.workers import Workers

DEFAULT_GAMES = 20_000


@click.command(short_help="Run an edition at several player counts and write its report.")
@click.argument("editions", nargs=-1, required=True, shell_complete=completion.editions, metavar="EDITION...")
@games_option(DEFAULT_GAMES, "Games that strong players play at each player count; other fields scale with it.")
@player_counts_option
@bots_option("Play only these bots.  [default: strong players, then other fields]")
@seed_option
@workers_option
@out_option("the report", "reports/<edition>, or reports for several editions")
@json_option
@quiet_option
def command(
    *,
    editions: tuple[str, ...],
    games: int,
    players: tuple[int, ...] | None,
    bots: tuple[str, ...] | None,
    seed: int,
    workers: Workers,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> int | None:
    """Run one or more EDITIONs (names or folders) at several player counts and write a report.

    The page rests on strong players in every seat and is there as soon as they have played. Then it is completed: by
    rivals of several styles and by all styles, which show how far a finding holds, and by one seat among strong players
    that plays differently, which shows what the board rewards.

    Several editions each get their own page, plus one page that shows them side by side.

    \b
    ttr-sim study usa
    ttr-sim study my-map --players 2,4 --games 100000
    ttr-sim study usa europe germany
    """
    from ttr_sim.report.folder import make_folder
    from ttr_sim.report.reports import REPORTS, folder_names, write_side_by_side

    progress, line = Progress(quiet), typed()
    studies = [_study(edition, players, bots, games, seed) for edition in editions]
    names = folder_names(editions)
    home = out or (REPORTS if len(editions) > 1 else REPORTS / names[0])
    make_folder(home)
    folders = [home / name for name in names] if len(editions) > 1 else [home]
    try:
        reports = [
            _played(study, folder, workers, progress, line) for study, folder in zip(studies, folders, strict=True)
        ]
    except Interrupted:
        click.echo(f"Interrupted. Continue with: {line}", err=True)
        return INTERRUPTED
    front = write_side_by_side(reports, home) if len(reports) > 1 else reports[0].page
    if as_json:
        objects = [as_object(report) for report in reports]
        click.echo(json.dumps(objects if len(objects) > 1 else objects[0], ensure_ascii=False))
        return None
    for report in reports:
        click.echo(findings_text(report.analysis))
    click.echo(front)
    return None


def _played(study: Study, folder: Path, workers: Workers, progress: Progress, line: str) -> Report:
    """Play a study and write its page, first as soon as there is something to show."""
    from ttr_sim.report.reports import write_report
    from ttr_sim.run.study import play_study

    report = None
    for runs in play_study(study, workers, progress, line):
        if report is not None:
            progress.note(f"completing {report.page}")
        progress.note("analyzing the games")
        report = write_report(runs, folder, line)
        progress.note(f"{report.page} is written")
    assert report is not None, "a study yields its runs at least once"
    return report


def _study(edition: str, players: tuple[int, ...] | None, bots: tuple[str, ...] | None, games: int, seed: int) -> Study:
    """Return what is to be played of one edition, checked before anything is played."""
    from ttr_sim.edition import load_edition
    from ttr_sim.run.plan import all_player_counts, check_request
    from ttr_sim.run.study import Study

    loaded = load_edition(edition)
    study = Study(loaded, players or all_player_counts(loaded), games, seed, bots)
    check_request(study.first)
    return study
