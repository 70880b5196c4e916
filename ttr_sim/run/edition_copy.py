"""The edition folder that a run keeps: the one played, with every `--set` written into it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from ttr_sim.edition.write import copy_folder


def copy_edition(source: Path, target: Path, settings: Sequence[str]) -> None:
    """Copied beside and renamed: the folder is whole or absent."""
    unfinished = target.with_name(f".{target.name}.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    copy_folder(source, unfinished, settings)
    unfinished.rename(target)
