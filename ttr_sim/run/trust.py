"""Bot files are code: ask before running ones the user did not add.

A run whose bots the user named is marked in the user's own cache, by the folder's path and the bots' hash. Any other
folder is foreign: one that was copied, downloaded or moved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ttr_sim.bots.api import parse_spec
from ttr_sim.bots.loading import find_file, fingerprint_of_bots
from ttr_sim.errors import UserError
from ttr_sim.run.lineups import distinct_bots
from ttr_sim.run.read import Run

Allow = Callable[[str], bool]  # receives the bot files with their hashes, and says whether they may run
MARKS = "own-runs"
SHOWN_DIGITS = 16


def are_bots_unchanged(run: Run) -> bool:
    """Compare bots, tuned values and bot files with the plan; no file is run for it."""
    bots = distinct_bots(run.plan)
    return fingerprint_of_bots(bots, run.edition, run.folder.bots) == run.plan.tuning


def has_bot_files(run: Run) -> bool:
    return bool(_files(run))


def mark_as_own(run: Run) -> None:
    """Remember that this user started the run; without a place to write to, resuming it will ask."""
    if has_bot_files(run):
        mark = _mark(run)
        with suppress(OSError):
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()


def refuse_foreign_bots(run: Run, allow: Allow) -> None:
    """Raise UserError when the folder has bot files of somebody else and the user does not allow them."""
    if not has_bot_files(run) or _mark(run).is_file():
        return
    files = ", ".join(f"{file.name} (SHA-256 {_digest(file)}...)" for file in _files(run))
    if not allow(files):
        raise UserError(
            f"resuming {run.path} would run bot files that came with it: {files}; "
            "read them, and if you trust them, add --trust-bots"
        )


def _files(run: Run) -> list[Path]:
    specs = [parse_spec(text) for text in distinct_bots(run.plan)]
    return list(dict.fromkeys(find_file(spec, run.folder.bots) for spec in specs if spec.file is not None))


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:SHOWN_DIGITS]


def _marks_folder() -> Path:
    from ttr_sim.files import cache_root

    return cache_root() / MARKS


def _mark(run: Run) -> Path:
    name = hashlib.sha256(f"{run.path.resolve()}\0{run.plan.tuning}".encode()).hexdigest()
    return _marks_folder() / name
