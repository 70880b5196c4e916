"""Edits: a changed cell, an added or a removed line of routes.csv or tickets.csv; all else stays as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttr_sim.edition import load_edition
from ttr_sim.edition.board import ROUTE_COLUMNS, TICKET_COLUMNS
from ttr_sim.edition.canonical import color_name
from ttr_sim.edition.files import decode
from ttr_sim.edition.limits import MAX_ROUTES, MAX_TICKETS
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import Problems
from ttr_sim.edition.table import Cell, read_table

TICKETS, ROUTES = "tickets.csv", "routes.csv"
POINTS, LENGTH, COLOR = "points", "length", "color"
CELL, ADD, REMOVE = "cell", "add", "remove"
COLUMNS = {TICKETS: (TICKET_COLUMNS, MAX_TICKETS), ROUTES: (ROUTE_COLUMNS, MAX_ROUTES)}
LINE_END = re.compile("(\r\n|\r|\n)")
BOM = "\ufeff"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A change of one row of the original edition; `value` is the cell's new text, or the color of an added double."""

    file: str
    row: int
    what: str
    heading: str = ""
    value: str = ""


def points(row: int, value: int) -> Edit:
    return Edit(TICKETS, row, CELL, POINTS, str(value))


def points_of(edition: Edition, edits: Iterable[Edit]) -> list[int]:
    """Return the points of all tickets after the edits."""
    after = [ticket.points for ticket in edition.tickets]
    for edit in edits:
        if edit.heading == POINTS:
            after[edit.row] = int(edit.value)
    return after


def with_points(edition: Edition, edits: Iterable[Edit], after: Sequence[int]) -> list[Edit]:
    """Return the edits with other points; a ticket back at its printed points is not edited."""
    others = [edit for edit in edits if edit.heading != POINTS]
    return others + [points(row, value) for row, value in enumerate(after) if value != edition.tickets[row].points]


def words(edition: Edition, edit: Edit) -> str:
    """Return what an edit does, as in `Denver–El Paso: 6 points instead of 4`."""
    if edit.file == TICKETS:
        ticket = edition.tickets[edit.row]
        return f"{ticket.a}–{ticket.b}: {edit.value} points instead of {ticket.points}"
    route = edition.routes[edit.row]
    ends = f"{edition.cities[route.a].name}–{edition.cities[route.b].name}"
    name = f"{ends} ({color_name(edition, route)}, {route.length})"
    if edit.what == ADD:
        return f"{name}: a second route beside it, {edit.value}"
    if edit.what == REMOVE:
        return f"{name}: removed; the other one stays"
    before = route.length if edit.heading == LENGTH else color_name(edition, route)
    return f"{name}: {edit.heading} {edit.value} instead of {before}"


def edited(edition: Edition, edits: Iterable[Edit], folder: Path) -> Edition:
    """Write the edition with the edits into a folder and read it from there, so that it is checked like any other."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in edited_files(edition, edits).items():
        (folder / name).write_bytes(data)
    return load_edition(folder)


def edited_files(edition: Edition, edits: Iterable[Edit]) -> dict[str, bytes]:
    """Return the edition's files with the edited cells and lines changed, and every other byte kept."""
    files = dict(edition.files)
    for name in COLUMNS:
        if chosen := [edit for edit in edits if edit.file == name]:
            files[name] = _Sheet(name, files[name]).with_edits(chosen)
    return files


def as_rows(edition: Edition, edits: Iterable[Edit]) -> list[dict[str, Any]]:
    """Return the edits as `balance --json` prints them; an added line counts in the new file, all others in the old."""
    chosen = list(edits)
    return [_Sheet(edit.file, edition.files[edit.file]).as_row(edit, chosen) for edit in chosen]


class _Sheet:
    """A CSV file by physical lines, with the place of each row's cells."""

    def __init__(self, file: str, data: bytes) -> None:
        self.file = file
        text = data.decode("utf-8-sig")
        self.bom = data.decode("utf-8")[: len(BOM)] == BOM
        pieces = LINE_END.split(text)
        self.lines, self.ends = pieces[::2], [*pieces[1::2], ""]
        columns, most = COLUMNS[file]
        table = read_table(file, decode(data, file, Problems()) or "", columns, most, Problems())
        assert table is not None, "the edition was read from this file"
        self.rows = table.rows

    def with_edits(self, edits: list[Edit]) -> bytes:
        lines: list[str | None] = list(self.lines)
        added: dict[int, list[str]] = {}
        # From the end of a line to its start, so that no edit moves the cell of the next.
        for edit in sorted(edits, key=lambda edit: (edit.row, -self._cell(edit).place.column, edit)):
            at = self._line(edit)
            if edit.what == ADD:
                added.setdefault(at, []).append(self._copy(edit))
            else:
                lines[at] = None if edit.what == REMOVE else self._changed(str(lines[at]), edit)
        whole = "".join(self._written(at, line, added.get(at, [])) for at, line in enumerate(lines))
        return ((BOM if self.bom else "") + whole).encode()

    def as_row(self, edit: Edit, edits: list[Edit]) -> dict[str, Any]:
        at = self._line(edit)
        row = {"file": edit.file, "line": at + 1, "column": 1, "what": edit.what}
        if edit.what == CELL:
            cell = self._cell(edit)
            return row | {"column": cell.place.column, "from": cell.text, "to": edit.value}
        if edit.what == REMOVE:
            return row | {"from": self.lines[at], "to": None}
        before = [other for other in edits if other.file == edit.file and self._line(other) < at]
        moved = sum((other.what == ADD) - (other.what == REMOVE) for other in before)
        return row | {"line": at + 2 + moved, "from": None, "to": self._copy(edit)}

    def _written(self, at: int, line: str | None, added: list[str]) -> str:
        """Return a line and those added below it; a last line without an end gets one first."""
        end = self.ends[at]
        kept = "" if line is None else line + end
        if not added:
            return kept
        usual = end or next((other for other in self.ends if other), "\n")
        return usual.join([line or "", *added]) + end

    def _line(self, edit: Edit) -> int:
        return self.rows[edit.row]["from"].place.line - 1

    def _cell(self, edit: Edit) -> Cell:
        return self.rows[edit.row][edit.heading or COLOR]

    def _copy(self, edit: Edit) -> str:
        return self._changed(self.lines[self._line(edit)], edit)

    def _changed(self, line: str, edit: Edit) -> str:
        """Return the line with another text in the cell."""
        start = self._cell(edit).place.column - 1
        quoted = re.match(r'"(?:[^"]|"")*"', line[start:])
        old = quoted[0] if quoted else re.split(r"[,;\t]", line[start:])[0].rstrip()
        return f"{line[:start]}{edit.value}{line[start + len(old) :]}"
