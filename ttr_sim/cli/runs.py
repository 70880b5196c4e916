"""`ttr-sim runs`: list studies and runs with their size and age, and delete those of studies."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from ttr_sim.cli.output import aligned, counted, file_size
from ttr_sim.errors import UserError, command_line, not_a_folder
from ttr_sim.run.plan import RUNS

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

    @property
    def row(self) -> tuple[object, ...]:
        return (str(self.path), *self.facts, file_size(self.bytes), _age(self.age), self.purpose)


@click.command(epilog="Example: ttr-sim runs old/runs")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--prune", is_flag=True, help="List the runs of studies, then delete them; all other runs stay.")
def command(folder: Path | None, prune: bool) -> None:
    """List the studies and runs in FOLDER, newest first, and how to remove one.

    FOLDER is by default `runs`, where runs are kept unless --out names another place.
    """
    place = Path(RUNS) if folder is None else _existing(folder)
    entries = [_entry(path) for path in place.glob("*") if path.is_dir()]
    shown = sorted((entry for entry in entries if entry is not None), key=lambda entry: entry.age)
    if prune:
        _prune([entry for entry in shown if entry.is_study], place)
        return
    if not shown:
        click.echo(f"There are no runs in {place}.")
        return
    click.echo(aligned(HEADINGS, [entry.row for entry in shown], left=2))
    click.echo(f"\n{counted(len(shown), 'run')}, {file_size(sum(entry.bytes for entry in shown))} in all")
    if any(entry.is_study for entry in shown):
        click.echo(f"To delete those of studies: {command_line('runs', *([folder] if folder else []), '--prune')}")
    click.echo(f"To remove one, for example the oldest: {_removal(shown[-1].path)}")


def _prune(studies: Sequence[Entry], place: Path) -> None:
    if not studies:
        click.echo(f"There are no runs of studies in {place}.")
        return
    click.echo(aligned(HEADINGS, [entry.row for entry in studies], left=2))
    # Games can be played again, but for hours: on a terminal the user is asked.
    if sys.stdin.isatty() and not click.confirm(f"Delete {counted(len(studies), 'folder')}?"):
        return
    for entry in studies:
        shutil.rmtree(entry.path)
    total = file_size(sum(entry.bytes for entry in studies))
    click.echo(f"{counted(len(studies), 'folder')} deleted, {total}")


def _existing(folder: Path) -> Path:
    if folder.is_file():
        raise not_a_folder(folder)
    if not folder.is_dir():
        raise UserError(f'there is no folder "{folder}"; name one that holds runs')
    return folder


def _entry(path: Path) -> Entry | None:
    """A study or a run; None for any other folder."""
    from ttr_sim.run.study import STUDY_FILE, study_facts

    size = sum(_bytes(file) for file in path.rglob("*"))
    study = study_facts(path)
    if study is not None:
        runs = [_run_facts(file.parent) for file in path.glob("*/run.json")]
        state = "finished" if runs and all(facts[-1] == "finished" for facts in runs) else "unfinished"
        players = ", ".join(map(str, study["players"]))
        purpose = f"study of {study['title']}, seed {study['seed']}"
        if study.get("bots"):
            purpose += f", {','.join(study['bots'])}"
        age = time.time() - (path / STUDY_FILE).stat().st_mtime
        return Entry(path, (study.get("edition"), players, f"{study['games']:,}", state), purpose, size, age, True)
    if not (path / "run.json").is_file():
        return None
    age = time.time() - (path / "run.json").stat().st_mtime
    return Entry(path, _run_facts(path), "a run", size, age, False)


def _run_facts(path: Path) -> tuple[object, ...]:
    from ttr_sim.run.folder import RunFolder

    try:
        record = RunFolder(path).read()
    except UserError:
        return (None, None, None, "damaged")
    state = "finished" if record.digest else "unfinished"
    return (record.plan.edition, record.plan.players, f"{record.size.games:,}", state)


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except OSError:  # a run in progress renames its files
        return 0


def _age(age: float) -> str:
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if age >= 2 * size:
            return counted(int(age // size), unit)
    return "new"


def _removal(path: Path) -> str:
    return f'rmdir /s "{path}"' if os.name == "nt" else f"rm -r {shlex.quote(str(path))}"
