"""Read a text file of an edition folder, whatever is in its place."""

from __future__ import annotations

import codecs
from pathlib import Path

from ttr_sim.edition.limits import MAX_FILE_BYTES
from ttr_sim.edition.problems import Place, Problems

OTHER_ENCODINGS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_bytes(path: Path, problems: Problems) -> bytes | None:
    """Return what the file holds, or None after reporting why it cannot be read."""
    try:
        message = _why_not(path)
        if message is None:
            return path.read_bytes()
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
    problems.error(Place(path.name), message)
    return None


def _why_not(path: Path) -> str | None:
    if path.is_dir():
        return "is a folder, not a text file"
    if not path.is_file():  # reading a pipe or a device might never end
        return "is not a file" if path.exists() else "the file is missing"
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        return f"the file has {size:,} bytes; the limit is {MAX_FILE_BYTES:,}"
    return None if size else "the file is empty"


def decode(data: bytes, name: str, problems: Problems) -> str | None:
    """Return the text with `\\n` line ends and no byte-order mark, or None after reporting why not."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", errors="replace")
        place = Place(name, before.count("\n") + 1, len(before) - before.rfind("\n"))
        found = "UTF-16" if data.startswith(OTHER_ENCODINGS) else f"byte {data[error.start]:#04x}"
        problems.error(place, f"the text is not UTF-8 ({found}); save the file as UTF-8")
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")
