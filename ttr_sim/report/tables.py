"""Tables for pages and spreadsheets: columns, words, and links to the maps."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.tables import TABLES, Table, TableColumn, Unit
from ttr_sim.analysis.text import ends, ranked
from ttr_sim.report.charts.style import mean_order
from ttr_sim.report.numbers import ALL, HEADING_UNITS, MISSING, NUMERIC, exactly, interval, ordinal, written
from ttr_sim.report.ranges import LISTS, WHOLE_LIST, Ranges, is_points, key_of

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.edition.statics import Statics

PLAYERS = "players"
LONG = 24  # letters of a cell that is more than a name
OF_TICKETS = ("tickets", "ticket_value", "ticket_value_by_bot")
COUNTED = re.compile(r"; n counts [^.]*")  # part of a table's meaning that explains a column the page leaves out
ENCODING = "utf-8-sig"  # without the mark at the start Excel takes the file for Latin-1
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")

# The CSV files have all columns; the page leaves these out of all tables, or of one.
LEFT_OUT = {"ticket", "route", "group", "city", "p", "plans", "run", "to", "field"}
LEFT_OUT_OF = {
    "routes": {"copy", "n", "claimer_win_share", "denied_n", "got_points", "got_win"},
    "ticket_value": {"kept_n", "kept_win_share", "p_serious", "grade"},
    "connections": {"n"},
    "rewards": {"bot"},
    "cities": {"n"},
}
ONLY_WHEN_VARIED = {"deck", "kind", "points", "copy", "class"}
DETAILS = {"p_adjusted", "holds", "class_effect", "kept_win_gap", "fair_points"}  # columns behind a switch
DETAILS_OF = {"tickets": {"n", "race_rounds"}, "ticket_value": {"n"}}
FIRST = {"ticket_value": ("verdict",)}  # columns that follow the name
PAIRS = {  # tables that show two ends as one column, with its heading
    **dict.fromkeys(OF_TICKETS, "ticket"),
    "routes": "route",
    "connections": "connection",
    "shape_loads": "connection",
}
HEADINGS = {  # a designer's word for a column, where its name in the CSV file is another
    "seat": "player",
    "bot": "style",
    "contention": "fought over",
    "denial": "locked out",
    "denied_points": "points of those locked out",
    "denied_win": "wins of those locked out",
    "win_effect": "more wins when dealt",
    "points_effect": "more points when dealt",
    "class_effect": "of its class",
    "excess": "beyond its class",
    "p_adjusted": "chance if nothing differed",
    "fair_points": "fair value",
    "winner_led": "winner led",
    "chance_lead_changes": "changes of the likeliest winner",
    "taken": "taken from a rival's plan",
    "stands_out": "does not match",
}
VALUES = {  # our own codes, as a designer says them
    "generous": "too generous",
    "stingy": "too stingy",
    "dominant": "ahead of all",
    "dominated": "behind all",
    "decided": "winner leads for good from, %",
    "hidden": "winner not ahead in open points, %",
    "shared": "shared wins, %",
    "lead_changes": "changes of the lead",
    "margin": "winner's margin",
    "resets": "rows laid out again",
    "stalled": "nobody could move",
    "capped": "cut off at the last turn allowed",
    "stuck_row": "row stuck with wilds",
    "passed": "somebody had to pass",
    "short_draw": "no second card left to draw",
    "short_offer": "too few tickets left to draw",
    "no_claim": "somebody claimed nothing",
    "ticket_penalty": "failed tickets",
    "longest": "longest path",
    "tickets": "draw tickets",
    "draw": "draw cards",
    "claim": "claim a route",
    "station": "build a station",
    "all": "whoever plays",
    "strong": "among strong players",
    "depends": "depends on who plays",
}
CODED = frozenset(("measure", "part", "kind", "action", "verdict", "holds"))  # columns of such codes
SHARES = {"decided", "hidden", "shared"}  # measures of whole games that stand in a column of numbers
SORTED_BY = {  # the column that orders the rows, largest first
    "strategies": "win_share",
    "ticket_value": "excess",
    "rewards": "win_share",
    "tickets": "completed",
    "routes": "contention",
    "connections": "contention",
    "shape_loads": "load",
    "cities": "claims",
}
BY_STRENGTH = {"seats_by_bot": ["bot"], "matchups": ["bot", "opponent"]}  # columns of styles, the strongest first
GIVEN: frozenset[Unit] = frozenset(("points", "number", "rounds"))  # units of numbers that may be given as whole


@dataclass(frozen=True, slots=True)
class Heading:
    """A column; `shown` is "always", "all" (with all player counts) or "details"."""

    words: str
    meaning: str = ""
    unit: str = ""
    numeric: bool = False
    leads: bool = False  # rows stand in its order, largest first
    shown: str = "always"


@dataclass(frozen=True, slots=True)
class PageCell:
    """`between` is the 95 % interval, `usual` the range over the official editions."""

    words: str
    between: str = ""
    usual: str = ""


@dataclass(frozen=True, slots=True)
class PageRow:
    """A row with its targets on the map and the routes of a ticket's `way`."""

    cells: list[PageCell]
    players: int | None = None  # None when there is but one player count
    anchor: str = ""  # its id, when something links to it
    targets: str = ""
    way: str = ""
    minor: bool = False  # shown on demand


@dataclass(frozen=True, slots=True)
class View:
    """A table ready for the page."""

    name: str
    title: str
    meaning: str
    headings: list[Heading]
    rows: list[PageRow]
    usual: list[PageRow]  # official ranges of lists
    missing: str = ""
    folded: str = ""  # names of the rows of zeros
    beside: tuple[str, ...] = ()  # tables that stand within this one

    @property
    def long_columns(self) -> list[int]:
        """Columns of sentences, which need room on a phone; the first never does."""
        texts = [at for at, heading in enumerate(self.headings, 1) if not heading.numeric]
        return [at for at in texts[1:] if any(len(row.cells[at - 1].words) > LONG for row in self.rows)]


def plain_view(
    name: str, title: str, meaning: str, headings: list[Heading], rows: Iterable[list[PageCell | str]]
) -> View:
    """Lay out a table without links, maps and official ranges."""
    cells = ([PageCell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return View(name, title, meaning, headings, list(map(PageRow, cells)), [])


def row_anchor(table: str, label: int) -> str:
    """The id of a row by its label in the table."""
    return f"r-{table}-{label}"


def route_of_connection(analysis: Analysis, row: int) -> int | None:
    """Find the row of a connection's first lane at the same player count."""
    connection, routes = analysis.tables["connections"].loc[row], analysis.tables["routes"]
    lanes = routes[(routes[PLAYERS] == connection[PLAYERS]) & (routes["group"] == connection["group"])]
    return int(str(lanes.index[0])) if len(lanes) else None


class HoverTargets:
    """Elements of the maps that rows point at, such as `route-3 city-7`."""

    def __init__(self, board: Statics) -> None:
        self.edition = board.edition
        members: dict[int, list[int]] = {}
        for number, route in enumerate(self.edition.routes):
            members.setdefault(route.group, []).append(number)
        self.lanes = {group: _joined("route", routes) for group, routes in members.items()}
        self.ways = [" ".join(self.lanes[group] for group in sorted(ways.shortest)) for ways in board.ways]

    def of_row(self, table: str, record: Mapping[Any, Any]) -> str:
        if table == "routes":
            return f"route-{record['route']}"
        if table in ("connections", "shape_loads"):
            return self.lanes.get(int(record["group"]), "")
        if table == "cities":
            return f"city-{record['city']}"
        if table in OF_TICKETS:
            ticket = self.edition.tickets[int(record["ticket"])]
            return _joined("city", (*ticket.a_cities, *ticket.b_cities))
        return ""

    def way(self, table: str, record: Mapping[Any, Any]) -> str:
        return self.ways[int(record["ticket"])] if table in OF_TICKETS else ""


def _joined(kind: str, numbers: Iterable[int]) -> str:
    return " ".join(f"{kind}-{number}" for number in numbers)


def views_of(
    analysis: Analysis, names: Iterable[str], ranges: Ranges, linked: Collection[str], targets: HoverTargets
) -> dict[str, View]:
    """Lay out tables by name; `linked` rows get an anchor."""
    return {name: _view(TABLES[name], analysis, ranges, linked, targets) for name in names}


def _view(table: Table, analysis: Analysis, ranges: Ranges, linked: Collection[str], targets: HoverTargets) -> View:
    name, frame = table.name, analysis.tables[table.name]
    counts = sorted(int(count) for count in frame[PLAYERS].unique())
    columns = _columns_shown(table, frame, counts)
    lanes = _claims_of_all_lanes(analysis) if name == "routes" else {}
    headings = [_heading(name, column) for column in columns]
    if lanes:
        meaning = "of all parallel routes between the two cities together"
        headings.append(Heading("all lanes", meaning, "claims per game", numeric=True))
    writer = _CellWriter(name, ranges, analysis.edition.is_race)
    happened = frame[frame["games"] > 0] if name == "oddities" else frame
    ordered, rows = _in_order(name, happened, analysis), []
    for label, record in zip(ordered.index.tolist(), ordered.to_dict("records"), strict=True):
        cells = [writer.cell(column, record) for column in columns]
        if lanes:
            # Each lane of a double route has its own row; designers ask for both together.
            cells.append(lanes.get((int(record[PLAYERS]), int(record["group"])), PageCell("")))
        anchor, players = row_anchor(name, label), int(record[PLAYERS]) if len(counts) > 1 else None
        pointed, way = targets.of_row(name, record), targets.way(name, record)
        rows.append(PageRow(cells, players, anchor if anchor in linked else "", pointed, way))
    usual = []
    # Tickets and routes of other boards have no counterpart here, so their range stands below the list.
    for count in counts if name in LISTS else ():
        spans = [writer.usual(column, count, WHOLE_LIST, column.unit) for column in columns]
        if any(spans):
            cells = [*map(PageCell, spans), *([PageCell("")] if lanes else [])]
            usual.append(PageRow(cells, count if len(counts) > 1 else None))
    explained = table.meaning if any(heading.words == "n" for heading in headings) else COUNTED.sub("", table.meaning)
    missing = analysis.missing.get(name, "" if len(frame) else "There is nothing to list.")
    folded = _never_seen(frame, len(counts)) if name == "oddities" else ""
    beside = ("connections",) if lanes else ()
    return View(name, table.title, explained, headings, rows, usual, missing, folded, beside)


def _columns_shown(table: Table, frame: pd.DataFrame, counts: list[int]) -> list[TableColumn]:
    """Leave out empty estimates and columns of equal values; put the name first."""

    def is_shown(column: TableColumn) -> bool:
        if column.name in LEFT_OUT or column.name in LEFT_OUT_OF.get(table.name, ()):
            return False
        if column.name == PLAYERS:
            return len(counts) > 1
        if column.name in ONLY_WHEN_VARIED and len(frame):
            return bool(frame[column.name].nunique() > 1)
        return not (column.interval and frame[column.name].isna().all())

    columns = list(filter(is_shown, table.columns))
    # The page keeps the first column in sight, so that is the name; the player count is seldom shown.
    first = [next(column.name for column in columns if column.name != PLAYERS), PLAYERS, *FIRST.get(table.name, ())]
    return sorted(columns, key=lambda column: first.index(column.name) if column.name in first else len(first))


def _heading(table: str, column: TableColumn) -> Heading:
    name, unit, numeric = column.name, HEADING_UNITS.get(column.unit, ""), column.unit in NUMERIC
    if name == "from":
        return Heading(PAIRS[table], "as its line in the file names its ends", unit, numeric)
    is_detail = name in DETAILS or name in DETAILS_OF.get(table, ())
    shown = "all" if name == PLAYERS else "details" if is_detail else "always"
    words = HEADINGS.get(name, name.replace("_", " "))
    return Heading(words, column.meaning, unit, numeric, name == SORTED_BY.get(table), shown)


def _in_order(name: str, frame: pd.DataFrame, analysis: Analysis) -> pd.DataFrame:
    """Sort rows by the leading column, or by the strength of their styles."""
    if name in SORTED_BY:
        return ranked(frame, PLAYERS, SORTED_BY[name], ascending=(True, False))
    if name in BY_STRENGTH:
        strongest = mean_order(analysis.tables["strategies"], "bot", "win_share")
        places = {bot: place for place, bot in enumerate(strongest)}
        by = [PLAYERS, *BY_STRENGTH[name]]
        return frame.sort_values(by, key=lambda c: c if c.name == PLAYERS else c.map(places), kind="stable")
    return frame


class _CellWriter:
    """Writes the cells of one table."""

    def __init__(self, table: str, ranges: Ranges, is_race: bool) -> None:
        self.table, self.ranges, self.is_race = table, ranges, is_race

    def cell(self, column: TableColumn, record: Mapping[Any, Any]) -> PageCell:
        if not column.interval:
            return PageCell(_given(column, record))
        unit = _unit_of(column, record)
        between = interval(record[column.names[1]], record[column.names[2]], unit)
        if not between:
            # A number without its interval would look sure.
            return PageCell(MISSING)
        key = key_of(self.table, record)
        usual = "" if key == WHOLE_LIST else self.usual(column, int(record[PLAYERS]), key, unit)
        return PageCell(written(record[column.name], unit), between, usual)

    def usual(self, column: TableColumn, players: int, key: str, unit: Unit) -> str:
        """Write the official range of an estimate."""
        if not column.interval or (self.is_race and is_points(self.table, key, column)):
            return ""
        span = self.ranges.of(self.table, players, key, column.name)
        return interval(*span, unit) if span else ""


def _given(column: TableColumn, record: Mapping[Any, Any]) -> str:
    """Write a value that is not an estimate."""
    value = record[column.name]
    if column.name == PLAYERS:
        return "all" if value == ALL else str(value)
    if column.name == "seat":
        return ordinal(value)
    if column.name == "from":
        return ends(record)
    if column.name == "verdict" and record.get("grade"):
        return f"{in_words('verdict', value)}, {record['grade']}"
    if column.unit == "text":
        return in_words(column.name, value)
    unit = _unit_of(column, record)
    return exactly(value) if unit in GIVEN else written(value, unit)


def _unit_of(column: TableColumn, record: Mapping[Any, Any]) -> Unit:
    return "share" if column.unit == "number" and record.get("measure") in SHARES else column.unit


def in_words(column: str, value: object) -> str:
    """Translate a code of ours; names of editions and bots stay."""
    if column == "bot" and value == "":
        return "all styles"
    text = str(value)
    return VALUES.get(text, text.replace("_", " ")) if column in CODED else text


def _claims_of_all_lanes(analysis: Analysis) -> dict[tuple[int, int], PageCell]:
    """The claims of parallel routes together, by player count and group."""
    lanes = analysis.tables["connections"]
    return {
        (int(row[PLAYERS]), int(row["group"])): PageCell(
            written(row["claims"], "number"), interval(row["claims_low"], row["claims_high"], "number")
        )
        for row in lanes[lanes["routes"] > 1].to_dict("records")
    }


def _never_seen(oddities: pd.DataFrame, counts: int) -> str:
    """Name the oddities that never happened, in place of rows of zeros."""
    never, words = oddities[oddities["games"] == 0], []
    times = never.groupby("kind", sort=False).size()
    words += [in_words("kind", kind) for kind in times[times == counts].index]
    for row in never.to_dict("records"):
        if times[row["kind"]] < counts:
            words.append(f"{in_words('kind', row['kind'])} (with {row[PLAYERS]} players)")
    return f"Never seen: {', '.join(words)}." if words else ""


def write_tables(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Write CSV files that a spreadsheet never takes for formulas."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        safe = table.copy()
        for column in safe.columns:
            if safe[column].dtype.kind not in "biuf":
                safe[column] = safe[column].map(_defused)
        path = folder / f"{name}.csv"
        safe.to_csv(path, index=False, float_format="%.6g", quoting=csv.QUOTE_NONNUMERIC, encoding=ENCODING)


def _defused(cell: object) -> object:
    is_formula = isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA_STARTS)
    return f"'{cell}" if is_formula else cell
