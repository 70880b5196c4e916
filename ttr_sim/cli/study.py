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
    games_option,
    json_option,
    out_option,
    player_counts_option,
    quiet_option,
    seed_option,
    until_option,
    workers_option,
)
from ttr_sim.cli.progress import Progress
from ttr_sim.cli.reported import Reported, made_of, played_before, played_for, recall
from ttr_sim.cli.studying import DEFAULT_GAMES, Length, open_page, plan_study, play_and_report
from ttr_sim.errors import typed

if TYPE_CHECKING:
    from ttr_sim.report.reports import Report
    from ttr_sim.run.backends import Workers
    from ttr_sim.run.study import Study


@click.command(short_help="Run an edition at several player counts and write its report.")
@click.argument("editions", nargs=-1, required=True, shell_complete=completion.editions, metavar="EDITION...")
@games_option(DEFAULT_GAMES, "Games that strong players play at each player count; other fields scale with it.")
@player_counts_option
@bots_option("Play only these bots.  [default: strong players, then other fields]")
@until_option
@click.option(
    "--quick", is_flag=True, help="Play strong players only, just enough games for a verdict, and write a short page."
)
@click.option(
    "--choices",
    type=click.IntRange(2, 10_000),
    metavar="N",
    help="Also weigh the choices of strong players, at one turn of each of N games: a second or more for each.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option("--watch", "watches", is_flag=True, help="Play again, quickly, at each save, until Ctrl-C.")
@click.option("--check", "checks", is_flag=True, help="Exit 1 and print a line for each target that the board misses.")
@seed_option
@workers_option
@out_option("the report", "reports/<edition>, or reports for several editions")
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
    until: float | None,
    quick: bool,
    choices: int | None,
    opens: bool,
    watches: bool,
    checks: bool,
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
    ttr-sim study my-map --quick --open
    ttr-sim study my-map --watch --open
    ttr-sim study my-map --until 1
    ttr-sim study my-map --quick --check
    ttr-sim study my-map --players 2,4 --games 100000
    ttr-sim study my-map --choices 60
    ttr-sim study usa europe germany
    """
    from ttr_sim.report.folder import make_folder
    from ttr_sim.report.reports import REPORTS, folder_names, write_side_by_side

    _refuse_beside_quick(quick, until)
    _refuse_beside_choices(choices, quick or watches or bots)
    progress, line = Progress(quiet), typed()
    named = context.get_parameter_source("games") is not ParameterSource.DEFAULT
    length = Length(games if named else None, until and until / 100, quick or watches, choices or 0)
    names = folder_names(editions)
    home = out or (REPORTS if len(editions) > 1 else REPORTS / names[0])
    if watches:
        from ttr_sim.cli.watching import WatchedBoard, watch_study

        _refuse_beside_watch(editions, until=until, check=checks, json=as_json)
        watch_study(WatchedBoard(editions[0], home, players, bots, seed, length, workers, progress, line), opens)
        return None
    studies = [plan_study(edition, players, bots, seed, length) for edition in editions]
    make_folder(home)
    is_whole = len(studies) == 1 and not quick and until is None
    if is_whole and (again := _same_again(studies[0], length, home, progress)):
        if opens:
            open_page(again.page.resolve().as_uri(), progress)
        return _tell([again], again.page, as_json, checks)
    folders = [home / name for name in names] if len(editions) > 1 else [home]
    try:
        reports = [
            _completed(play_and_report(study, length, folder, workers, progress, line), opens, progress)
            for study, folder in zip(studies, folders, strict=True)
        ]
    except KeyboardInterrupt:  # while playing, or while what was played is analyzed
        click.echo(f"Interrupted. Continue with: {line}", err=True)
        return INTERRUPTED
    front = write_side_by_side(reports, home) if len(reports) > 1 else reports[0].page
    reported = [Reported.of(report) for report in reports]
    if is_whole:
        reported[0].remember(made_of(studies[0], length, played_for(reports[0].analysis)))
    return _tell(reported, front, as_json, checks)


def _same_again(study: Study, length: Length, home: Path, progress: Progress) -> Reported | None:
    """Return what is reported already, if this study would report nothing else."""
    from ttr_sim.report.folder import PAGE

    before = played_before(study, progress) if (home / PAGE).is_file() else None
    again = recall(home / PAGE, made_of(study, length, before)) if before else None
    if again:
        progress.note("nothing changed since this page was written")
    return again


def _completed(pages: Iterator[Report], opens: bool, progress: Progress) -> Report:
    """Return the last page of a study; the first one is opened as soon as it is there."""
    first = next(pages)
    if opens:
        open_page(first.page.resolve().as_uri(), progress)
    *_, last = (first, *pages)
    return last


def _refuse_beside_quick(quick: bool, until: float | None) -> None:
    if quick and until is not None:
        raise click.UsageError("--quick decides when to stop; omit --until or --quick.")


def _refuse_beside_choices(choices: int | None, others: object) -> None:
    if choices and others:
        raise click.UsageError(
            "--choices belongs to a complete study of strong players; omit --quick, --watch or --bots."
        )


def _tell(reported: Sequence[Reported], front: Path, as_json: bool, checks: bool) -> int | None:
    _print(reported, front, as_json)
    return _checked(reported, as_json) if checks else None


def _print(reported: Sequence[Reported], front: Path, as_json: bool) -> None:
    if as_json:
        objects = [study.object for study in reported]
        click.echo(json.dumps(objects if len(objects) > 1 else objects[0], ensure_ascii=False))
        return
    for study in reported:
        click.echo(study.text)
    click.echo(front)


def _refuse_beside_watch(editions: Sequence[str], **others: object) -> None:
    if len(editions) > 1:
        raise click.UsageError("--watch follows one EDITION; name one of them.")
    given = [f"--{name}" for name, value in others.items() if value]
    if given:
        raise click.UsageError(f"--watch shows a page and ends by Ctrl-C; omit {', '.join(given)}.")


def _checked(reported: Sequence[Reported], as_json: bool) -> int | None:
    """Print what the boards miss, unless JSON reported it, and return the exit code."""
    missed = [line for study in reported for line in study.missed]
    for line in () if as_json else missed or ["No target is missed."]:
        click.echo(line)
    return FINDINGS if missed else None
