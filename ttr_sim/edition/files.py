"""Read a text file of an edition folder, whatever is in its place."""

from __future__ import annotations

import codecs
from pathlib import Path

from ttr_sim.edition.limits import MAX_FILE_BYTES
from ttr_sim.edition.problems import Place, Problems

WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods are zip files, .xls is an OLE file
WORKBOOK_TYPES = (".xlsx", ".xls", ".ods", ".numbers")
SAVE_AS = "save it as CSV (UTF-8) under the name"
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
        return "is not a file" if path.exists() else _missing(path)
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        return f"the file has {size:,} bytes; the limit is {MAX_FILE_BYTES:,}"
    return None if size else "the file is empty"


def _missing(path: Path) -> str:
    books = (path.with_suffix(suffix) for suffix in WORKBOOK_TYPES)
    book = next((book.name for book in books if book.is_file()), None)
    return "the file is missing" + (f"; open {book} in your spreadsheet and {SAVE_AS} {path.name}" if book else "")


def decode(data: bytes, name: str, problems: Problems) -> str | None:
    """Return the text with `\\n` line ends and no byte-order mark, or None after reporting why not."""
    if data.startswith(WORKBOOKS):
        message = f"this is a spreadsheet file, not a text file; open it in your spreadsheet and {SAVE_AS} {name}"
        problems.error(Place(name), message)
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", errors="replace")
        place = Place(name, before.count("\n") + 1, len(before) - before.rfind("\n"))
        found = "UTF-16" if data.startswith(OTHER_ENCODINGS) else f"byte {data[error.start]:#04x}"
        problems.error(place, f"the text is not UTF-8 ({found}); save the file as UTF-8")
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")
