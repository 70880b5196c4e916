"""Tables for pages and spreadsheets: columns, words, official ranges, and links to the maps."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.official import Ranges
from ttr_sim.analysis.tables import TABLES, Table, TableColumn, Unit
from ttr_sim.analysis.text import ends, ranked
from ttr_sim.report.charts.style import mean_order
from ttr_sim.report.numbers import ALL, HEADING_UNITS, MISSING, NUMERIC, WORDS, exactly, interval, ordinal, written

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.edition.model import Ticket
    from ttr_sim.edition.statics import Statics

# Columns that tell the rows of a table apart, by which they are compared with the official boards.
KEYS: dict[str, tuple[str, ...]] = {
    "strategies": ("bot",),
    "matchups": ("bot", "opponent"),
    "seats": ("seat",),
    "seats_by_bot": ("bot", "seat"),
    "score_parts": ("bot", "part"),
    "pace": ("measure",),
    "shape": (),
    "actions": ("action",),
    "oddities": ("kind",),
}
LISTS = ("ticket_value", "tickets", "routes", "connections", "cities", "shape_loads")
WHOLE_LIST = "*"
PLAYERS = "players"
LONG = 24  # letters of a cell that is more than a name
COUNTED = re.compile(r"; n counts [^.]*")  # part of a table's meaning that explains a column the page leaves out
NUMBER = re.compile(r"[+−<]?\d|–")  # how a cell of numbers begins
ENCODING = "utf-8-sig"  # without the mark at the start Excel takes the file for Latin-1
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
GIVEN: frozenset[Unit] = frozenset(("points", "number", "rounds"))  # units of numbers that may be given as whole
CODED = ("measure", "part", "kind", "action", "verdict", "holds")  # columns of our own codes
SHARES = {"decided", "hidden", "shared"}  # measures of whole games that stand in a column of numbers
HIDDEN = ("ticket", "route", "group", "city", "p", "plans", "run", "to", "field")  # in all tables
DETAILS = ("p_adjusted", "holds", "expected", "kept_win_gap")
ONLY_WHEN_VARIED = ("deck", "kind", "points", "copy")


@dataclass(frozen=True, slots=True)
class TableLook:
    """Layout of one table on the page. Its CSV file has all columns in the declared order."""

    ends: str = ""  # heading of the column that shows two ends as one
    leads: str = ""  # the column that orders the rows, largest first
    hidden: tuple[str, ...] = ()
    details: tuple[str, ...] = ()  # columns behind a switch
    first: tuple[str, ...] = ()  # columns that follow the name
    by_strength: tuple[str, ...] = ()  # columns of styles that order the rows, the strongest first


LOOKS = {
    "strategies": TableLook(leads="win_share"),
    "rewards": TableLook(leads="win_share", hidden=("bot",)),
    "matchups": TableLook(by_strength=("bot", "opponent")),
    "seats_by_bot": TableLook(by_strength=("bot",)),
    "tickets": TableLook("ticket", "completed", details=("n", "race_rounds")),
    "ticket_value": TableLook(
        *("ticket", "excess"), hidden=("kept_n", "kept_win_share", "p", "expected"), details=("n",), first=("verdict",)
    ),
    "ticket_value_by_bot": TableLook("ticket"),
    "routes": TableLook(
        *("route", "contention"), hidden=("copy", "n", "claimer_win_share", "denied_n", "got_points", "got_win")
    ),
    "connections": TableLook("connection", "contention", hidden=("n",)),
    "shape_loads": TableLook("connection", "load"),
    "cities": TableLook(leads="claims", hidden=("n",)),
}


@dataclass(frozen=True, slots=True)
class Heading:
    """A column. `shown` is "always", "all" (with all player counts) or "details"."""

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
    name: str
    title: str
    meaning: str
    headings: Sequence[Heading]
    rows: Sequence[PageRow]
    usual: Sequence[PageRow] = ()  # official ranges of lists
    missing: str = ""
    folded: str = ""  # names of the rows of zeros
    beside: tuple[str, ...] = ()  # tables that stand within this one

    @property
    def long_columns(self) -> list[int]:
        """Columns of sentences, which need room on a phone, unlike the first."""
        texts = [at for at, heading in enumerate(self.headings, 1) if not heading.numeric]
        return [at for at in texts[1:] if any(len(row.cells[at - 1].words) > LONG for row in self.rows)]


def plain_view(
    name: str, headings: Iterable[Heading | str], rows: Iterable[Sequence[PageCell | str]], **sides: str
) -> View:
    """Lay out a table without links, maps and official ranges. Its title and meaning are in words.toml."""
    laid_out = [PageRow([PageCell(cell) if isinstance(cell, str) else cell for cell in row]) for row in rows]
    shown = []
    for at, heading in enumerate(headings):
        numeric = all(NUMBER.match(row.cells[at].words) for row in laid_out)
        shown.append(Heading(heading, numeric=numeric) if isinstance(heading, str) else heading)
    words = WORDS["tables"][name]
    return View(name, words["title"], words["meaning"].format(**sides), shown, laid_out)


def row_anchor(table: str, label: int) -> str:
    return f"r-{table}-{label}"


def city_targets(ticket: Ticket) -> str:
    return " ".join(f"city-{city}" for city in (*ticket.a_cities, *ticket.b_cities))


class TableViews:
    """Lays out the tables of an analysis. `linked` rows get an anchor."""

    def __init__(self, analysis: Analysis, board: Statics, ranges: Ranges, linked: Collection[str] = ()) -> None:
        self.analysis, self.board, self.ranges, self.linked = analysis, board, ranges, linked
        self.lanes: dict[int, str] = {}  # elements of the maps, by group of parallel routes
        for number, route in enumerate(analysis.edition.routes):
            self.lanes[route.group] = f"{self.lanes.get(route.group, '')} route-{number}".lstrip()
        # Each lane of a double route has its own row, but designers ask for both together.
        self.all_lanes: dict[tuple[int, int], PageCell] = {}  # by player count and group
        connections = analysis.tables["connections"]
        for row in connections[connections["routes"] > 1].to_dict("records"):
            between = interval(row["claims_low"], row["claims_high"], "number")
            self.all_lanes[int(row[PLAYERS]), int(row["group"])] = PageCell(written(row["claims"], "number"), between)

    def view(self, name: str) -> View:
        table, look, frame = TABLES[name], LOOKS.get(name, TableLook()), self.analysis.tables[name]
        counts = sorted(int(count) for count in frame[PLAYERS].unique())
        columns, headings = shown_columns(table, look, frame), []
        for column in columns:
            words, meaning = WORDS["headings"].get(column.name, column.name.replace("_", " ")), column.meaning
            if column.name == "from":
                words, meaning = look.ends, "as its line in the file names its ends"
            shown = "details" if column.name in DETAILS + look.details else "always"
            shown = "all" if column.name == PLAYERS else shown
            unit, leads = HEADING_UNITS.get(column.unit, ""), column.name == look.leads
            headings.append(Heading(words, meaning, unit, column.unit in NUMERIC, leads, shown))
        lanes = self.all_lanes if name == "routes" else {}
        if lanes:
            meaning = "of all parallel routes between the two cities together"
            headings.append(Heading("all lanes", meaning, "claims per game", numeric=True))
        meaning = table.meaning if any(heading.words == "n" for heading in headings) else COUNTED.sub("", table.meaning)
        missing = self.analysis.missing.get(name, "" if len(frame) else "There is nothing to list.")
        folded = ""
        if name == "oddities":
            # Name the oddities that never happened, in place of rows of zeros.
            never, frame = frame[frame["games"] == 0], frame[frame["games"] > 0]
            times = never.groupby("kind", sort=False).size()
            unseen = [in_words("kind", kind) for kind in times[times == len(counts)].index]
            for row in never[never["kind"].map(times) < len(counts)].to_dict("records"):
                unseen.append(f"{in_words('kind', row['kind'])} (with {row[PLAYERS]} players)")
            folded = f"Never seen: {', '.join(unseen)}." if unseen else ""
        rows = []
        for label, record in self.ordered(frame, look):
            cells = [self.cell(name, column, record) for column in columns]
            if lanes:
                cells.append(lanes.get((record[PLAYERS], record["group"]), PageCell("")))
            anchor, players = row_anchor(name, label), record[PLAYERS] if len(counts) > 1 else None
            rows.append(PageRow(cells, players, anchor if anchor in self.linked else "", *self.on_map(look, record)))
        below = []
        # Tickets and routes of other boards have no counterpart here, so their range stands below the list.
        for count in counts if name in LISTS else ():
            spans = [self.usual(name, column, count, WHOLE_LIST, column.unit) for column in columns]
            if any(spans):
                cells = [*map(PageCell, spans), *([PageCell("")] if lanes else [])]
                below.append(PageRow(cells, count if len(counts) > 1 else None))
        beside = ("connections",) if lanes else ()
        return View(name, table.title, meaning, headings, rows, below, missing, folded, beside)

    def ordered(self, frame: pd.DataFrame, look: TableLook) -> Iterable[tuple[Any, dict[Any, Any]]]:
        """Rows by the leading column, or by the strength of their styles."""
        if look.leads:
            frame = ranked(frame, PLAYERS, look.leads, ascending=(True, False))
        elif look.by_strength:
            strongest = mean_order(self.analysis.tables["strategies"], "bot", "win_share")
            places = {bot: place for place, bot in enumerate(strongest)}
            by = [PLAYERS, *look.by_strength]
            frame = frame.sort_values(by, key=lambda c: c if c.name == PLAYERS else c.map(places), kind="stable")
        return zip(frame.index.tolist(), frame.to_dict("records"), strict=True)

    def on_map(self, look: TableLook, record: Mapping[Any, Any]) -> tuple[str, str]:
        """Elements of the maps for a row, and for a ticket's shortest way."""
        if look.ends == "ticket":
            shortest = sorted(self.board.ways[record["ticket"]].shortest)
            ticket = self.analysis.edition.tickets[record["ticket"]]
            return city_targets(ticket), " ".join(self.lanes[group] for group in shortest)
        if look.ends == "connection":
            return self.lanes.get(record["group"], ""), ""
        if look.ends == "route":
            return f"route-{record['route']}", ""
        return f"city-{record['city']}" if "city" in record else "", ""

    def cell(self, table: str, column: TableColumn, record: Mapping[Any, Any]) -> PageCell:
        name, value, key = column.name, record[column.name], key_of(table, record)
        unit: Unit = "share" if column.unit == "number" and record.get("measure") in SHARES else column.unit
        if column.interval:
            between = interval(record[column.names[1]], record[column.names[2]], unit)
            usual = "" if key == WHOLE_LIST else self.usual(table, column, record[PLAYERS], key, unit)
            # A number without its interval would look sure.
            return PageCell(written(value, unit), between, usual) if between else PageCell(MISSING)
        if name == PLAYERS:
            return PageCell("all" if value == ALL else str(value))
        if name == "seat":
            return PageCell(ordinal(value))
        if name == "from":
            return PageCell(ends(record))
        if column.unit == "text":
            return PageCell(in_words(name, value))
        return PageCell(exactly(value) if unit in GIVEN else written(value, unit))

    def usual(self, table: str, column: TableColumn, players: int, key: str, unit: Unit) -> str:
        # The points of a race are tickets, which compare with nothing.
        if not column.interval or (self.analysis.edition.is_race and is_points(table, key, column)):
            return ""
        span = self.ranges.of(table, players, key, column.name)
        return interval(*span, unit) if span else ""


def shown_columns(table: Table, look: TableLook, frame: pd.DataFrame) -> list[TableColumn]:
    """Leave out empty estimates and columns of equal values, and put the name first."""
    columns = []
    for column in table.columns:
        if column.name == PLAYERS or (column.name in ONLY_WHEN_VARIED and len(frame)):
            is_shown = bool(frame[column.name].nunique() > 1)
        else:
            is_shown = not (column.interval and frame[column.name].isna().all())
        if is_shown and column.name not in HIDDEN + look.hidden:
            columns.append(column)
    # The page keeps the first column in sight, so that is the name; the player count is seldom shown.
    first = [next(column.name for column in columns if column.name != PLAYERS), PLAYERS, *look.first]
    return sorted(columns, key=lambda column: first.index(column.name) if column.name in first else len(first))


def in_words(column: str, value: object) -> str:
    """Translate a code of ours. Names of editions and bots stay."""
    if column == "bot" and value == "":
        return "all styles"
    text = str(value)
    return WORDS["values"].get(text, text.replace("_", " ")) if column in CODED else text


def write_tables(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Write CSV files that a spreadsheet never takes for formulas."""

    def defused(cell: object) -> object:
        is_formula = isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA_STARTS)
        return f"'{cell}" if is_formula else cell

    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        texts = {str(column): table[column].map(defused) for column in table.select_dtypes(exclude=["number", "bool"])}
        look: dict[str, Any] = {"float_format": "%.6g", "quoting": csv.QUOTE_NONNUMERIC, "encoding": ENCODING}
        table.assign(**texts).to_csv(folder / f"{name}.csv", index=False, **look)


def key_of(table: str, row: Mapping[Any, Any]) -> str:
    """The key that a row is compared by, its own or that of the list."""
    return WHOLE_LIST if table in LISTS else "|".join(str(row[column]) for column in KEYS.get(table, ()))


def is_points(table: str, key: str, column: TableColumn) -> bool:
    """Check for numbers in points, which a race lacks: its scores are tickets."""
    return column.unit == "points" or (table, key) == ("pace", "margin")
