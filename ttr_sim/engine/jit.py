"""The `compiled` decorator, two Numba patches, and the kernel cache folder, named by a hash of all kernel sources.

Numba's own cache looks only at the file of a function, not at the functions and constants it uses.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from filelock import FileLock
from numba import types
from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.np import arrayobj

from ttr_sim.files import cache_root

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_SOURCES = ("log.py", "edition/limits.py", "engine/*.py", "bots/**/*.py")

_digest = hashlib.sha256()
for _path in sorted(path for pattern in KERNEL_SOURCES for path in PACKAGE.glob(pattern)):
    _digest.update(_path.relative_to(PACKAGE).as_posix().encode())
    _digest.update(_path.read_bytes())
SOURCE_HASH = _digest.hexdigest()
_FLAVOR = "-bounds" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else ""
_PLACE = hashlib.sha256(bytes(PACKAGE)).hexdigest()[:8]  # Numba's cache files hold the path of the source
CACHE_FOLDER = cache_root() / f"kernels-{SOURCE_HASH[:16]}-{_PLACE}{_FLAVOR}"
numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]


class _Kernel(CPUDispatcher):
    """An `njit(nogil=True, cache=True)` function with two changes that Numba has no option for.

    Signed integers are widened to int64 where a kernel calls another, so there is one version of
    each kernel, not one per width and constant: 25 % less to compile. And indices are not tested
    for their sign, so they never count from the end of an array: planners are 11 to 15 % faster.
    The tests play all editions with bounds checks, which find negative indices too.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, **options)
        self._cache = _LockedCache(function)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template([_widened(arg) for arg in args], {key: _widened(kws[key]) for key in kws})

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock:
            original = arrayobj.fix_integer_index
            arrayobj.fix_integer_index = _index_as_it_is
            try:
                return super().compile(sig)
            finally:
                # Undone at once, because a user's own Numba code in this process may count from the end.
                arrayobj.fix_integer_index = original


def _widened(kind: Any) -> Any:
    kind = getattr(kind, "literal_type", kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind  # type: ignore[attr-defined]


def _index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


class _LockedCache(FunctionCache):
    """Numba's file cache of one function, safe for several processes and for folders that fail.

    Without the lock, two processes adding a version at once would give both the same file name.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            # Unreadable or cut short: compile again. A damaged index would fail to save, too.
            with suppress(OSError), FileLock(cache_root() / "kernels.lock"):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            with FileLock(cache_root() / "kernels.lock"):
                super().save_overload(sig, data)
        except OSError as error:
            # Only once: each of hundreds of kernels would repeat it.
            if not _warnings:
                _warnings.append(f"Compiled kernels cannot be kept for the next start: {error}")
                print(_warnings[0], file=sys.stderr)


_warnings: list[str] = []


def compiled(function: Callable[..., Any]) -> Any:
    return _Kernel(function, targetoptions={"nopython": True, "nogil": True})


def is_cache_cold() -> bool:
    """Whether the first game of this process has to wait for the compiler."""
    return not any(CACHE_FOLDER.glob("*/play.play_games-*.nbi"))
