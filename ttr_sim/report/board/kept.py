"""Layouts kept for the next command: to find one takes a second, and most boards stay as they are."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

import matplotlib
import numpy as np

from ttr_sim.files import SEAL_BYTES, cache_root, is_damaged, sealed, write_whole

FOLDER = "layouts"
MOST_KEPT = 100  # files of some 100 kB

Found = TypeVar("Found")


def kept(question: object, find: Callable[[], Found]) -> Found:
    """Return what was found before for a question that reads the same, by the same sources; else find and keep it."""
    file = cache_root() / FOLDER / hashlib.sha256(f"{_makers()} {question!r}".encode()).hexdigest()
    if (known := _content(file)) and not is_damaged(known):
        return pickle.loads(known[:-SEAL_BYTES])  # type: ignore[no-any-return]
    found = find()
    with suppress(OSError):
        _keep(file, sealed(pickle.dumps(found)))
    return found


@cache
def _makers() -> str:
    """Return a hash of what makes a layout: the files beside this one, and the fonts and numbers of two libraries."""
    sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    return f"{matplotlib.__version__} {np.__version__} {hashlib.sha256(sources).hexdigest()}"


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _keep(file: Path, content: bytes) -> None:
    """Write the file, and remove the oldest of too many."""
    file.parent.mkdir(exist_ok=True)
    write_whole(file, content)
    for old in sorted(file.parent.iterdir(), key=lambda path: path.stat().st_mtime)[:-MOST_KEPT]:
        old.unlink()
