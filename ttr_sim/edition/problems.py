"""Problems of an edition folder, each with its place, collected so that all are reported at once."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import NamedTuple

from ttr_sim.edition.limits import MAX_FILE_BYTES
from ttr_sim.errors import UserError

RULES_FILE = "edition.toml"
BOTS_FILE = "bots.toml"  # optional; bots/ reads it
FILE_ORDER = (RULES_FILE, "cities.csv", "routes.csv", "tickets.csv")

WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods are zip files, .xls is an OLE file
WORKBOOK_TYPES = (".xlsx", ".xls", ".ods", ".numbers")
SAVE_AS = "save it as CSV (UTF-8) under the name"


class Place(NamedTuple):
    """Line and column of a problem, from 1. Line 0 means a `--set` over edition.toml."""

    file: str
    line: int = 1
    column: int = 1
    cell: str = ""  # as a spreadsheet names it: C2


class Problem(NamedTuple):
    file: str
    line: int
    column: int
    cell: str
    message: str
    hint: str | None

    def as_line(self, level: str = "") -> str:
        """Format the problem on one line, with `level` before its message."""
        where = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        suggestion = f' (did you mean "{self.hint}"?)' if self.hint else ""
        cell = f"[{self.cell}] " if self.cell else ""
        return f"{where}: {level}{cell}{self.message}{suggestion}"

    def __str__(self) -> str:
        return self.as_line()


class Problems:
    """Errors and warnings of a folder, without repeats and in the order of its files."""

    def __init__(self) -> None:
        # A check may come to the same problem from both sides.
        self._are_errors: dict[Problem, bool] = {}

    def error(self, place: Place, message: str, hint: str | None = None) -> None:
        self._are_errors[Problem(*place, message, hint)] = True

    def warn(self, place: Place, message: str, hint: str | None = None) -> None:
        self._are_errors[Problem(*place, message, hint)] = False

    @property
    def errors(self) -> list[Problem]:
        return self._sorted(errors=True)

    @property
    def warnings(self) -> list[Problem]:
        return self._sorted(errors=False)

    def _sorted(self, errors: bool) -> list[Problem]:
        ranks = {file: rank for rank, file in enumerate((*FILE_ORDER, BOTS_FILE))}
        found = (problem for problem, is_error in self._are_errors.items() if is_error == errors)
        return sorted(found, key=lambda problem: (ranks.get(problem.file, -1), problem[:3]))

    def errors_in(self, *files: str) -> bool:
        """Check whether one of these files has an error, so that sums over it would mislead."""
        found = self._are_errors.items()
        return any(is_error and (problem.file if problem.line else RULES_FILE) in files for problem, is_error in found)

    def refuse(self, sentence: str) -> None:
        """Raise all errors as one, if there are any."""
        errors = [str(error) for error in self.errors]
        if errors:
            lines = f" {errors[0]}" if len(errors) == 1 else "".join(f"\n  {error}" for error in errors)
            raise UserError(f"{sentence}:{lines}")


def read_bytes(path: Path, problems: Problems) -> bytes | None:
    """Read a file of an edition. None after reporting why it cannot be read."""
    try:
        if path.is_dir():
            message = "is a folder, not a text file"
        elif path.is_file():
            size = path.stat().st_size
            if 0 < size <= MAX_FILE_BYTES:
                return path.read_bytes()
            message = f"the file has {size:,} bytes; the limit is {MAX_FILE_BYTES:,}" if size else "the file is empty"
        elif path.exists():  # reading a pipe or a device might never end
            message = "is not a file"
        else:
            message = "the file is missing"
            books = [book.name for suffix in WORKBOOK_TYPES if (book := path.with_suffix(suffix)).is_file()]
            if books:
                message += f"; open {books[0]} in your spreadsheet and {SAVE_AS} {path.name}"
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
    problems.error(Place(path.name), message)
    return None


def decode(data: bytes, name: str, problems: Problems) -> str | None:
    """Decode UTF-8 with `\\n` line ends. None after reporting why it is not text."""
    if data.startswith(WORKBOOKS):
        message = f"this is a spreadsheet file, not a text file; open it in your spreadsheet and {SAVE_AS} {name}"
        problems.error(Place(name), message)
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", errors="replace")
        place = Place(name, before.count("\n") + 1, len(before) - before.rfind("\n"))
        is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        found = "UTF-16" if is_utf16 else f"byte {data[error.start]:#04x}"
        problems.error(place, f"the text is not UTF-8 ({found}); save the file as UTF-8")
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")
