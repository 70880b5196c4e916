"""Byte-preserving edits of routes.csv and tickets.csv."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttr_sim.edition import load_edition
from ttr_sim.edition.canonical import color_name
from ttr_sim.edition.limits import MAX_ROUTES, MAX_TICKETS
from ttr_sim.edition.map_tables import ROUTE_COLUMNS, TICKET_COLUMNS, Cell, read_table
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import Problems, decode

TICKETS, ROUTES = "tickets.csv", "routes.csv"
POINTS, LENGTH, COLOR = "points", "length", "color"
CELL, ADD, REMOVE = "cell", "add", "remove"
COLUMNS = {TICKETS: (TICKET_COLUMNS, MAX_TICKETS), ROUTES: (ROUTE_COLUMNS, MAX_ROUTES)}
LINE_END = re.compile("(\r\n|\r|\n)")
BOM = "\ufeff"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    file: str
    row: int
    action: str  # CELL, ADD or REMOVE
    heading: str = ""
    value: str = ""  # the new text, or the color of an added double route


def points_edit(row: int, value: int) -> Edit:
    return Edit(TICKETS, row, CELL, POINTS, str(value))


def points_of(edition: Edition, edits: Iterable[Edit]) -> list[int]:
    points = [ticket.points for ticket in edition.tickets]
    for edit in edits:
        if edit.heading == POINTS:
            points[edit.row] = int(edit.value)
    return points


def with_points(edition: Edition, edits: Iterable[Edit], points: Sequence[int]) -> list[Edit]:
    chosen = [edit for edit in edits if edit.heading != POINTS]
    for row, (ticket, value) in enumerate(zip(edition.tickets, points, strict=True)):
        if value != ticket.points:  # a ticket back at its printed points has no edit
            chosen.append(points_edit(row, value))
    return chosen


def describe_edit(edition: Edition, edit: Edit) -> str:
    """Describe an edit, as in `Denver–El Paso: 6 points instead of 4`."""
    if edit.file == TICKETS:
        ticket = edition.tickets[edit.row]
        return f"{ticket.a}–{ticket.b}: {edit.value} points instead of {ticket.points}"
    route = edition.routes[edit.row]
    ends = f"{edition.cities[route.a].name}–{edition.cities[route.b].name}"
    name = f"{ends} ({color_name(edition, route)}, {route.length})"
    if edit.action == ADD:
        return f"{name}: a second route beside it, {edit.value}"
    if edit.action == REMOVE:
        return f"{name}: removed; the other one stays"
    before = route.length if edit.heading == LENGTH else color_name(edition, route)
    return f"{name}: {edit.heading} {edit.value} instead of {before}"


def name_and_change(edition: Edition, edit: Edit) -> tuple[str, str]:
    """Name of the ticket or route, and its change, as in `4 → 6 points`."""
    name, _, change = describe_edit(edition, edit).rpartition(": ")
    if edit.action != CELL:
        return name, change
    if edit.file == TICKETS:
        return name, f"{edition.tickets[edit.row].points} → {edit.value} points"
    route = edition.routes[edit.row]
    before = route.length if edit.heading == LENGTH else color_name(edition, route)
    return name, f"{edit.heading} {before} → {edit.value}"


def edited(edition: Edition, edits: Iterable[Edit], folder: Path) -> Edition:
    """Write the edited edition and load it with all checks."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in edited_files(edition, edits).items():
        (folder / name).write_bytes(data)
    return load_edition(folder)


def edited_files(edition: Edition, edits: Iterable[Edit]) -> dict[str, bytes]:
    edits, files = list(edits), dict(edition.files)
    for name in COLUMNS:
        if chosen := [edit for edit in edits if edit.file == name]:
            files[name] = CsvLines(name, files[name]).apply(chosen)
    return files


def as_rows(edition: Edition, edits: Iterable[Edit]) -> list[dict[str, Any]]:
    """Edits as `balance --json` prints them."""
    edits = list(edits)
    return [CsvLines(edit.file, edition.files[edit.file]).as_row(edit, edits) for edit in edits]


class CsvLines:
    """The physical lines of a CSV file, with the position of each row's cells."""

    def __init__(self, file: str, data: bytes) -> None:
        self.file = file
        self.bom = BOM if data.decode("utf-8").startswith(BOM) else ""
        pieces = LINE_END.split(data.decode("utf-8-sig"))
        self.lines, self.ends = pieces[::2], [*pieces[1::2], ""]
        columns, most = COLUMNS[file]
        table = read_table(file, decode(data, file, Problems()) or "", columns, most, Problems())
        assert table is not None, "the edition was read from this file"
        self.rows = table.rows

    def apply(self, edits: Iterable[Edit]) -> bytes:
        lines: list[str | None] = list(self.lines)
        added: dict[int, list[str]] = {}
        # Cells of a line from right to left, so that no edit moves the next cell.
        for edit in sorted(edits, key=lambda edit: (edit.row, -self._cell(edit).place.column, edit)):
            at = self._line(edit)
            if edit.action == ADD:
                added.setdefault(at, []).append(self._replace_cell(self.lines[at], edit))
            else:
                lines[at] = None if edit.action == REMOVE else self._replace_cell(str(lines[at]), edit)
        text = self.bom
        for at, (line, end) in enumerate(zip(lines, self.ends, strict=True)):
            if at in added:
                # A last line without an end gets the file's usual one before a line is added below it.
                usual = end or next((other for other in self.ends if other), "\n")
                text += usual.join([line or "", *added[at]]) + end
            elif line is not None:
                text += line + end
        return text.encode()

    def as_row(self, edit: Edit, edits: Iterable[Edit]) -> dict[str, Any]:
        at = self._line(edit)
        row = {"file": edit.file, "line": at + 1, "column": 1, "what": edit.action}
        if edit.action == CELL:
            cell = self._cell(edit)
            return row | {"column": cell.place.column, "from": cell.text, "to": edit.value}
        if edit.action == REMOVE:
            return row | {"from": self.lines[at], "to": None}
        # An added line is numbered as in the new file, all others as in the old one.
        before = [other.action for other in edits if other.file == edit.file and self._line(other) < at]
        moved = before.count(ADD) - before.count(REMOVE)
        return row | {"line": at + 2 + moved, "from": None, "to": self._replace_cell(self.lines[at], edit)}

    def _line(self, edit: Edit) -> int:
        return self.rows[edit.row]["from"].place.line - 1

    def _cell(self, edit: Edit) -> Cell:
        return self.rows[edit.row][edit.heading or COLOR]

    def _replace_cell(self, line: str, edit: Edit) -> str:
        start = self._cell(edit).place.column - 1
        quoted = re.match(r'"(?:[^"]|"")*"', line[start:])
        old = quoted[0] if quoted else re.split(r"[,;\t]", line[start:])[0].rstrip()
        return f"{line[:start]}{edit.value}{line[start + len(old) :]}"
