"""Turn the cells of one row into values; what is wrong is reported and becomes None."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ttr_sim.edition.limits import MAX_COORDINATE, MAX_NAME
from ttr_sim.edition.problems import Place, Problems
from ttr_sim.edition.schema import either, shown
from ttr_sim.edition.table import Cell
from ttr_sim.errors import closest

Key = Callable[[str], str]  # names with the same key are the same name

WHOLE = re.compile(r"[+-]?[0-9]{1,4000}")  # of more digits, Python makes no number
MOST_LISTED = 13  # names that an error lists: as many as colors with gray
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the cells of one row of a table."""

    row: Mapping[str, Cell]
    problems: Problems
    decimal_comma: bool = False

    def place(self, heading: str) -> Place:
        return self.row[heading].place

    def error(self, heading: str, message: str, hint: str | None = None) -> None:
        self.problems.error(self.place(heading), message, hint)

    def warn(self, heading: str, message: str, hint: str | None = None) -> None:
        self.problems.warn(self.place(heading), message, hint)

    def text(self, heading: str) -> str:
        """Return the text of a cell; empty when the file has no such column."""
        return self.row[heading].text if heading in self.row else ""

    def whole(self, heading: str, low: int, high: int, default: int | None = None) -> int | None:
        written = self.text(heading)
        if not written and default is not None:
            return default
        if not WHOLE.fullmatch(written):
            self.error(heading, _refusal(heading, written, "a whole number"))
        elif not low <= int(written) <= high:
            self.error(heading, f"{heading} must be from {low} to {high}, not {shown(int(written))}")
        else:
            return int(written)
        return None

    def decimal(self, heading: str) -> float | None:
        written = self.text(heading)
        value = float(_with_point(written, self.decimal_comma)) if is_number(written, self.decimal_comma) else math.nan
        if abs(value) <= MAX_COORDINATE:
            return value
        wanted = f"a number between -{MAX_COORDINATE:,} and {MAX_COORDINATE:,}"
        self.error(heading, _refusal(heading, written, wanted))
        return None

    def name(self, heading: str) -> str | None:
        """Return a name of printable characters on one line."""
        written = self.text(heading)
        if not written:
            self.error(heading, f"{heading} is empty")
        elif len(written) > MAX_NAME:
            self.error(heading, f"{heading} has {len(written):,} characters; at most {MAX_NAME} are allowed")
        elif not written.isprintable():
            self.error(heading, f"{heading} contains a character that cannot be printed")
        else:
            return written
        return None

    def known(self, heading: str, kind: str, names: Mapping[str, int] | None, key: Key = str) -> int | None:
        """Return the number of a known name, by its `key`; None also when the known names could not be read."""
        written = self.text(heading)
        if not written:
            self.error(heading, f"{heading} is empty")
        elif names is not None:
            numbers = {key(name): number for name, number in names.items()}
            if key(written) in numbers:
                return numbers[key(written)]
            self.error(heading, unknown(kind, written, names), closest(written, names))
        return None


def is_number(written: str, decimal_comma: bool) -> bool:
    return bool(DECIMAL.fullmatch(_with_point(written, decimal_comma)))


def is_whole_or_empty(written: str) -> bool:
    return not written or bool(WHOLE.fullmatch(written))


def one_of_names(names: Iterable[str] | None, key: Key = str) -> Callable[[str], bool]:
    """Return a test for a known name; any text passes when the known names could not be read."""
    keys = None if names is None else {key(name) for name in names}
    return lambda written: keys is None or key(written) in keys


def _with_point(written: str, decimal_comma: bool) -> str:
    return written.replace(",", ".", 1) if decimal_comma else written


def unknown(kind: str, written: str, names: Iterable[str]) -> str:
    """Return what is wrong with an unknown name, and the names allowed when they are few."""
    allowed = list(names)
    listed = f"; it must be {either(allowed)}" if 0 < len(allowed) <= MOST_LISTED else ""
    return f"unknown {kind} {shown(written)}{listed}"


def _refusal(heading: str, written: str, wanted: str) -> str:
    return f"{heading} {shown(written)} is not {wanted}" if written else f"{heading} is empty"
