"""Tables for pages and spreadsheets: columns, words, and links to the maps."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.analysis import TABLES
from ttr_sim.analysis.official import Ranges
from ttr_sim.analysis.tables import Table, TableColumn, Unit
from ttr_sim.analysis.text import ends, ranked
from ttr_sim.report.charts.style import mean_order
from ttr_sim.report.numbers import ALL, HEADING_UNITS, MISSING, NUMERIC, WORDS, exactly, interval, ordinal, written
from ttr_sim.report.ranges import LISTS, WHOLE_LIST, is_points, key_of

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.edition.statics import Statics

PLAYERS = "players"
LONG = 24  # letters of a cell that is more than a name
COUNTED = re.compile(r"; n counts [^.]*")  # part of a table's meaning that explains a column the page leaves out
NUMBER = re.compile(r"[+−<]?\d|–")  # how a cell of numbers begins
ENCODING = "utf-8-sig"  # without the mark at the start Excel takes the file for Latin-1
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
GIVEN: frozenset[Unit] = frozenset(("points", "number", "rounds"))  # units of numbers that may be given as whole
CODED = ("measure", "part", "kind", "action", "verdict", "holds")  # columns of our own codes
SHARES = {"decided", "hidden", "shared"}  # measures of whole games that stand in a column of numbers


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
        *("ticket", "excess"),
        hidden=("kept_n", "kept_win_share", "p", "expected"),
        details=("n",),
        first=("verdict",),
    ),
    "ticket_value_by_bot": TableLook("ticket"),
    "routes": TableLook(
        *("route", "contention"),
        hidden=("copy", "n", "claimer_win_share", "denied_n", "got_points", "got_win"),
    ),
    "connections": TableLook("connection", "contention", hidden=("n",)),
    "shape_loads": TableLook("connection", "load"),
    "cities": TableLook(leads="claims", hidden=("n",)),
}
HIDDEN = ("ticket", "route", "group", "city", "p", "plans", "run", "to", "field")  # in all tables
DETAILS = ("p_adjusted", "holds", "expected", "kept_win_gap")
ONLY_WHEN_VARIED = ("deck", "kind", "points", "copy")


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
    """A table ready for the page."""

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
    name: str, title: str, meaning: str, headings: Iterable[Heading | str], rows: Iterable[Sequence[PageCell | str]]
) -> View:
    """Lay out a table without links, maps and official ranges."""
    laid_out = []
    for row in rows:
        laid_out.append(PageRow([PageCell(cell) if isinstance(cell, str) else cell for cell in row]))
    shown = []
    for at, heading in enumerate(headings):
        numeric = all(NUMBER.match(row.cells[at].words) for row in laid_out)
        shown.append(Heading(heading, numeric=numeric) if isinstance(heading, str) else heading)
    return View(name, title, meaning, shown, laid_out)


def row_anchor(table: str, label: int) -> str:
    """The id of a row by its label in the table."""
    return f"r-{table}-{label}"


class HoverTargets:
    """Elements of the maps that rows point at, such as `route-3 city-7`."""

    def __init__(self, board: Statics) -> None:
        self.tickets = board.edition.tickets
        self.lanes: dict[int, str] = {}  # by group of parallel routes
        for number, route in enumerate(board.edition.routes):
            self.lanes[route.group] = f"{self.lanes.get(route.group, '')} route-{number}".lstrip()
        self.ways = [" ".join(self.lanes[group] for group in sorted(ways.shortest)) for ways in board.ways]

    def of_row(self, table: str, record: Mapping[Any, Any]) -> tuple[str, str]:
        """Targets of a row, and the shortest ways of its ticket."""
        kind = LOOKS[table].ends if table in LOOKS else ""
        if kind == "ticket":
            ticket = self.tickets[int(record["ticket"])]
            cities = " ".join(f"city-{city}" for city in (*ticket.a_cities, *ticket.b_cities))
            return cities, self.ways[int(record["ticket"])]
        if kind == "connection":
            return self.lanes.get(int(record["group"]), ""), ""
        if kind == "route":
            return f"route-{record['route']}", ""
        return f"city-{record['city']}" if table == "cities" else "", ""


def view_of(
    name: str, analysis: Analysis, ranges: Ranges, linked: Collection[str], hover_targets: HoverTargets
) -> View:
    """Lay out a table of the analysis. `linked` rows get an anchor."""
    table, look, frame = TABLES[name], LOOKS.get(name, TableLook()), analysis.tables[name]
    is_race = analysis.edition.is_race
    counts = sorted(int(count) for count in frame[PLAYERS].unique())
    columns = _columns_shown(table, look, frame, counts)
    headings = [_heading(look, column) for column in columns]
    lanes = _claims_of_all_lanes(analysis) if name == "routes" else {}
    if lanes:
        meaning = "of all parallel routes between the two cities together"
        headings.append(Heading("all lanes", meaning, "claims per game", numeric=True))

    def usual(column: TableColumn, players: int, key: str, unit: Unit) -> str:
        # The points of a race are tickets, which compare with nothing.
        if not column.interval or (is_race and is_points(name, key, column)):
            return ""
        span = ranges.of(name, players, key, column.name)
        return interval(*span, unit) if span else ""

    rows, below = [], []
    ordered = _in_order(look, frame[frame["games"] > 0] if name == "oddities" else frame, analysis)
    for label, record in zip(ordered.index.tolist(), ordered.to_dict("records"), strict=True):
        cells, key, players = [], key_of(name, record), int(record[PLAYERS])
        for column in columns:
            unit: Unit = "share" if column.unit == "number" and record.get("measure") in SHARES else column.unit
            cells.append(_cell(column, record, unit, "" if key == WHOLE_LIST else usual(column, players, key, unit)))
        if lanes:
            # Each lane of a double route has its own row; designers ask for both together.
            cells.append(lanes.get((players, int(record["group"])), PageCell("")))
        anchor = row_anchor(name, label)
        targets, way = hover_targets.of_row(name, record)
        shown_with = players if len(counts) > 1 else None
        rows.append(PageRow(cells, shown_with, anchor if anchor in linked else "", targets, way))
    # Tickets and routes of other boards have no counterpart here, so their range stands below the list.
    for count in counts if name in LISTS else ():
        spans = [usual(column, count, WHOLE_LIST, column.unit) for column in columns]
        if any(spans):
            cells = [*map(PageCell, spans), *([PageCell("")] if lanes else [])]
            below.append(PageRow(cells, count if len(counts) > 1 else None))
    meaning = table.meaning if any(heading.words == "n" for heading in headings) else COUNTED.sub("", table.meaning)
    missing = analysis.missing.get(name, "" if len(frame) else "There is nothing to list.")
    folded = _never_seen(frame, len(counts)) if name == "oddities" else ""
    return View(name, table.title, meaning, headings, rows, below, missing, folded, ("connections",) if lanes else ())


def _columns_shown(table: Table, look: TableLook, frame: pd.DataFrame, counts: list[int]) -> list[TableColumn]:
    """Leave out empty estimates and columns of equal values, and put the name first."""
    columns = []
    for column in table.columns:
        if column.name == PLAYERS:
            is_shown = len(counts) > 1
        elif column.name in ONLY_WHEN_VARIED and len(frame):
            is_shown = bool(frame[column.name].nunique() > 1)
        else:
            is_shown = not (column.interval and frame[column.name].isna().all())
        if is_shown and column.name not in HIDDEN + look.hidden:
            columns.append(column)
    # The page keeps the first column in sight, so that is the name; the player count is seldom shown.
    first = [next(column.name for column in columns if column.name != PLAYERS), PLAYERS, *look.first]
    return sorted(columns, key=lambda column: first.index(column.name) if column.name in first else len(first))


def _heading(look: TableLook, column: TableColumn) -> Heading:
    name, unit, numeric = column.name, HEADING_UNITS.get(column.unit, ""), column.unit in NUMERIC
    if name == "from":
        return Heading(look.ends, "as its line in the file names its ends", unit, numeric)
    shown = "all" if name == PLAYERS else "details" if name in DETAILS + look.details else "always"
    words = WORDS["headings"].get(name, name.replace("_", " "))
    return Heading(words, column.meaning, unit, numeric, name == look.leads, shown)


def _in_order(look: TableLook, frame: pd.DataFrame, analysis: Analysis) -> pd.DataFrame:
    """Sort rows by the leading column, or by the strength of their styles."""
    if look.leads:
        return ranked(frame, PLAYERS, look.leads, ascending=(True, False))
    if look.by_strength:
        strongest = mean_order(analysis.tables["strategies"], "bot", "win_share")
        places = {bot: place for place, bot in enumerate(strongest)}
        by = [PLAYERS, *look.by_strength]
        return frame.sort_values(by, key=lambda c: c if c.name == PLAYERS else c.map(places), kind="stable")
    return frame


def _cell(column: TableColumn, record: Mapping[Any, Any], unit: Unit, usual: str) -> PageCell:
    name, value = column.name, record[column.name]
    if column.interval:
        between = interval(record[column.names[1]], record[column.names[2]], unit)
        # A number without its interval would look sure.
        return PageCell(written(value, unit), between, usual) if between else PageCell(MISSING)
    if name == PLAYERS:
        return PageCell("all" if value == ALL else str(value))
    if name == "seat":
        return PageCell(ordinal(value))
    if name == "from":
        return PageCell(ends(record))
    if column.unit == "text":
        words = in_words(name, value)
        return PageCell(words)
    return PageCell(exactly(value) if unit in GIVEN else written(value, unit))


def in_words(column: str, value: object) -> str:
    """Translate a code of ours. Names of editions and bots stay."""
    if column == "bot" and value == "":
        return "all styles"
    text = str(value)
    return WORDS["values"].get(text, text.replace("_", " ")) if column in CODED else text


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
    never = oddities[oddities["games"] == 0]
    times = never.groupby("kind", sort=False).size()
    words = [in_words("kind", kind) for kind in times[times == counts].index]
    for row in never.to_dict("records"):
        if times[row["kind"]] < counts:
            words.append(f"{in_words('kind', row['kind'])} (with {row[PLAYERS]} players)")
    return f"Never seen: {', '.join(words)}." if words else ""


def write_tables(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Write CSV files that a spreadsheet never takes for formulas."""

    def defused(cell: object) -> object:
        is_formula = isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA_STARTS)
        return f"'{cell}" if is_formula else cell

    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        safe = table.copy()
        for column in safe.columns:
            if safe[column].dtype.kind not in "biuf":
                safe[column] = safe[column].map(defused)
        path = folder / f"{name}.csv"
        safe.to_csv(path, index=False, float_format="%.6g", quoting=csv.QUOTE_NONNUMERIC, encoding=ENCODING)
