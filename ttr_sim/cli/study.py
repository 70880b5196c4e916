"""`ttr-sim study`: run an edition at several player counts and write its report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ttr_sim.cli import completion
from ttr_sim.cli.main import FINDINGS, INTERRUPTED
from ttr_sim.cli.options import (
    bots_option,
    force_option,
    games_option,
    json_option,
    out_option,
    player_counts_option,
    quiet_option,
    seed_option,
    workers_option,
)
from ttr_sim.cli.progress import Progress
from ttr_sim.cli.studying import DEFAULT_GAMES, Length, open_page, plan_study, play_and_report
from ttr_sim.errors import typed

if TYPE_CHECKING:
    from ttr_sim.report.page import Report
    from ttr_sim.run.backends import Workers


@click.command(short_help="Run an edition at several player counts and write its report.")
@click.argument("editions", nargs=-1, required=True, shell_complete=completion.editions, metavar="EDITION...")
@games_option(DEFAULT_GAMES, "Games that strong players play at each player count; other fields scale with it.")
@player_counts_option
@bots_option("Play only these bots.  [default: strong players, then other fields]")
@click.option(
    "--quick", is_flag=True, help="Play strong players only, 2,000 games at each player count, and write a short page."
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option("--watch", "watches", is_flag=True, help="Play again, quickly, at each save, until Ctrl-C.")
@click.option("--check", "checks", is_flag=True, help="Exit 1 and print a line for each target that the board misses.")
@seed_option
@workers_option
@out_option("the report, or for several editions of their reports", "reports/<edition>")
@force_option
@json_option
@quiet_option
@click.pass_context
def command(
    context: click.Context,
    /,
    *,
    editions: tuple[str, ...],
    games: int,
    players: tuple[int, ...] | None,
    bots: tuple[str, ...] | None,
    quick: bool,
    opens: bool,
    watches: bool,
    checks: bool,
    seed: int,
    workers: Workers,
    out: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> int | None:
    """Run one or more EDITIONs (names or folders) at several player counts and write a report.

    The page rests on strong players in every seat and is there as soon as they have played. Then it is completed: by
    rivals of several styles and by all styles, which show how far a finding holds, and by one seat among strong players
    that plays differently, which shows what the board rewards.

    Several editions each get their own page.

    \b
    ttr-sim study usa
    ttr-sim study my-map --quick --open
    ttr-sim study my-map --watch --open
    ttr-sim study my-map --quick --check
    ttr-sim study my-map --players 2,4 --games 100000
    ttr-sim study usa europe germany
    """
    from ttr_sim.report.folder import check_folder, make_folder, report_on

    progress, line = Progress(quiet), typed()
    named = context.get_parameter_source("games") is not ParameterSource.DEFAULT
    length = Length(games if named else None, quick or watches)
    folders = _folders(editions, out, length.quick, progress)
    if watches:
        from ttr_sim.cli.watching import WatchedBoard, watch_study

        _refuse_beside_watch(editions, check=checks, json=as_json)
        board = WatchedBoard(editions[0], folders[0], players, bots, seed, length, workers, progress, line, force)
        watch_study(board, opens)
        return None
    studies = [plan_study(edition, players, bots, seed, length) for edition in editions]
    for study, folder in zip(studies, folders, strict=True):
        check_folder(folder, report_on(study.edition.name, length.quick), force)
        make_folder(folder)
    try:
        reports = [
            _completed(play_and_report(study, length, folder, workers, progress, line, force), opens, progress)
            for study, folder in zip(studies, folders, strict=True)
        ]
    except KeyboardInterrupt:  # while playing, or while what was played is analyzed
        click.echo(f"Interrupted. Continue with: {line}", err=True)
        return INTERRUPTED
    _print(reports, as_json)
    return _checked(reports, as_json) if checks else None


def _folders(editions: Sequence[str], out: Path | None, quick: bool, progress: Progress) -> list[Path]:
    """Choose a folder for each report; by default a quick one never replaces a full one."""
    from ttr_sim.report.folder import REPORTS, folder_names, quick_folder

    names = folder_names(editions)
    folders = [out] if out and len(editions) == 1 else [(out or REPORTS) / name for name in names]
    if out or not quick:
        return folders
    chosen = [quick_folder(folder) for folder in folders]
    for full, folder in zip(folders, chosen, strict=True):
        if folder != full:
            progress.note(f"{full} keeps its full report; the quick one goes to {folder}")
    return chosen


def _completed(pages: Iterator[Report], opens: bool, progress: Progress) -> Report:
    """Return the last page of a study; the first one is opened as soon as it is there."""
    first = next(pages)
    if opens:
        open_page(first.page.resolve().as_uri(), progress)
    *_, last = (first, *pages)
    return last


def _print(reports: Sequence[Report], as_json: bool) -> None:
    from ttr_sim.cli.findings import findings_text
    from ttr_sim.cli.study_json import as_object

    if as_json:
        objects = [as_object(report) for report in reports]
        click.echo(json.dumps(objects if len(objects) > 1 else objects[0], ensure_ascii=False))
        return
    for report in reports:
        click.echo(f"{findings_text(report.analysis)}\n{report.page}")


def _refuse_beside_watch(editions: Sequence[str], **others: object) -> None:
    if len(editions) > 1:
        raise click.UsageError("--watch follows one EDITION; name one of them.")
    given = [f"--{name}" for name, value in others.items() if value]
    if given:
        raise click.UsageError(f"--watch shows a page and ends by Ctrl-C; omit {', '.join(given)}.")


def _checked(reports: Sequence[Report], as_json: bool) -> int | None:
    """Print each missed target, unless JSON reported it; the exit code says whether there was one."""
    from ttr_sim.cli.missed import missed_targets

    missed = [line for report in reports for line in missed_targets(report.analysis)]
    for line in () if as_json else missed or ["No target is missed."]:
        click.echo(line)
    return FINDINGS if missed else None
