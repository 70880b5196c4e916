"""The commands about runs that are already played: `runs`, `report`, `replay` and `audit`."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, FINE, damaged_runs_explained
from ttr_sim.cli.output import Progress, aligned, counted, file_size, print_json
from ttr_sim.errors import UserError, command_line, not_a_folder, typed

if TYPE_CHECKING:
    from ttr_sim.referee.audit import AuditResult

HEADINGS = ("run", "edition", "players", "games", "state", "size", "age", "for")
STATES = {"finished": "✓", "unfinished": "?", "damaged": "✗"}
MAX_NAMED_RUNS = 6  # in the command that a page shows
MAX_SHOWN = 50  # problems
DIGESTS = "the checksums and digests of all files"
PLAN = "the plan: each game's deal, block, lineup and players"
WANTS = "what bots published as wanted, on which contention rests"
CHOICES = "that the bots named in the plan chose these moves"
OTHER_ENGINE = "the engine that played it, which is of another version"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list: a study, or a run made by itself."""

    path: Path
    facts: tuple[object, ...]  # edition, players, games and state
    purpose: str
    bytes: int
    age: float
    is_study: bool


@options.command(epilog="Example: ttr-sim runs old/runs")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--prune", is_flag=True, help="List the runs of studies, then delete them; all other runs stay.")
def runs_command(folder: Path | None, prune: bool) -> None:
    """List the studies in FOLDER and the runs outside of them, newest first, and how to remove one.

    FOLDER is by default `runs`, where runs are kept unless --out names another place.
    """
    from ttr_sim.run.plan import RUNS

    if folder is not None and folder.is_file():
        raise not_a_folder(folder)
    if folder is not None and not folder.is_dir():
        raise UserError(f'there is no folder "{folder}"; name one that holds runs')
    place = folder or RUNS
    entries = [_entry(path) for path in place.glob("*") if path.is_dir()]
    shown = [entry for entry in entries if entry is not None and (entry.is_study or not prune)]
    shown.sort(key=lambda entry: entry.age)
    if not shown:
        click.echo(f"There are no runs {'of studies ' if prune else ''}in {place}.")
        return
    from ttr_sim.cli.verdict import next_step, print_lines

    rows = []
    for row in shown:
        *facts, state = row.facts
        facts.append(f"{STATES[str(state)]} {state}")
        rows.append((str(row.path), *facts, file_size(row.bytes), _age(row.age), row.purpose))
    total = file_size(sum(entry.bytes for entry in shown))
    studies = sum(entry.is_study for entry in shown)
    click.echo(
        f"{counted(studies, 'study', 'studies')}, {counted(len(shown) - studies, 'other run')}, {total} in all\n"
    )
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
    oldest = str(shown[-1].path)
    removal = f'rmdir /s "{oldest}"' if os.name == "nt" else f"rm -r {shlex.quote(oldest)}"
    steps.append((removal, "remove the oldest"))
    click.echo("")
    print_lines(next_step("" if number else "NEXT", *step) for number, step in enumerate(steps))


def _entry(path: Path) -> Entry | None:
    """List a study or a run. Any other folder is None."""
    from ttr_sim.run.folder import RUN_FILE
    from ttr_sim.run.study import STUDY_FILE, study_facts

    size = 0
    for file in path.rglob("*"):
        try:
            size += file.stat().st_size if file.is_file() else 0
        except OSError:  # a run in progress renames its files
            continue
    study = study_facts(path)
    if study is not None:
        runs = [_run_facts(file.parent) for file in path.glob(f"*/{RUN_FILE}")]
        state = "finished" if runs and all(facts[-1] == "finished" for facts in runs) else "unfinished"
        players = ", ".join(map(str, study["players"]))
        purpose = f"study of {study['title']}, seed {study['seed']}"
        if study.get("bots"):
            purpose += f", {','.join(study['bots'])}"
        age = time.time() - (path / STUDY_FILE).stat().st_mtime
        return Entry(path, (study.get("edition"), players, f"{study['games']:,}", state), purpose, size, age, True)
    if not (path / RUN_FILE).is_file():
        return None
    age = time.time() - (path / RUN_FILE).stat().st_mtime
    return Entry(path, _run_facts(path), "a run", size, age, False)


def _run_facts(path: Path) -> tuple[object, ...]:
    from ttr_sim.run.folder import RunFolder

    try:
        record = RunFolder(path).read()
    except UserError:
        return (None, None, None, "damaged")
    state = "finished" if record.digest else "unfinished"
    return (record.plan.edition, record.plan.players, f"{record.size.games:,}", state)


def _age(age: float) -> str:
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if age >= 2 * size:
            return counted(int(age // size), unit)
    return "new"


@options.command(short_help="Write the report of one or more runs.")
@options.run_folder("runs", nargs=-1, required=True, metavar="RUN...")
@options.out("Folder for the report.  [default: reports/<edition>]", metavar="DIR")
@options.force
@options.quiet
def report_command(runs: tuple[Path, ...], out: Path | None, force: bool, quiet: bool) -> None:
    """Write the report of RUNs of one edition: a page, charts/*.png and tables/*.csv.

    \b
    ttr-sim report runs/usa-4p-1a2b3c4d
    ttr-sim report runs/usa-2p-* runs/usa-4p-* --out my-report
    """
    from ttr_sim.analysis.analysis import analyze
    from ttr_sim.cli.film import film_games
    from ttr_sim.cli.study import print_verdict
    from ttr_sim.report.page import write_report

    line = typed()
    if len(runs) > MAX_NAMED_RUNS:  # the page lists them anyway
        words = [word for word in shlex.split(line) if Path(word) not in runs[1:]]
        line = f"{shlex.join(words)} (and {len(set(runs[1:]))} more runs, listed below)"
    with Progress(quiet).wait("analyzing the games"), damaged_runs_explained(*runs):
        report = write_report(analyze(runs), out, line, film=film_games, force=force)
    print_verdict(report, verbose=False)


@options.command(epilog="Example: ttr-sim replay runs/usa-4p-0a1b2c3d 17 --out game.html")
@options.run_folder("run")
@click.argument("game", type=click.IntRange(0))
@options.out("Write a page (.html) that steps through the game.", cls=click.Option)
@options.force
def replay_command(run: Path, game: int, out: Path | None, force: bool) -> None:
    """Show game number GAME of RUN, turn by turn, and the final scores.

    All hands are shown. Turn numbers are those of the log.
    """
    from ttr_sim.referee.audit import one_game
    from ttr_sim.referee.telling import tell
    from ttr_sim.report.folder import check_file, own_file
    from ttr_sim.run.read import open_run

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


@options.command(epilog="Example: ttr-sim audit runs/usa-4p-0a1b2c3d --games 1000")
@options.run_folder("run")
@click.option("--games", type=click.IntRange(1), help="Number of games to audit, evenly spaced.  [default: all]")
@options.jobs
@options.json
@options.quiet
def audit_command(run: Path, games: int | None, jobs: int, as_json: bool, quiet: bool) -> int:
    """Check every card, claim, ticket and score of RUN against the rules, and the run against its plan.

    Follows the games from the log and the edition alone, with an independent implementation of the rules
    that shares no code with the engine. Checks that the run is complete and that nothing foreign is in it: every
    game's deal, block and lineup are recomputed from the plan. Checks the digests. Says what it did not check.
    Exits with 1 when something is wrong.
    """
    from ttr_sim.analysis.targets import MET, MISSED
    from ttr_sim.cli.verdict import print_lines, symbol
    from ttr_sim.engine.jit import SOURCE_HASH
    from ttr_sim.referee.audit import AuditResult, audit, batches_of
    from ttr_sim.run.processes import over_processes
    from ttr_sim.run.read import check_files, check_plan, open_run

    opened = open_run(run)
    batches = batches_of(run, games)
    if opened.record.digest is None:
        raise UserError(f"{run} is not finished; resume it with: {opened.folder.resume_command}")
    damage = check_files(opened, jobs)
    discrepancies = [] if damage else check_plan(opened)
    with Progress(quiet).count(sum(len(batch.games) for batch in batches)) as show:
        try:
            rules = audit(run, batches, show, partial(over_processes, jobs=jobs))
        except Exception:
            if not (damage or discrepancies):
                raise
            rules = AuditResult(0, 0, [])  # nothing can be read in a damaged run

    # A reader must not take anything for checked that is not.
    total = opened.record.size.games
    checked = [DIGESTS] if damage else [DIGESTS, PLAN]
    unchecked = [PLAN] if damage else []
    if rules.games:
        checked.append(f"the rules in {rules.games:,} of {total:,} games")
    if rules.games < total:
        unchecked.append(f"the rules in {total - rules.games:,} of {total:,} games")
    unchecked += [WANTS, CHOICES]
    if opened.plan.kernel != SOURCE_HASH:
        unchecked.append(OTHER_ENGINE)

    if as_json:
        about = {"turn": None, "seat": None, "rule": "plan"}
        unplanned = [{"game": found.game, **about, "message": found.message} for found in discrepancies]
        found = {
            "run": str(opened.path),
            "games": rules.games,
            "turns": rules.turns,
            "violations": [*unplanned, *(violation.as_json() for violation in rules.violations)],
            "digest_ok": not damage,
            "checked": checked,
            "unchecked": unchecked,
        }
        print_json(found, indent=2)
    else:
        problems = [*damage]
        for discrepancy in discrepancies:
            place = "" if discrepancy.game is None else f"game {discrepancy.game:,}: "
            problems.append(f"{place}{discrepancy.message}")
        problems += [violation.sentence() for violation in rules.violations]
        lines = [f"{symbol(MISSED if problems else MET)} {_verdict(rules, bool(damage), len(discrepancies))}"]
        lines += [f"  {problem}" for problem in problems[:MAX_SHOWN]]
        if len(problems) > MAX_SHOWN:
            lines.append(f"  and {len(problems) - MAX_SHOWN:,} more; use --json to list them all")
        print_lines([*lines, f"Not checked: {'; '.join(unchecked)}"])
    return FINDINGS if rules.violations or damage or discrepancies else FINE


def _verdict(rules: AuditResult, is_damaged: bool, discrepancies: int) -> str:
    verdicts = []
    if rules.violations:
        games = len({violation.game for violation in rules.violations})
        verdicts.append(f"{counted(len(rules.violations), 'violation')} in {games:,} of them")
    elif rules.games:
        verdicts.append("no rule was broken")
    if not is_damaged:
        verdicts.append(f"{discrepancies:,} differences from the plan" if discrepancies else "the plan was followed")
    verdicts.append("the digests do not match" if is_damaged else "the digests match")
    extent = f"{rules.games:,} games with {rules.turns:,} turns" if rules.games else "no game could be read"
    return f"{extent}: {'; '.join(verdicts)}"
