"""The commands about runs and pages that are already there: `runs`, `report`, `replay` and `open`."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import damaged_runs_explained
from ttr_sim.cli.output import Progress, aligned, counted, file_size, next_step, open_page, print_lines
from ttr_sim.edition import edition_names, find_folder, known_name
from ttr_sim.errors import UserError, command_line, not_a_folder, typed
from ttr_sim.report.folder import PAGE, REPORTS, FileList, check_file, folder_names, own_file
from ttr_sim.run.folder import RUN_FILE, RunFolder
from ttr_sim.run.plan import RUNS
from ttr_sim.run.read import open_run
from ttr_sim.run.study import STUDY_FILE, study_facts

HEADINGS = ("run", "edition", "players", "games", "state", "size", "age", "for")
FINISHED, UNFINISHED, DAMAGED = "✓ finished", "? unfinished", "✗ damaged"
UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))
MAX_NAMED_RUNS = 6  # in the command that a page shows


class Entry(NamedTuple):
    """A line of the list: a study, or a run made by itself."""

    path: Path
    age: float
    facts: tuple[object, ...]  # edition, players, games and state
    bytes: int
    purpose: str
    is_study: bool


@options.command(epilog="Example: ttr-sim runs old/runs")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@options.flag("--prune", help="List the runs of studies, then delete them; all other runs stay.")
def runs_command(folder: Path | None, prune: bool) -> None:
    """List the studies in FOLDER and the runs outside of them, newest first, and how to remove one.

    FOLDER is by default `runs`, where runs are kept unless --out names another place.
    """
    if folder is not None and folder.is_file():
        raise not_a_folder(folder)
    if folder is not None and not folder.is_dir():
        raise UserError(f'there is no folder "{folder}"; name one that holds runs')
    entries = [find_entry(path) for path in (folder or RUNS).glob("*") if path.is_dir()]
    shown = [entry for entry in entries if entry is not None and (entry.is_study or not prune)]
    shown.sort(key=lambda entry: entry.age)
    if not shown:
        click.echo(f"There are no runs {'of studies ' if prune else ''}in {folder or RUNS}.")
        return
    rows = []
    for entry in shown:
        unit, seconds = next((unit for unit in UNITS if entry.age >= 2 * unit[1]), ("", 1))
        age = counted(int(entry.age // seconds), unit) if unit else "new"
        rows.append((str(entry.path), *entry.facts, file_size(entry.bytes), age, entry.purpose))
    total = file_size(sum(entry.bytes for entry in shown))
    studies = sum(entry.is_study for entry in shown)
    others = counted(len(shown) - studies, "other run")
    click.echo(f"{counted(studies, 'study', 'studies')}, {others}, {total} in all\n")
    print_lines(aligned(HEADINGS, rows, left=2).splitlines())
    if prune:
        # Games can be played again, but for hours: on a terminal the user is asked.
        if sys.stdin.isatty() and not click.confirm(f"Delete {counted(len(shown), 'folder')}?"):
            return
        for entry in shown:
            shutil.rmtree(entry.path)
        click.echo(f"{counted(len(shown), 'folder')} deleted, {total}")
        return
    steps = [(command_line("open", shown[0].path), "the page of the newest")]
    if studies:
        steps.append((command_line("runs", *([folder] if folder else []), "--prune"), "delete those of studies"))
    steps.append((shlex.join(["rm", "-r", str(shown[-1].path)]), "remove the oldest"))
    click.echo("")
    print_lines(next_step("" if number else "NEXT", *step) for number, step in enumerate(steps))


def find_entry(path: Path) -> Entry | None:
    """List a study or a run. Any other folder is None."""

    def facts_of(run: Path) -> tuple[object, ...]:
        try:
            record = RunFolder(run).read()
        except UserError:
            return (None, None, None, DAMAGED)
        state = FINISHED if record.digest else UNFINISHED
        return (record.plan.edition, record.plan.players, f"{record.size.games:,}", state)

    study = study_facts(path)
    # A study is as old as its own file: its runs may be older, and serve again.
    file = path / (STUDY_FILE if study else RUN_FILE)
    if not file.is_file():
        return None
    if study:
        runs = [facts_of(file.parent) for file in path.glob(f"*/{RUN_FILE}")]
        state = FINISHED if runs and all(facts[-1] == FINISHED for facts in runs) else UNFINISHED
        players = ", ".join(map(str, study.players))
        facts: tuple[object, ...] = (study.edition, players, f"{study.games:,}", state)
        bots = f", {','.join(study.bots)}" if study.bots else ""
        purpose = f"study of {study.title}, seed {study.seed}{bots}"
    else:
        facts, purpose = facts_of(path), "a run"
    size = 0
    for part in path.rglob("*"):
        with suppress(OSError):  # a run in progress renames its files
            size += part.stat().st_size if part.is_file() else 0
    return Entry(path, time.time() - file.stat().st_mtime, facts, size, purpose, study is not None)


@options.command(short_help="Write the report of one or more runs.")
@options.run_folder("runs", nargs=-1, required=True, metavar="RUN...")
@options.report_out(help="Folder for the report.  [default: reports/<edition>]")
@options.force
@options.quiet
def report_command(runs: tuple[Path, ...], out: Path | None, force: bool, progress: Progress) -> None:
    """Write the report of RUNs of one edition: a page, charts/*.png and tables/*.csv.

    \b
    ttr-sim report runs/usa-4p-1a2b3c4d
    ttr-sim report runs/usa-2p-* runs/usa-4p-* --out my-report
    """
    from ttr_sim.analysis.analysis import analyze
    from ttr_sim.cli.film import film_games
    from ttr_sim.cli.verdict import print_verdict
    from ttr_sim.report.page import write_report

    line = typed()
    if len(runs) > MAX_NAMED_RUNS:  # the page lists them anyway
        words = [word for word in shlex.split(line) if Path(word) not in runs[1:]]
        line = f"{shlex.join(words)} (and {len(set(runs[1:]))} more runs, listed below)"
    with progress.wait("analyzing the games"), damaged_runs_explained(*runs):
        report = write_report(analyze(runs), out, line, film=film_games, force=force)
    print_verdict(report, verbose=False)


@options.command(epilog="Example: ttr-sim replay runs/usa-4p-0a1b2c3d 17 --out game.html")
@options.run_folder("run")
@click.argument("game", type=click.IntRange(0))
@options.out(help="Write a page (.html) that steps through the game.")
@options.force
def replay_command(run: Path, game: int, out: Path | None, force: bool) -> None:
    """Show game number GAME of RUN, turn by turn, and the final scores.

    All hands are shown. Turn numbers are those of the log.
    """
    from ttr_sim.referee.audit import one_game
    from ttr_sim.referee.telling import tell

    if out is not None:
        check_file(out, "write the game to", (".html", ".htm"))
    opened = open_run(run)
    opened.check()
    with damaged_runs_explained(run):
        if out is None:
            click.echo("\n".join(tell(*one_game(run, game))))
            return
        from ttr_sim.cli.film import film_of
        from ttr_sim.report.replay import write_game

        with own_file(out, opened.edition.name, force) as file:
            write_game(film_of(opened, game, with_chances=True), file, typed())
        click.echo(f"Wrote the game to {out.resolve().as_uri()}", err=True)


@options.command()
@click.argument("what", nargs=-1, shell_complete=options.completion(True, True), metavar="[EDITION|REPORT|RUN]...")
def open_command(what: tuple[str, ...]) -> None:
    """Open the page of an EDITION, of a REPORT (its folder or page) or of a RUN; by default the newest report.

    \b
    ttr-sim open
    ttr-sim open usa
    ttr-sim open runs/usa-4p-1a2b3c4d
    """
    # All are looked up first: a typo in the last one must not come after open windows.
    pages = [find_page(name) for name in what]
    if not pages:
        ours = [page for page in REPORTS.glob(f"*/{PAGE}") if FileList(page.parent).subject]
        pages = sorted(ours, key=lambda page: page.stat().st_mtime)[-1:]
    if not pages:
        raise UserError(f"there is no report in {REPORTS} yet; to write one: {command_line('study', 'usa')}")
    for page in pages:
        address = page.resolve().as_uri()
        click.echo(address)
        open_page(address, Progress())


def find_page(name: str) -> Path:
    """Find the page of an edition, a report, a study or a run."""
    known, path = known_name(name), Path(name)
    study = study_facts(path)
    is_run = study is not None or (path / RUN_FILE).is_file()
    if known not in edition_names():
        if path.is_file():
            return path
        if (path / PAGE).is_file():
            return path / PAGE
        if not is_run:
            find_folder(name)  # fails with a suggestion, or names an edition's folder
    if known in edition_names() or not is_run:
        # Not loaded: a page can be read while its edition is being edited and has errors.
        page = REPORTS / folder_names([known])[0] / PAGE
        if not page.is_file():
            raise UserError(f"there is no report on {name} yet; to write one: {command_line('study', known)}")
        return page
    runs = sorted(file.parent for file in path.glob(f"*/{RUN_FILE}")) if study else [path]
    # Pages are not indexed by run. Each lists its runs, and a search in a few files is quick enough.
    pages = sorted(REPORTS.glob(f"*/{PAGE}"))
    if study := study or study_facts(path.parent):
        pages = [page for page in pages if page.parent.name == study.edition] or pages
    for page in pages:
        if path.as_posix() in page.read_text(encoding="utf-8", errors="replace"):
            return page
    raise UserError(f"no page in {REPORTS} is about {path}; to write one: {command_line('report', *runs)}")
