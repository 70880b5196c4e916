"""Where compiled kernels are kept between runs, and how a damaged file among them is noticed.

Numba unpickles these files and runs what it finds, and with one that was cut short or changed it
would fail somewhere inside LLVM. So they are sealed, and a damaged one is compiled again.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock
from numba.core.caching import FunctionCache, IndexDataCacheFile

from ttr_sim.files import cache_root, is_damaged, sealed


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
    """Cache files that end with a seal."""

    def _load_index(self) -> Any:
        return {} if _was_damaged(Path(self._index_path)) else super()._load_index()

    def _load_data(self, name: str) -> Any:
        return None if _was_damaged(Path(self._data_path(name))) else super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(sealed(content.getvalue()))


def _was_damaged(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return False
    if not is_damaged(content):
        return False
    _say_once("Compiling again, since the cache of compiled kernels is damaged", path)
    return True


_said: set[str] = set()


def _say_once(sentence: str, subject: object) -> None:
    """Write one line to stderr: after a power cut many files are damaged, and one name is enough."""
    if sentence not in _said:
        _said.add(sentence)
        print(f"{sentence}: {subject}", file=sys.stderr)
