"""Saves of an edition's folder, as they happen."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WATCHED = {".toml", ".csv"}
GLANCE = 0.2  # seconds between two looks at Ctrl-C
STILL = 100  # milliseconds without a change that end a save
LOOK = 500  # milliseconds between two looks at the end of watching


class Saves:
    """Waits for the next save; one that came while nobody waited counts."""

    def __init__(self) -> None:
        self.seen = threading.Event()

    def wait(self) -> None:
        while not self.seen.wait(GLANCE):
            pass
        self.seen.clear()


@contextmanager
def saves_of(folder: Path) -> Iterator[Saves]:
    """Watch the folder's tables and rules until the end of the block."""
    saves, over = Saves(), threading.Event()
    thread = threading.Thread(target=_watch, args=(folder, saves, over), daemon=True)
    thread.start()
    try:
        yield saves
    finally:
        over.set()
        thread.join()


def _watch(folder: Path, saves: Saves, over: threading.Event) -> None:
    from watchfiles import watch

    changes = watch(folder, watch_filter=_is_ours, step=STILL, rust_timeout=LOOK, stop_event=over, recursive=False)
    for _ in changes:
        saves.seen.set()


def _is_ours(change: object, path: str) -> bool:
    """Return whether an edition is made of such files; editors keep others beside them."""
    file = Path(path)
    return file.suffix.lower() in WATCHED and not file.name.startswith(".")
