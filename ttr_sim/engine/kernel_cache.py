"""Where compiled kernels are kept between runs, and how a damaged file among them is noticed.

Numba unpickles these files and runs what it finds. So the folder must be one that nobody else can
write to, and each file ends with a checksum: one that was cut short or changed, as a power cut
leaves it, is compiled again, whereas Numba alone would fail somewhere inside LLVM.
"""

from __future__ import annotations

import atexit
import hashlib
import io
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import platformdirs
from filelock import FileLock
from numba.core.caching import FunctionCache, IndexDataCacheFile

CHECKSUM_BYTES = hashlib.sha256().digest_size


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


class KernelCache(FunctionCache):
    """Numba's cache of one function, with checksums. A kernel that cannot be read or saved is compiled all the same."""

    suffix = ""  # tells the files of one kind of kernel from those of another

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        name, stamp = self._impl.filename_base + self.suffix, self._impl.locator.get_source_stamp()
        self._cache_file = _SealedFiles(self._cache_path, name, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except OSError:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            # Two processes that add to a function's index at once would give two versions of it one file.
            with FileLock(cache_root() / "kernels.lock"):
                super().save_overload(sig, data)
        except OSError as error:
            _say_once("Compiled kernels cannot be kept for the next start", error)


class _SealedFiles(IndexDataCacheFile):
    """Cache files that end with a SHA-256 of all their other bytes; unpickling never looks so far."""

    def _load_index(self) -> Any:
        return {} if _is_damaged(Path(self._index_path)) else super()._load_index()

    def _load_data(self, name: str) -> Any:
        return None if _is_damaged(Path(self._data_path(name))) else super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue() + hashlib.sha256(content.getvalue()).digest())


def _is_damaged(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return False
    if hashlib.sha256(content[:-CHECKSUM_BYTES]).digest() == content[-CHECKSUM_BYTES:]:
        return False
    _say_once("Compiling again, since the cache of compiled kernels is damaged", path)
    return True


_said: set[str] = set()


def _say_once(sentence: str, subject: object) -> None:
    """Write one line to stderr: after a power cut many files are damaged, and one name is enough."""
    if sentence not in _said:
        _said.add(sentence)
        print(f"{sentence}: {subject}", file=sys.stderr)
