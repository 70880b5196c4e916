"""Tables as a page shows them: cells of text, and what each row points at on the maps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.ranking import ranked
from ttr_sim.analysis.tables import TABLES, Table, TableColumn, Unit
from ttr_sim.report.numbers import ALL, HEADING_UNITS, MISSING, NUMERIC, exactly, interval, ordinal, written
from ttr_sim.report.ranges import LISTS, WHOLE_LIST, Ranges, is_points, key_of

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

# Columns and rows a reader of the page can do without; the CSV files have them all.
LEFT_OUT = {"ticket", "route", "group", "city", "p", "plans", "run"}
ONLY_WHEN_VARIED = {"players", "deck", "kind", "points", "copy", "class"}
LEFT_OUT_OF = {
    "routes": {"copy", "n", "claimer_win_share", "denied_n", "got_points", "got_win"},
    "ticket_value": {"kept_n", "kept_win_share", "p_serious"},
    "connections": {"n"},
    "rewards": {"bot"},
    "cities": {"n"},
}
HEADINGS = {  # what a designer calls a column, where its name in the CSV file is another
    "seat": "player",
    "contention": "fought over",
    "denial": "locked out",
    "denied_points": "points of those locked out",
    "denied_win": "wins of those locked out",
    "win_effect": "more wins when dealt",
    "points_effect": "more points when dealt",
    "class_effect": "of its class",
    "excess": "beyond its class",
}
VERDICTS = {"generous": "too generous", "stingy": "too stingy"}
CODED = frozenset(("measure", "part", "kind", "action"))  # text of ours, not of the edition's
LEADING = {  # the column whose largest numbers stand first
    "strategies": "win_share",
    "ticket_value": "excess",
    "rewards": "win_share",
    "tickets": "completed",
    "routes": "contention",
    "connections": "contention",
    "cities": "claims",
}
GIVEN: frozenset[Unit] = frozenset(("points", "number", "rounds"))  # units of numbers that may be given as whole


@dataclass(frozen=True, slots=True)
class Heading:
    words: str
    unit: str
    meaning: str
    numeric: bool
    leads: bool  # rows stand in its order, largest first


@dataclass(frozen=True, slots=True)
class PageCell:
    """`between` is the 95 % interval, `usual` the range over the official editions."""

    words: str
    between: str = ""
    usual: str = ""


@dataclass(frozen=True, slots=True)
class PageRow:
    """`anchor` is its id when something links to it; `players` its count, None when there is but one."""

    anchor: str
    players: int | None
    targets: str
    cells: list[PageCell]


@dataclass(frozen=True, slots=True)
class View:
    """A table ready for the page. `usual` holds, for lists, rows of official ranges."""

    name: str
    title: str
    meaning: str
    headings: list[Heading]
    rows: list[PageRow]
    usual: list[PageRow]
    missing: str

    @property
    def has_all(self) -> bool:
        """Return whether it has rows for all player counts together; if not, all its rows are shown with `all`."""
        return any(row.players == ALL for row in self.rows)

    @property
    def text_columns(self) -> list[int]:
        return [column for column, heading in enumerate(self.headings, 1) if not heading.numeric]


def _text(column: str, value: object) -> str:
    if column == "bot" and value == "":
        return "all styles"
    if column == "verdict":
        return VERDICTS.get(str(value), str(value))
    return str(value).replace("_", " ") if column in CODED else str(value)


def row_anchor(table: str, label: int) -> str:
    """Return the id of a row by its label in the table."""
    return f"r-{table}-{label}"


def view(analysis: Analysis, name: str, ranges: Ranges, linked: Collection[str] = ()) -> View:
    """Return headings and rows of one table; `linked` are the anchors of rows that something links to."""
    table, frame = TABLES[name], analysis.tables[name]
    maker = _Maker(table, analysis, ranges, linked)
    missing = analysis.missing.get(name, "" if len(frame) else "There is nothing to list.")
    return View(name, table.title, table.meaning, maker.headings(), maker.rows(), maker.usual_rows(), missing)


class _Maker:
    """Makes the rows of one table."""

    def __init__(self, table: Table, analysis: Analysis, ranges: Ranges, linked: Collection[str]) -> None:
        self.table, self.frame, self.ranges, self.linked = table, analysis.tables[table.name], ranges, linked
        self.targets = Targets(analysis)
        self.is_race = analysis.edition.is_race
        self.columns = [column for column in table.columns if self._is_shown(column)]
        self.leading = LEADING.get(table.name, "")
        self.counts = sorted(int(count) for count in self.frame["players"].unique())

    def _is_shown(self, column: TableColumn) -> bool:
        """Leave out estimates that no row has, and what is the same in all rows."""
        if column.name in LEFT_OUT | LEFT_OUT_OF.get(self.table.name, set()):
            return False
        if column.name in ONLY_WHEN_VARIED and len(self.frame):
            return bool(self.frame[column.name].nunique() > 1)
        return not (column.interval and self.frame[column.name].isna().all())

    def headings(self) -> list[Heading]:
        return [
            Heading(
                HEADINGS.get(c.name, c.name.replace("_", " ")),
                HEADING_UNITS.get(c.unit, ""),
                c.meaning,
                c.unit in NUMERIC,
                c.name == self.leading,
            )
            for c in self.columns
        ]

    def rows(self) -> list[PageRow]:
        frame = self.frame
        if self.leading:
            frame = ranked(frame, "players", self.leading, ascending=(True, False))
        return [self._row(*pair) for pair in zip(frame.index.tolist(), frame.to_dict("records"), strict=True)]

    def _row(self, label: int, record: Mapping[Any, Any]) -> PageRow:
        players, key = int(record["players"]), key_of(self.table.name, record)
        cells = [self._cell(column, record, players, key) for column in self.columns]
        anchor = row_anchor(self.table.name, label)
        shown = players if len(self.counts) > 1 else None
        return PageRow(anchor if anchor in self.linked else "", shown, self.targets.of(self.table.name, record), cells)

    def _cell(self, column: TableColumn, record: Mapping[Any, Any], players: int, key: str) -> PageCell:
        value = record[column.name]
        if column.name == "players":
            return PageCell("all" if players == ALL else str(players))
        if column.name == "seat":
            return PageCell(ordinal(value))
        if column.unit == "text":
            return PageCell(_text(column.name, value))
        if not column.interval:
            return PageCell(exactly(value) if column.unit in GIVEN else written(value, column.unit))
        between = interval(record[column.names[1]], record[column.names[2]], column.unit)
        if not between:  # no number without its interval
            return PageCell(MISSING)
        usual = "" if key == WHOLE_LIST else self._usual(column, players, key)
        return PageCell(written(value, column.unit), between, usual)

    def _usual(self, column: TableColumn, players: int, key: str) -> str:
        if not column.interval or (self.is_race and is_points(self.table.name, key, column)):
            return ""
        span = self.ranges.of(self.table.name, players, key, column.name)
        return interval(span[0], span[1], column.unit) if span else ""

    def usual_rows(self) -> list[PageRow]:
        """Return, for lists, where nine in ten rows of the official editions lie."""
        if self.table.name not in LISTS:
            return []
        usual = []
        for players in self.counts:
            cells = [PageCell(self._usual(column, players, WHOLE_LIST)) for column in self.columns]
            if any(cell.words for cell in cells):
                usual.append(PageRow("", players if len(self.counts) > 1 else None, "", cells))
        return usual


class Targets:
    """What a row points at on the maps: `route-3`, `city-7`, several with blanks between."""

    def __init__(self, analysis: Analysis) -> None:
        edition = analysis.edition
        self.members: dict[int, list[str]] = {}
        for number, route in enumerate(edition.routes):
            self.members.setdefault(route.group, []).append(f"route-{number}")
        self.ends = [[*ticket.a_cities, *ticket.b_cities] for ticket in edition.tickets]

    def of(self, table: str, record: Mapping[Any, Any]) -> str:
        if table == "routes":
            return f"route-{record['route']}"
        if table == "connections":
            return " ".join(self.members.get(int(record["group"]), []))
        if table == "cities":
            return f"city-{record['city']}"
        if table in ("tickets", "ticket_value"):
            ticket = int(record["ticket"])
            return " ".join(f"city-{city}" for city in self.ends[ticket])
        return ""
