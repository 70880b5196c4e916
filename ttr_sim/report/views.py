"""Tables as a page shows them: cells of text, and what each row points at on the maps."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.ranking import ranked
from ttr_sim.analysis.tables import TABLES, Table, TableColumn, Unit
from ttr_sim.analysis.words import ends
from ttr_sim.report.charts.style import mean_order
from ttr_sim.report.columns import (
    BY_STRENGTH,
    FIRST,
    GIVEN,
    HEADINGS,
    ONLY_WHEN_VARIED,
    PAIRS,
    SORTED_BY,
    in_words,
    is_detail,
    is_left_out,
    unit_of,
)
from ttr_sim.report.numbers import ALL, HEADING_UNITS, MISSING, NUMERIC, exactly, interval, ordinal, written
from ttr_sim.report.ranges import LISTS, WHOLE_LIST, Ranges, is_points, key_of
from ttr_sim.report.targets import HoverTargets

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis

PLAYERS = "players"
COUNTED = re.compile(r"; n counts [^.]*")  # what is said of a column that the page leaves out
LONG = 24  # letters of a cell that is more than a name


@dataclass(frozen=True, slots=True)
class Heading:
    """`shown` says when its column is: always, with "all" player counts, or with details."""

    words: str
    unit: str
    meaning: str
    numeric: bool
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
    """`anchor` is its id when something links to it; `players` its count, None when there is but one. `way` are the
    routes of a ticket's shortest way; `minor` rows are behind a switch."""

    anchor: str
    players: int | None
    targets: str
    cells: list[PageCell]
    way: str = ""
    minor: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A table ready for the page. `usual` holds, for lists, rows of official ranges; `folded` names rows of zeros,
    `beside` tables that stand in it."""

    name: str
    title: str
    meaning: str
    headings: list[Heading]
    rows: list[PageRow]
    usual: list[PageRow]
    missing: str
    folded: str = ""
    beside: tuple[str, ...] = ()

    @property
    def has_all(self) -> bool:
        """Return whether it has rows for all player counts together; if not, all its rows are shown with `all`."""
        return any(row.players == ALL for row in self.rows)

    @property
    def text_columns(self) -> list[int]:
        return [column for column, heading in enumerate(self.headings, 1) if not heading.numeric]

    @property
    def long_columns(self) -> list[int]:
        """Return columns of sentences but the first, which a phone would break into a word a line."""
        return [at for at in self.text_columns[1:] if any(len(row.cells[at - 1].words) > LONG for row in self.rows)]

    @property
    def minor(self) -> int:
        return sum(row.minor for row in self.rows)

    def columns_shown(self, when: str) -> list[int]:
        return [column for column, heading in enumerate(self.headings, 1) if heading.shown == when]


TOGETHER = Heading(
    "all lanes", "claims per game", "of all parallel routes between the two cities together", numeric=True
)


def row_anchor(table: str, label: int) -> str:
    """Return the id of a row by its label in the table."""
    return f"r-{table}-{label}"


def route_of_connection(analysis: Analysis, row: int) -> int | None:
    """Return the row of the routes in which a connection's numbers stand: its first lane's, at the same count."""
    connection, routes = analysis.tables["connections"].loc[row], analysis.tables["routes"]
    lanes = routes[(routes["players"] == connection["players"]) & (routes["group"] == connection["group"])]
    return int(str(lanes.index[0])) if len(lanes) else None


def views_of(
    analysis: Analysis, names: Iterable[str], ranges: Ranges, linked: Collection[str], targets: HoverTargets
) -> dict[str, View]:
    """Return tables by name; `linked` are the anchors of rows that something links to."""
    return {name: _view(_Maker(TABLES[name], analysis, ranges, linked, targets), analysis) for name in names}


def _view(maker: _Maker, analysis: Analysis) -> View:
    table = maker.table
    headings, meaning = maker.headings(), table.meaning
    if not any(heading.words == "n" for heading in headings):
        meaning = COUNTED.sub("", meaning)
    missing = analysis.missing.get(table.name, "" if len(maker.frame) else "There is nothing to list.")
    rows, usual = maker.rows(), maker.usual_rows()
    beside = ("connections",) if maker.together else ()
    return View(table.name, table.title, meaning, headings, rows, usual, missing, maker.folded(), beside)


def _places_by_strength(analysis: Analysis) -> dict[str, int]:
    """Return the place of each style, the strongest first."""
    return {bot: place for place, bot in enumerate(mean_order(analysis.tables["strategies"], "bot", "win_share"))}


def _together(analysis: Analysis) -> dict[tuple[int, int], PageCell]:
    """Return the claims of all lanes together, by player count and group, where there are several."""
    lanes = analysis.tables["connections"]
    return {
        (int(row["players"]), int(row["group"])): PageCell(
            written(row["claims"], "number"), interval(row["claims_low"], row["claims_high"], "number")
        )
        for row in lanes[lanes["routes"] > 1].to_dict("records")
    }


class _Maker:
    """Makes the rows of one table."""

    def __init__(
        self, table: Table, analysis: Analysis, ranges: Ranges, linked: Collection[str], targets: HoverTargets
    ) -> None:
        self.table, self.frame, self.ranges, self.linked = table, analysis.tables[table.name], ranges, linked
        self.targets = targets
        self.is_race = analysis.edition.is_race
        self.counts = sorted(int(count) for count in self.frame[PLAYERS].unique())
        self.columns = self._in_order(list(filter(self._is_shown, table.columns)))
        self.together = _together(analysis) if table.name == "routes" else {}
        self.leading = SORTED_BY.get(table.name, "")
        self.strength = _places_by_strength(analysis) if table.name in BY_STRENGTH else {}

    def _is_shown(self, column: TableColumn) -> bool:
        """Leave out estimates that no row has, and what is the same in all rows."""
        if is_left_out(self.table.name, column.name):
            return False
        if column.name == PLAYERS:
            return len(self.counts) > 1
        if column.name in ONLY_WHEN_VARIED and len(self.frame):
            return bool(self.frame[column.name].nunique() > 1)
        return not (column.interval and self.frame[column.name].isna().all())

    def _in_order(self, columns: list[TableColumn]) -> list[TableColumn]:
        """Put the name first, where the page keeps it in sight, then the player count, which is seldom shown."""
        name = next(column.name for column in columns if column.name != PLAYERS)
        first = [name, PLAYERS, *FIRST.get(self.table.name, ())]
        return sorted(columns, key=lambda column: first.index(column.name) if column.name in first else len(first))

    def headings(self) -> list[Heading]:
        return [*map(self._heading, self.columns), *([TOGETHER] if self.together else [])]

    def _heading(self, column: TableColumn) -> Heading:
        name = self.table.name
        words = HEADINGS.get(column.name, column.name.replace("_", " "))
        if column.name == "from":
            words = PAIRS[name]
        shown = "all" if column.name == PLAYERS else "details" if is_detail(name, column.name) else "always"
        meaning = "as its line in the file names its ends" if column.name == "from" else column.meaning
        unit, numeric = HEADING_UNITS.get(column.unit, ""), column.unit in NUMERIC
        return Heading(words, unit, meaning, numeric, column.name == self.leading, shown)

    def rows(self) -> list[PageRow]:
        frame = self.frame[~self._is_nothing()]
        if self.leading:
            frame = ranked(frame, PLAYERS, self.leading, ascending=(True, False))
        if self.strength:
            frame = frame.sort_values([PLAYERS, *BY_STRENGTH[self.table.name]], key=self._by_place, kind="stable")
        return [self._row(*pair) for pair in zip(frame.index.tolist(), frame.to_dict("records"), strict=True)]

    def _by_place(self, column: pd.Series) -> pd.Series:
        return column if column.name == PLAYERS else column.map(self.strength)

    def _is_nothing(self) -> Any:
        """Return which rows say that something never happened."""
        return self.frame["games"] == 0 if self.table.name == "oddities" else self.frame[PLAYERS] < 0

    def folded(self) -> str:
        """Write which oddities never happened, in a sentence in place of rows of zeros."""
        if self.table.name != "oddities":
            return ""
        never = self.frame[self._is_nothing()]
        kinds = [kind for kind, rows in never.groupby("kind", sort=False) if len(rows) == len(self.counts)]
        partly = [row for row in never.to_dict("records") if row["kind"] not in kinds]
        words = [in_words("kind", kind) for kind in kinds]
        words += [f"{in_words('kind', row['kind'])} (with {row[PLAYERS]} players)" for row in partly]
        return f"Never seen: {', '.join(words)}." if words else ""

    def _row(self, label: int, record: Mapping[Any, Any]) -> PageRow:
        players, key = int(record[PLAYERS]), key_of(self.table.name, record)
        cells = [self._cell(column, record, players, key) for column in self.columns]
        if self.together:
            cells.append(self.together.get((players, int(record["group"])), PageCell("")))
        anchor = row_anchor(self.table.name, label)
        shown = players if len(self.counts) > 1 else None
        name = self.table.name
        return PageRow(
            anchor if anchor in self.linked else "",
            shown,
            self.targets.of_row(name, record),
            cells,
            self.targets.way(name, record),
        )

    def _cell(self, column: TableColumn, record: Mapping[Any, Any], players: int, key: str) -> PageCell:
        value = record[column.name]
        if not column.interval:
            return PageCell(self._given(column, record))
        unit = unit_of(column, record)
        between = interval(record[column.names[1]], record[column.names[2]], unit)
        if not between:  # no number without its interval
            return PageCell(MISSING)
        usual = "" if key == WHOLE_LIST else self._usual(column, players, key, unit)
        return PageCell(written(value, unit), between, usual)

    def _given(self, column: TableColumn, record: Mapping[Any, Any]) -> str:
        """Write what is no estimate."""
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
        unit = unit_of(column, record)
        return exactly(value) if unit in GIVEN else written(value, unit)

    def _usual(self, column: TableColumn, players: int, key: str, unit: Unit) -> str:
        if not column.interval or (self.is_race and is_points(self.table.name, key, column)):
            return ""
        span = self.ranges.of(self.table.name, players, key, column.name)
        return interval(span[0], span[1], unit) if span else ""

    def usual_rows(self) -> list[PageRow]:
        """Return, for lists, where nine in ten rows of the official editions lie."""
        return list(self._usual_rows()) if self.table.name in LISTS else []

    def _usual_rows(self) -> Iterator[PageRow]:
        for players in self.counts:
            cells = [PageCell(self._usual(column, players, WHOLE_LIST, column.unit)) for column in self.columns]
            cells += [PageCell("")] if self.together else []
            if any(cell.words for cell in cells):
                yield PageRow("", players if len(self.counts) > 1 else None, "", cells)
