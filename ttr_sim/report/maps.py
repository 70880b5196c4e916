"""The maps of a page: the printed board, and one drawing that shows one number at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np

from ttr_sim.report.board.canvas import settings
from ttr_sim.report.board.drawing import printed_board, written_board
from ttr_sim.report.board.layout import Layout
from ttr_sim.report.board.svg import named_svg, svg_of
from ttr_sim.report.board.values import (
    STEPS,
    BandScale,
    add_classes,
    add_loads,
    load_width,
    step_class,
    step_rules,
    value_board,
    width,
)
from ttr_sim.report.map_titles import map_titles, route_names
from ttr_sim.report.numbers import ALL, HEADING_UNITS, exactly, main_count, players_words
from ttr_sim.report.pictures import Overlay, write_picture
from ttr_sim.report.switch import Mode, Step
from ttr_sim.report.views import row_anchor

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.tables import Unit
    from ttr_sim.edition.model import Edition
    from ttr_sim.edition.statics import Statics
    from ttr_sim.report.board.curves import Points

TRANSPARENT = "none"
PRINTED = "board-"  # prefix of the ids in the printed board
SHOWN = "map-"  # prefix of the ids in the drawing of numbers


@dataclass(frozen=True)
class Subject:
    """A number of each route, or of each city: its table and column."""

    name: str
    table: str
    column: str
    unit: Unit
    choice: str
    title: str
    caption: str


SUBJECTS = (
    Subject("claims", "routes", "claimed", "share", "claims", "How often each route is claimed", "Share of games."),
    Subject(
        "contention",
        "routes",
        "contention",
        "share",
        "fought over",
        "Where players fight over routes",
        "Share of games in which the route was claimed while another player, whose plan is known, wanted it.",
    ),
    Subject(
        "denial",
        "routes",
        "denial",
        "share",
        "locked out",
        "Where players are locked out",
        "Share of games in which the other player who wanted the route was left without a parallel one.",
    ),
    Subject("rounds", "routes", "round", "rounds", "when", "When routes are claimed", "Mean round of the claim."),
    Subject(
        "load",
        "cities",
        "claims",
        "number",
        "load",
        "Busy and quiet cities",
        "Claims per game of routes that end there.",
    ),
)
PAPER = Subject(
    "paper",
    "routes",
    "",
    "number",
    "load on paper",
    "What tickets ask for before anyone plays",
    "Tickets of a full table expected to want a connection of the empty board, per lane.",
)


@dataclass(frozen=True)
class ValueMap:
    """What the drawing shows of one subject, by player count; `legend` are the words and the ink of each band."""

    subject: Subject
    values: dict[int, Points]
    scale: BandScale
    legend: list[tuple[str, int]]

    def classes(self, number: int) -> str:
        """Return the classes of a route or city."""
        columns = self.values.items()
        name = self.subject.name
        return " ".join(
            step_class(name, players, self.scale.step(float(column[number]))) for players, column in columns
        )

    @property
    def mode(self) -> Mode:
        subject = self.subject
        legend = [Step(words, f"k{ink}", 3 + ink) for words, ink in self.legend]
        return Mode(subject.name, subject.choice, subject.title, subject.caption, legend)

    def rules(self, car: float) -> str:
        of_step = load_width if self.subject.name == "load" else width
        return step_rules(self.subject.name, self.values, [of_step(step, car) for step in range(STEPS)])


@dataclass(frozen=True)
class Maps:
    """The drawing, what it can show, its style sheet, and the anchors of the rows that its routes lead to."""

    svg: ET.Element
    modes: list[Mode]
    rules: str
    links: frozenset[str]


def draw_printed(edition: Edition, layout: Layout, folder: Path | None) -> ET.Element:
    """Draw the board as printed: PNG on disk, SVG for the page."""
    if folder:
        write_picture(printed_board(edition, layout), folder / "board.png")
    titles = {f"route-{n}": words for n, words in enumerate(route_names(edition))}
    return named_svg(ET.fromstring(written_board(edition)), PRINTED, titles)


def draw_values(analysis: Analysis, board: Statics, layout: Layout, subjects: Sequence[ValueMap]) -> Maps | None:
    """Draw the map of numbers; None when the runs show nothing of routes."""
    if not subjects:
        return None
    edition, first = analysis.edition, subjects[0]
    count = main_count([players for players in first.values if players != ALL])
    links = _links(edition, analysis.tables["routes"], count)
    drawing = value_board(layout)
    drawing.draw_routes(first.values[count], first.scale, links)
    drawing.draw_cities(edition)
    svg = svg_of(drawing.figure, SHOWN, dict(map_titles(analysis, board)))
    of_routes = [shown for shown in subjects if shown.subject.table == "routes"]
    add_classes(svg, [" ".join(shown.classes(n) for shown in of_routes) for n in range(len(edition.routes))])
    of_cities = [shown for shown in subjects if shown.subject.table == "cities"]
    add_loads(svg, layout, [" ".join(shown.classes(n) for shown in of_cities) for n in range(len(edition.cities))])
    rules = "\n".join(shown.rules(layout.sizes.car) for shown in subjects)
    return Maps(svg, [shown.mode for shown in subjects], rules, frozenset(link.removeprefix("#") for link in links))


def value_maps(analysis: Analysis, board: Statics) -> list[ValueMap]:
    """Return what the games show, and beside it what the board shows on paper."""
    played = [_value_map(analysis, subject) for subject in SUBJECTS if _is_shown(analysis, subject)]
    return [*played, _paper_map(board, list(played[0].values))] if played else []


def _is_shown(analysis: Analysis, subject: Subject) -> bool:
    table = analysis.tables[subject.table]
    return bool(len(table) and table[subject.column].notna().any())


def _value_map(analysis: Analysis, subject: Subject) -> ValueMap:
    table = analysis.tables[subject.table]
    key, size = ("route", len(analysis.edition.routes))
    if subject.table == "cities":
        key, size = ("city", len(analysis.edition.cities))
    counts = sorted(int(count) for count in table["players"].unique() if count != ALL)
    values = {n: _by_number(table[table["players"] == n], key, subject.column, size) for n in counts}
    scale = BandScale.over(values, None if subject.unit == "rounds" else 0.0)
    shown = values | ({} if len(counts) == 1 else {ALL: _mean(list(values.values()))})
    return ValueMap(subject, shown, scale, _legend(scale, subject.unit))


def _paper_map(board: Statics, counts: list[int]) -> ValueMap:
    """Return the load on paper: the same at all player counts, as it is that of a full table."""
    loads = np.array([board.loads[board.connection_of(n)].per_lane for n in range(len(board.edition.routes))])
    values = dict.fromkeys(counts, loads)
    scale = BandScale.over(values, 0.0)
    return ValueMap(PAPER, values, scale, _legend(scale, PAPER.unit))


def _legend(scale: BandScale, unit: Unit) -> list[tuple[str, int]]:
    """Return the words of each band with its ink, the unit with the last."""
    factor = 100 if unit == "share" else 1
    edges = [exactly(round(edge * factor, 6)) for edge in scale.edges()]
    bands = [(f"{low}–{high}", scale.ink(band)) for band, (low, high) in enumerate(pairwise(edges))]
    (words, ink) = bands[-1]
    return [*bands[:-1], (f"{words} {HEADING_UNITS.get(unit, '')}".strip(), ink)]


@dataclass(frozen=True)
class Sheet:
    """What all pictures of maps begin with: the title of their edition, where things stand, and names that lie upon
    all that is painted."""

    title: str
    layout: Layout
    names: Overlay


def blank_sheet(edition: Edition, layout: Layout) -> Sheet:
    """Draw what all pictures share once."""
    with settings():
        drawing = value_board(layout, TRANSPARENT)
        drawing.draw_cities(edition)
        return Sheet(edition.title, layout, Overlay.of(drawing.figure))


def write_pictures(blank: Sheet, shown: ValueMap, folder: Path) -> None:
    """Write the map of a number as a PNG for each player count."""
    with settings():
        drawing = value_board(blank.layout)
        for suffix, table, values in _pictured(shown):
            drawing.wipe()
            if shown.subject.table == "cities":
                drawing.paint_loads(values, shown.scale)
            else:
                drawing.paint_routes(values, shown.scale)
            title = f"{blank.title}, {table}: {shown.subject.title}"
            bands = f"{shown.legend[0][0]} (thin, light) to {shown.legend[-1][0]} (thick, dark)"
            path = folder / f"map-{shown.subject.name}{suffix}.png"
            write_picture(drawing.figure, path, title, bands, blank.names)


def _pictured(shown: ValueMap) -> Iterator[tuple[str, str, Points]]:
    """Yield the end of a picture's name, who plays there and what it shows; on paper that is one picture for all."""
    if shown.subject == PAPER:
        yield "", "a full table", next(iter(shown.values.values()))
        return
    for players, values in shown.values.items():
        if players != ALL:
            yield f"-{players}p", players_words(players), values


def _by_number(rows: pd.DataFrame, key: str, column: str, size: int) -> Points:
    values = np.full(size, np.nan)
    values[rows[key].to_numpy(int)] = rows[column].to_numpy(float)
    return values


def _mean(columns: list[Points]) -> Points:
    """Return the plain mean over the player counts that have an estimate."""
    stacked = np.stack(columns)
    known = ~np.isnan(stacked)
    total = np.where(known, stacked, 0.0).sum(axis=0)
    mean: Points = np.where(known.any(axis=0), total / np.maximum(known.sum(axis=0), 1), np.nan)
    return mean


def _links(edition: Edition, routes: pd.DataFrame, players: int) -> list[str]:
    """Return the anchors of the rows where each route's numbers stand."""
    rows = routes[routes["players"] == players]
    labels = dict(zip(rows["route"], rows.index, strict=True))
    return ["#" + row_anchor("routes", labels[n]) if n in labels else "#routes" for n in range(len(edition.routes))]
