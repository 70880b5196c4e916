"""Files that are written whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_whole(path: Path, content: bytes | bytearray) -> None:
    """Write the file beside and rename it, which also replaces a link instead of following it."""
    # Two workers on two machines may write the same part, when one was thought to be lost.
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
