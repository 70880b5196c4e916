"""Foreign runs: ask before running their bot files, and take their published wants on trust.

A run that the user started is marked in the user's own cache, by the folder's path and the bots' hash. Any other folder
is foreign: one that was copied, downloaded or moved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ttr_sim.bots.api import parse_spec
from ttr_sim.bots.loading import files_of, fingerprint_of_bots
from ttr_sim.errors import UserError
from ttr_sim.run.folder import checksum
from ttr_sim.run.lineups import distinct_bots
from ttr_sim.run.read import Run

# Receives the bot files with their hashes, and says whether they may run.
Allow = Callable[[str], bool]
MARKS = "own-runs"
SHOWN_DIGITS = 16


def are_bots_unchanged(run: Run) -> bool:
    """Compare the bots' hash with the plan."""
    bots = distinct_bots(run.plan)
    return fingerprint_of_bots(bots, run.edition, run.folder.bots) == run.plan.tuning


def mark_as_own(run: Run) -> None:
    """Mark the run as started by this user, if the cache can be written."""
    mark = _mark(run)
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def is_own(run: Run) -> bool:
    return _mark(run).is_file()


def refuse_foreign_bots(run: Run, allow: Allow) -> None:
    """Refuse untrusted bot files."""
    files = _files(run)
    shown = ", ".join(f"{file.name} (SHA-256 {checksum(file.read_bytes())[:SHOWN_DIGITS]}...)" for file in files)
    if files and not is_own(run) and not allow(shown):
        raise UserError(
            f"resuming {run.path} would run bot files that came with it: {shown}; "
            "read them, and if you trust them, add --trust-bots"
        )


def _files(run: Run) -> list[Path]:
    specs = [parse_spec(text) for text in distinct_bots(run.plan)]
    return list(
        dict.fromkeys(file for spec in specs if spec.file is not None for file in files_of(spec, run.folder.bots))
    )


def _marks_folder() -> Path:
    from ttr_sim.files import cache_root

    return cache_root() / MARKS


def _mark(run: Run) -> Path:
    name = hashlib.sha256(f"{run.path.resolve()}\0{run.plan.tuning}".encode()).hexdigest()
    return _marks_folder() / name
