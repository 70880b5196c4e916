"""Start or resume a run in a folder, or say why that is not possible."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from ttr_sim.edition import load_edition
from ttr_sim.edition.fingerprint import fingerprint_of
from ttr_sim.edition.model import Edition
from ttr_sim.edition.write import files_with, write_folder
from ttr_sim.errors import UserError
from ttr_sim.log import TABLES
from ttr_sim.run.folder import BOTS_FOLDER, EDITION_FOLDER, RUN_FILE, RunFolder, sweep, versions
from ttr_sim.run.opened import Run, run_in
from ttr_sim.run.parts import NOTHING, grown
from ttr_sim.run.plan import Plan, Request
from ttr_sim.run.record import Record

OWN_NAMES = {EDITION_FOLDER, BOTS_FOLDER, *TABLES}


@contextmanager
def claimed_folder(request: Request, plan: Plan, path: Path, command: str, games: int | None = None) -> Iterator[Run]:
    """Lock the folder for this plan of the request, or for its first `games`; make it, or check that it holds a run of
    the same plan."""
    _refuse_other_uses(path)
    folder = RunFolder(path)
    with _disk_errors_explained(folder):
        path.mkdir(parents=True, exist_ok=True)
        with folder.locked():
            record = _record_of_same_plan(folder, plan) or _new_record(
                folder, request, plan, command, games or plan.games
            )
            edition = request.edition if _holds_edition(folder, request) else load_edition(folder.edition)
            yield _prepared(folder, record, edition)


@contextmanager
def opened_folder(path: Path) -> Iterator[Run]:
    """Lock the folder of an earlier run."""
    folder = RunFolder(path)
    folder.read()
    with _disk_errors_explained(folder), folder.locked():
        yield _prepared(folder, folder.read(), load_edition(folder.edition))


@contextmanager
def _disk_errors_explained(folder: RunFolder) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise folder.trouble(error) from None


def _refuse_other_uses(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise UserError(f"{path} is a file; name a folder with --out")
    if path.is_dir() and not (path / RUN_FILE).exists():
        strangers = {entry.name for entry in path.iterdir() if not entry.name.startswith(".")} - OWN_NAMES
        if strangers:
            raise UserError(f"{path} is not empty and not a run; name another folder with --out")


def _record_of_same_plan(folder: RunFolder, plan: Plan) -> Record | None:
    """Return None when there is no readable record; each part must then still prove that it is the plan's."""
    if not (folder.path / RUN_FILE).is_file():
        return None
    try:
        record = folder.read()
    except UserError:
        return None
    if record.plan != plan:
        raise UserError(
            f"{folder.path} holds another run ({_differences(record.plan, plan)}); "
            "choose another folder with --out, or omit --out"
        )
    return record


def _differences(there: Plan, wanted: Plan) -> str:
    names = [field.name for field in fields(Plan) if getattr(there, field.name) != getattr(wanted, field.name)]
    return "; ".join(f"{name} {_short(getattr(there, name))}, not {_short(getattr(wanted, name))}" for name in names)


def _short(value: object) -> str:
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 40 else f"{text[:8]}..."


def _new_record(folder: RunFolder, request: Request, plan: Plan, command: str, games: int) -> Record:
    if not folder.edition.exists():  # an edition that is already there may be the user's own work
        copy_edition(request, folder)
    copy_bots(plan, folder)
    record = Record(plan, (grown(plan, NOTHING, games),), request.settings, command, versions())
    folder.write(record)
    return record


def copy_edition(request: Request, folder: RunFolder) -> None:
    """Copy beside and rename: the folder is complete or absent."""
    unfinished = folder.edition.with_name(f".{folder.edition.name}.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    write_folder(request.edition, unfinished, request.settings)
    unfinished.rename(folder.edition)


def copy_bots(plan: Plan, folder: RunFolder) -> None:
    """Keep the user's bots with the run."""
    from ttr_sim.bots.specs import parse_spec

    specs = map(parse_spec, plan.bots)
    files = dict.fromkeys(Path(spec.file).resolve() for spec in specs if spec.file is not None)
    names = [file.name for file in files]
    for file in files:
        if names.count(file.name) > 1:
            raise UserError(f"two files of bots are called {file.name}; give one of them another name")
        folder.bots.mkdir(exist_ok=True)
        shutil.copyfile(file, folder.bots / file.name)


def _holds_edition(folder: RunFolder, request: Request) -> bool:
    """Return whether the folder's edition is the request's, byte for byte, and need not be read again."""
    files = files_with(request.edition, request.settings)
    return all(_bytes_of(folder.edition / name) == data for name, data in files.items())


def _bytes_of(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None


def _prepared(folder: RunFolder, record: Record, edition: Edition) -> Run:
    if fingerprint_of(edition, record.plan.schema) != record.plan.fingerprint:
        raise UserError(
            f"{folder.edition} is not the edition of this run's plan (was it edited?); put it back, or start a new run"
        )
    sweep(folder)
    for table in record.plan.tables:
        (folder.path / table).mkdir(exist_ok=True)
    return run_in(folder, record, edition)
