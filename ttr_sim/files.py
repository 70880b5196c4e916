"""Atomic file writes, and the cache folder that commands share."""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import stat
import tempfile
from pathlib import Path

import platformdirs


def write_whole(path: Path, content: bytes | bytearray) -> None:
    """Write a file completely or not at all."""
    # A random name: two workers may write the same part when one of them was thought to be lost.
    # Renaming also replaces a link instead of following it.
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def cache_root() -> Path:
    """Find a writable cache: TTR_SIM_CACHE, the platform's folder or a private one."""
    chosen = os.environ.get("TTR_SIM_CACHE")
    root = Path(chosen) / "ttr-sim" if chosen else platformdirs.user_cache_path("ttr-sim", appauthor=False)
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        pass
    if hasattr(os, "getuid"):
        usual = Path(tempfile.gettempdir()) / f"ttr-sim-{os.getuid()}"
        if _is_private(usual, os.getuid()):
            return usual
    fresh = tempfile.mkdtemp(prefix="ttr-sim-")
    atexit.register(shutil.rmtree, fresh, ignore_errors=True)
    os.environ["TTR_SIM_CACHE"] = fresh  # inherited by workers, which would each compile everything themselves
    return Path(fresh) / "ttr-sim"


def _is_private(folder: Path, user: int) -> bool:
    """Create the folder, or check that only this user could ever write to it."""
    # Compiled code is loaded from here, so in a shared /tmp nobody else may have put it there.
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == user and stat.S_IMODE(found.st_mode) == 0o700
