"""How kernels are compiled: two decorators, and a cache in a writable folder that is never stale.

Numba's cache looks only at the file of a function, not at what that function calls. So the cache
folder is named by a hash of all kernel sources: an edit anywhere is a new folder.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.np import arrayobj

from ttr_sim.engine import drafts
from ttr_sim.engine.kernel_cache import KernelCache
from ttr_sim.files import cache_root

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_SOURCES = ("log.py", "edition/limits.py", "engine/*.py", "bots/**/*.py")


def _source_hash() -> str:
    digest = hashlib.sha256()
    for pattern in KERNEL_SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


SOURCE_HASH = _source_hash()
_FLAVOR = "-bounds" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else ""
_PLACE = hashlib.sha256(bytes(PACKAGE)).hexdigest()[:8]  # Numba keeps a kernel for the place its source is in
CACHE_FOLDER = cache_root() / f"kernels-{SOURCE_HASH[:16]}-{_PLACE}{_FLAVOR}"
COMPILED_LAST = "*/play.play_games-*.nbi"
OPTIONS = {"nopython": True, "nogil": True}
numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]


class _Kernel(CPUDispatcher):
    """A compiled function with three rules of its own.

    Other kernels call it as a draft, so it is machine code only where Python or a bot's address calls
    it. Every signed whole number is taken as int64: one version of it, not one for each width and each
    constant it is called with. And an index is never counted from the end of an array, so that none
    has to be looked at for its sign, which makes bots that plan a fifth faster. The tests play all
    editions with bounds checked, which then finds a negative index too.
    """

    def __init__(self, function: Callable[..., Any], *details: Any, **options: Any) -> None:
        super().__init__(function, *details, **options)
        self._cache = KernelCache(function)

    @cached_property
    def draft(self) -> Any:
        """What other kernels call: made when one does, as a start from the cache needs none."""
        options = OPTIONS | drafts.OPTIONS
        return _Draft(self.py_func, targetoptions=options, pipeline_class=drafts.DraftCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self.draft.get_call_template([_widened(arg) for arg in args], {key: _widened(kws[key]) for key in kws})

    def get_overload(self, sig: Any) -> Any:
        return self.draft.get_overload(sig)

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock, _plain_indices(), _collecting_later():
            return super().compile(sig)


class _Draft(CPUDispatcher):
    """A kernel as others call it."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, **options)
        self._cache = drafts.DraftCache(function)

    def add_overload(self, cres: Any) -> None:
        super().add_overload(cres)
        drafts.link_family(self.targetctx, cres)

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock, _plain_indices():
            return super().compile(sig)


@contextmanager
def _collecting_later() -> Iterator[None]:
    """Let no garbage be collected meanwhile: compiling makes millions of objects that all live on."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def _plain_indices() -> Iterator[None]:
    """Patch Numba while it compiles a kernel.

    Numba has no option for this. The patch is taken back at once, under the compiler's lock, because
    a user's own Numba code in this process may count from the end; without it every test passes
    and planning bots are a fifth slower.
    """
    usual = arrayobj.fix_integer_index
    arrayobj.fix_integer_index = _index_as_it_is
    try:
        yield
    finally:
        arrayobj.fix_integer_index = usual


def _index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def _widened(kind: Any) -> Any:
    whole = getattr(kind, "literal_type", kind)
    return types.int64 if isinstance(whole, types.Integer) and whole.signed else whole  # type: ignore[attr-defined]


def compiled(function: Callable[..., Any]) -> Any:
    return _Kernel(function, targetoptions=OPTIONS)


# For a private function with one caller: it becomes part of it before Numba types it.
part = numba.njit(nogil=True, inline="always")


def is_cache_cold() -> bool:
    """Return whether the first game of this process has to wait for the compiler."""
    return not any(CACHE_FOLDER.glob(COMPILED_LAST))
