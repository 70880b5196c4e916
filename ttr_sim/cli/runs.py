"""`ttr-sim runs`: list studies and runs with their size and age, and delete those of studies."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import click

from ttr_sim.cli.output import aligned, counted, file_size
from ttr_sim.errors import UserError, command_line, not_a_folder
from ttr_sim.run.folder import RUN_FILE, RunFolder
from ttr_sim.run.plan import RUNS
from ttr_sim.run.study import STUDY_FILE, study_facts

HEADINGS = ("run", "edition", "players", "games", "state", "size", "age", "for")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list: a study, or a run made by itself."""

    path: Path
    facts: tuple[object, ...]  # edition, players, games and state
    purpose: str
    bytes: int
    age: float
    is_study: bool


@click.command(epilog="Example: ttr-sim runs old/runs")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--prune", is_flag=True, help="List the runs of studies, then delete them; all other runs stay.")
def runs_command(folder: Path | None, prune: bool) -> None:
    """List the studies and runs in FOLDER, newest first, and how to remove one.

    FOLDER is by default `runs`, where runs are kept unless --out names another place.
    """
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
    rows = [(str(row.path), *row.facts, file_size(row.bytes), _age(row.age), row.purpose) for row in shown]
    click.echo(aligned(HEADINGS, rows, left=2))
    total = file_size(sum(entry.bytes for entry in shown))
    if prune:
        # Games can be played again, but for hours: on a terminal the user is asked.
        if sys.stdin.isatty() and not click.confirm(f"Delete {counted(len(shown), 'folder')}?"):
            return
        for entry in shown:
            shutil.rmtree(entry.path)
        click.echo(f"{counted(len(shown), 'folder')} deleted, {total}")
        return
    click.echo(f"\n{counted(len(shown), 'run')}, {total} in all")
    if any(entry.is_study for entry in shown):
        click.echo(f"To delete those of studies: {command_line('runs', *([folder] if folder else []), '--prune')}")
    oldest = str(shown[-1].path)
    removal = f'rmdir /s "{oldest}"' if os.name == "nt" else f"rm -r {shlex.quote(oldest)}"
    click.echo(f"To remove one, for example the oldest: {removal}")


def _entry(path: Path) -> Entry | None:
    """A study or a run; None for any other folder."""
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
