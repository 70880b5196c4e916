"""`ttr-sim runs`: list run folders with their size and age, and how to remove one."""

from __future__ import annotations

import os
import shlex
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttr_sim.cli.output import aligned, counted, file_size
from ttr_sim.errors import UserError, not_a_folder
from ttr_sim.run.plan import RUNS

if TYPE_CHECKING:
    from ttr_sim.run.record import Record


@dataclass(frozen=True, slots=True)
class Entry:
    path: Path
    record: Record | None  # None when run.json cannot be read
    bytes: int
    age: float


@click.command(epilog="Example: ttr-sim runs old/runs")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
def command(folder: Path | None) -> None:
    """List the run folders in FOLDER, newest first, and print the command that removes one.

    FOLDER is by default `runs`, where runs are kept unless --out names another place.
    """
    place = Path(RUNS) if folder is None else _existing(folder)
    entries = sorted((_entry(file.parent) for file in place.glob("*/run.json")), key=lambda entry: entry.age)
    if not entries:
        click.echo(f"There are no runs in {place}.")
        return
    headings = ("run", "edition", "players", "games", "state", "size", "age")
    click.echo(aligned(headings, [_row(entry) for entry in entries], left=2))
    click.echo(f"\n{counted(len(entries), 'run')}, {file_size(sum(entry.bytes for entry in entries))} in all")
    click.echo(f"To remove one, for example the oldest: {_removal(entries[-1].path)}")


def _existing(folder: Path) -> Path:
    if folder.is_file():
        raise not_a_folder(folder)
    if not folder.is_dir():
        raise UserError(f'there is no folder "{folder}"; name one that holds runs')
    return folder


def _entry(path: Path) -> Entry:
    age = time.time() - (path / "run.json").stat().st_mtime
    return Entry(path, _record(path), sum(_bytes(file) for file in path.rglob("*")), age)


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except OSError:  # a run in progress renames its files
        return 0


def _record(path: Path) -> Record | None:
    """Return what run.json holds, or None when that cannot be read."""
    from ttr_sim.run.folder import RunFolder

    try:
        return RunFolder(path).read()
    except UserError:
        return None


def _row(entry: Entry) -> tuple[object, ...]:
    size, age = file_size(entry.bytes), _age(entry.age)
    if entry.record is None:
        return (str(entry.path), None, None, None, "damaged", size, age)
    record = entry.record
    state = "finished" if record.digest else "unfinished"
    return (str(entry.path), record.plan.edition, record.plan.players, f"{record.size.games:,}", state, size, age)


def _age(seconds: float) -> str:
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * size:
            return counted(int(seconds // size), unit)
    return "new"


def _removal(path: Path) -> str:
    return f'rmdir /s "{path}"' if os.name == "nt" else f"rm -r {shlex.quote(str(path))}"
