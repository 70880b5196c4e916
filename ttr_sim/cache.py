"""The folder for what is kept between commands, and seals that tell what was damaged in it.

Some of its files are unpickled. So the folder must be one that nobody else can write to, and each of these files ends
with a checksum: one that was cut short or changed, as a power cut leaves it, is made again.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

import platformdirs

SEAL_BYTES = hashlib.sha256().digest_size


def cache_root() -> Path:
    """Return TTR_SIM_CACHE, or the platform's folder for caches, or a private one when that cannot be written."""
    chosen = os.environ.get("TTR_SIM_CACHE")
    root = Path(chosen) / "ttr-sim" if chosen else platformdirs.user_cache_path("ttr-sim", appauthor=False)
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return _private_root()


def _private_root() -> Path:
    """Return this user's folder among the temporary files; a fresh one where its name was taken by somebody else."""
    if hasattr(os, "getuid"):
        usual = Path(tempfile.gettempdir()) / f"ttr-sim-{os.getuid()}"
        if _is_ours(usual, os.getuid()):
            return usual
    fresh = tempfile.mkdtemp(prefix="ttr-sim-")
    atexit.register(shutil.rmtree, fresh, ignore_errors=True)
    os.environ["TTR_SIM_CACHE"] = fresh  # for workers, which would each compile everything for themselves
    return Path(fresh) / "ttr-sim"


def _is_ours(folder: Path, user: int) -> bool:
    """Make the folder, or find that nobody else can ever have written to it."""
    try:
        folder.mkdir(mode=0o700)
    except OSError:
        try:
            found = folder.lstat()
        except OSError:
            return False
        return stat.S_ISDIR(found.st_mode) and found.st_uid == user and stat.S_IMODE(found.st_mode) == 0o700
    return True


def sealed(content: bytes) -> bytes:
    """Return the content with a SHA-256 of it at its end, where unpickling never looks."""
    return content + hashlib.sha256(content).digest()


def is_damaged(content: bytes) -> bool:
    """Return whether the content is not as it was sealed."""
    return hashlib.sha256(content[:-SEAL_BYTES]).digest() != content[-SEAL_BYTES:]
