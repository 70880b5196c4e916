"""How kernels are compiled: one decorator, cached where the user can write, never stale.

Numba's cache looks only at the file of a function, not at what that function calls. So the cache
folder is named by a hash of all kernel sources: an edit anywhere is a new folder.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import numba
import numpy as np

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_SOURCES = ("log.py", "edition/limits.py", "engine/*.py", "bots/**/*.py")


def _source_hash() -> str:
    digest = hashlib.sha256()
    for pattern in KERNEL_SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _writable_cache_root() -> Path:
    wanted = os.environ.get("TTR_SIM_CACHE") or os.environ.get("XDG_CACHE_HOME")
    root = Path(wanted) if wanted else Path.home() / ".cache"
    try:
        (root / "ttr-sim").mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root / "ttr-sim"):
            return root / "ttr-sim"
    except OSError:
        return Path(tempfile.gettempdir()) / f"ttr-sim-{os.getuid()}"


SOURCE_HASH = _source_hash()
_FLAVOR = "-bounds" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else ""
CACHE_FOLDER = _writable_cache_root() / f"kernels-{SOURCE_HASH[:16]}{_FLAVOR}"
numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]

# A plain 0 handed to a kernel would be a type of its own and compile it, and all it calls, once more.
ZERO = np.int64(0)

compiled = numba.njit(nogil=True, cache=True)


def is_cache_cold() -> bool:
    """Whether the first game of this process will have to wait for the compiler."""
    return not any(CACHE_FOLDER.glob("**/*.nbi"))
