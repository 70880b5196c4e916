"""Take a folder for a plan: make it, or go on in it, or say why not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from ttr_sim.edition import load_edition
from ttr_sim.errors import UserError
from ttr_sim.log import TABLES
from ttr_sim.run.draft import Draft
from ttr_sim.run.edition_copy import copy_edition
from ttr_sim.run.finished import sweep
from ttr_sim.run.folder import BOTS_FOLDER, EDITION_FOLDER, RUN_FILE, Record, RunFolder, versions
from ttr_sim.run.parts import size_of
from ttr_sim.run.plan import Plan

OWN_NAMES = {EDITION_FOLDER, BOTS_FOLDER, *TABLES}


@contextmanager
def taken(draft: Draft, path: Path, command: str) -> Iterator[tuple[RunFolder, Record]]:
    """The folder, locked, with a record of this very plan."""
    _refuse_other_uses(path)
    folder = RunFolder(path)
    with _in_words(folder):
        path.mkdir(parents=True, exist_ok=True)
        with folder.locked():
            record = _record_of_same_plan(folder, draft) or _new_record(folder, draft, command)
            _prepare(folder, record.plan)
            yield folder, record


@contextmanager
def taken_up(path: Path) -> Iterator[tuple[RunFolder, Record]]:
    """The folder of an earlier run, locked."""
    folder = RunFolder(path)
    folder.read()
    with _in_words(folder), folder.locked():
        record = folder.read()
        _prepare(folder, record.plan)
        yield folder, record


@contextmanager
def _in_words(folder: RunFolder) -> Iterator[None]:
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


def _record_of_same_plan(folder: RunFolder, draft: Draft) -> Record | None:
    """None when there is no record that can be read; parts then still have to prove that they are the plan's."""
    if not (folder.path / RUN_FILE).is_file():
        return None
    try:
        record = folder.read()
    except UserError:
        return None
    if record.plan != draft.plan:
        raise UserError(
            f"{folder.path} holds another run ({_differences(record.plan, draft.plan)}); "
            "choose another folder with --out, or leave --out away"
        )
    return record


def _differences(there: Plan, wished: Plan) -> str:
    names = [field.name for field in fields(Plan) if getattr(there, field.name) != getattr(wished, field.name)]
    return "; ".join(f"{name} {_shown(getattr(there, name))}, not {_shown(getattr(wished, name))}" for name in names)


def _shown(value: object) -> str:
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 40 else f"{text[:8]}..."


def _new_record(folder: RunFolder, draft: Draft, command: str) -> Record:
    if not folder.edition.exists():  # one that is there is not ours to replace
        copy_edition(draft.edition.folder, folder.edition, draft.settings)
    copy_bots(draft, folder)
    record = Record(draft.plan, size_of(draft.plan), draft.settings, command, versions())
    folder.write(record)
    return record


def copy_bots(draft: Draft, folder: RunFolder) -> None:
    """A user's bots stay with the run."""
    names = [file.name for file in draft.bot_files]
    for file in draft.bot_files:
        if names.count(file.name) > 1:
            raise UserError(f"two files of bots are called {file.name}; give one of them another name")
        folder.bots.mkdir(exist_ok=True)
        shutil.copyfile(file, folder.bots / file.name)


def _prepare(folder: RunFolder, plan: Plan) -> None:
    sweep(folder)
    for table in plan.tables:
        (folder.path / table).mkdir(exist_ok=True)
    if load_edition(folder.edition).fingerprint != plan.fingerprint:
        raise UserError(
            f"{folder.edition} is not the edition of this run's plan (was it edited?); put it back, or start a new run"
        )
