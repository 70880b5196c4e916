"""Problems of an edition folder, each with its place, collected so that all are reported at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

RULES_FILE = "edition.toml"
BOTS_FILE = "bots.toml"  # may be missing; what it means is known in bots/


class Place(NamedTuple):
    """Where a problem is; line and column count from 1, line 0 means a `--set` over edition.toml."""

    file: str
    line: int = 1
    column: int = 1
    cell: str = ""  # as a spreadsheet names it: C2


@dataclass(frozen=True, slots=True)
class Problem:
    file: str
    line: int
    column: int
    message: str
    hint: str | None = None
    cell: str = ""

    def __str__(self) -> str:
        return self.as_line()

    def as_line(self, level: str = "") -> str:
        """Return the problem as one line, with `level` before its message."""
        where = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        suggestion = f' (did you mean "{self.hint}"?)' if self.hint else ""
        cell = f"[{self.cell}] " if self.cell else ""
        return f"{where}: {level}{cell}{self.message}{suggestion}"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The errors and warnings of a folder."""

    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    def with_more(self, errors: tuple[Problem, ...]) -> CheckResult:
        """Return the result with these errors too, none twice."""
        return CheckResult(tuple(_by_place([*self.errors, *errors])), self.warnings)


@dataclass(slots=True)
class Problems:
    """Collects problems while the files are read."""

    errors: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def error(self, place: Place, message: str, hint: str | None = None) -> None:
        self.errors.append(_problem(place, message, hint))

    def warn(self, place: Place, message: str, hint: str | None = None) -> None:
        self.warnings.append(_problem(place, message, hint))

    def errors_in(self, *files: str) -> bool:
        """Return whether one of these files has an error: counts and sums over it would mislead."""
        return any((problem.file if problem.line else RULES_FILE) in files for problem in self.errors)

    def result(self) -> CheckResult:
        return CheckResult(tuple(_by_place(self.errors)), tuple(_by_place(self.warnings)))


def _problem(place: Place, message: str, hint: str | None) -> Problem:
    return Problem(place.file, place.line, place.column, message, hint, place.cell)


FILE_ORDER = (RULES_FILE, "cities.csv", "routes.csv", "tickets.csv")


def _by_place(problems: list[Problem]) -> list[Problem]:
    def place(problem: Problem) -> tuple[int, int, int]:
        order = (*FILE_ORDER, BOTS_FILE)
        rank = order.index(problem.file) if problem.file in order else -1
        return rank, problem.line, problem.column

    return sorted(dict.fromkeys(problems), key=place)
