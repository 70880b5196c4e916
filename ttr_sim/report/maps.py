"""The maps of a page: the printed board, one map per number, and what moved between two runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib.figure import Figure

from ttr_sim.analysis.compare.layout import ROUTES
from ttr_sim.analysis.words import ends
from ttr_sim.edition.canonical import Key, color_name, route_keys
from ttr_sim.report.board.canvas import Group, blank
from ttr_sim.report.board.colors import PAPER, SOFT_INK
from ttr_sim.report.board.drawing import add, cities, printed_board
from ttr_sim.report.board.layout import Layout
from ttr_sim.report.board.pieces import lane_line
from ttr_sim.report.board.svg import svg_of
from ttr_sim.report.board.values import Scale, add_classes, borrow_cities, value_board
from ttr_sim.report.charts.style import SERIES
from ttr_sim.report.inline import DPI
from ttr_sim.report.numbers import (
    ALL,
    HEADING_UNITS,
    interval,
    main_count,
    players_words,
    with_unit,
    written,
)
from ttr_sim.report.views import row_anchor

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.tables import Unit
    from ttr_sim.edition.model import Edition
    from ttr_sim.report.board.curves import Points

PRINTED = "board-"  # prefix of the ids in the printed board
MORE, LESS = SERIES[0], SERIES[1]
LESS_DASHES = (0, (2.2, 1.0))
THINNEST, UNSURE_WIDTH = 2.2, 0.6
CLAIMED = ROUTES.numbers[0]
NEW_WIDTH, NEW_DASHES = 1.6, (0, (1, 2))


@dataclass(frozen=True)
class Subject:
    """A number of each route: its column of the table `routes`."""

    name: str
    column: str
    unit: Unit
    title: str
    caption: str


SUBJECTS = (
    Subject("claims", "claimed", "share", "How often each route is claimed", "Share of games."),
    Subject(
        "contention",
        "contention",
        "share",
        "Where players fight over routes",
        "Share of games in which the route was claimed while another player, whose plan is known, wanted it.",
    ),
    Subject(
        "denial",
        "denial",
        "share",
        "Where players are locked out",
        "Share of games in which another player who wanted the route was left without a parallel one.",
    ),
    Subject("rounds", "round", "rounds", "When routes are claimed", "Mean round of the claim."),
)


@dataclass(frozen=True)
class ValueMap:
    """`low` and `high` are the ends of its scale, as written."""

    subject: Subject
    svg: ET.Element
    low: str
    high: str
    links: frozenset[str]


def draw_printed(edition: Edition, layout: Layout, folder: Path | None) -> ET.Element:
    """Draw the board as printed: PNG on disk, SVG for the page."""
    figure = printed_board(edition, layout)
    if folder:
        figure.savefig(folder / "board.png", dpi=DPI)
    return svg_of(figure, PRINTED, {f"route-{n}": words for n, words in enumerate(route_names(edition))})


def draw_values(analysis: Analysis, layout: Layout, folder: Path | None) -> list[ValueMap]:
    """Draw one map per subject that the runs show."""
    routes = analysis.tables["routes"]
    return [
        _value_map(analysis, layout, subject, folder)
        for subject in SUBJECTS
        if len(routes) and routes[subject.column].notna().any()
    ]


def _value_map(analysis: Analysis, layout: Layout, subject: Subject, folder: Path | None) -> ValueMap:
    edition, routes = analysis.edition, analysis.tables["routes"]
    counts = sorted(int(count) for count in routes["players"].unique() if count != ALL)
    values = {n: _by_route(edition, routes[routes["players"] == n], subject.column) for n in counts}
    first = main_count(counts)
    shown = values | ({} if len(counts) == 1 else {ALL: _mean(list(values.values()))})
    scale = Scale.over(values, 0.0 if subject.unit == "share" else None)
    links = _links(edition, routes, first)
    board = value_board(edition, layout, values[first], scale, links)
    if folder:
        board.figure.savefig(folder / f"map-{subject.name}-{first}p.png", dpi=DPI)
    board.cities.set_visible(False)
    svg = svg_of(board.figure, f"{subject.name}-", _titles(edition, values, subject))
    add_classes(svg, shown, scale)
    borrow_cities(svg, f"{PRINTED}cities")
    anchors = frozenset(link.removeprefix("#") for link in links)
    return ValueMap(subject, svg, written(scale.low, subject.unit), with_unit(scale.high, subject.unit), anchors)


def _by_route(edition: Edition, rows: pd.DataFrame, column: str) -> Points:
    values = np.full(len(edition.routes), np.nan)
    values[rows["route"].to_numpy(int)] = rows[column].to_numpy(float)
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


def _titles(edition: Edition, values: dict[int, Points], subject: Subject) -> dict[str, str]:
    """Return what is shown when a route is pointed at: its number for each player count."""
    titles = {}
    for number, words in enumerate(route_names(edition)):
        shares = [
            f"{players_words(players)} {written(column[number], subject.unit)}"
            for players, column in sorted(values.items())
        ]
        titles[f"route-{number}"] = f"{words}: {', '.join(shares)} {HEADING_UNITS[subject.unit]}"
    return titles


def route_names(edition: Edition) -> list[str]:
    """Write `Atlanta–Miami, blue 5`, with its kind when that is not plain."""
    names = []
    for route in edition.routes:
        kind = "" if route.kind == "plain" else f" {route.kind}"
        words = ends({"from": edition.cities[route.a].name, "to": edition.cities[route.b].name})
        names.append(f"{words}, {color_name(edition, route)} {route.length}{kind}")
    return names


def by_route(edition: Edition, routes: pd.DataFrame) -> dict[int, int]:
    """Return where each route of the edition stands in the comparison's list; a new one does not."""
    lines = {key: line for line, key in enumerate(_keys(routes, "color"))}
    return {number: lines[key] for number, key in enumerate(route_keys(edition)) if key in lines}


def _keys(table: pd.DataFrame, kind: str) -> Iterator[Key]:
    """Yield what each line of a list is known by in both editions, whichever end the file names first."""
    for one, other, which, copy in table[["from", "to", kind, "copy"]].itertuples(index=False, name=None):
        yield min(one, other), max(one, other), which, copy


def change_map(edition: Edition, layout: Layout, routes: pd.DataFrame) -> Figure:
    """Draw B's board: blue and solid where routes are surely claimed more than in A, orange and dashed where less."""
    figure, axes = blank(layout.canvas.width, layout.canvas.height, PAPER)
    lines = by_route(edition, routes)
    gaps: Points = routes["difference"].where(routes[CLAIMED.notable].fillna(False).astype(bool)).to_numpy(float)
    most = max(float(np.nanmax(np.abs(gaps), initial=0.0)), 1e-9)
    for number, lane in enumerate(layout.lanes):
        gap = gaps[lines[number]] if number in lines else np.nan
        if number not in lines:
            line = lane_line(axes, lane, NEW_WIDTH, color=SOFT_INK, linestyle=NEW_DASHES)
        elif np.isnan(gap):
            line = lane_line(axes, lane, UNSURE_WIDTH, color=SOFT_INK)
        else:
            width = THINNEST + (layout.sizes.car - THINNEST) * abs(gap) / most
            look = {"color": MORE, "solid_capstyle": "round"} if gap >= 0 else {"color": LESS, "linestyle": LESS_DASHES}
            line = lane_line(axes, lane, width, **look)
        add(axes, Group(f"route-{number}", [line]))
    add(axes, cities(axes, edition, layout))
    return figure


def change_titles(edition: Edition, routes: pd.DataFrame) -> dict[str, str]:
    """Return what is shown when a route is pointed at."""
    lines = by_route(edition, routes)
    return {
        f"route-{number}": f"{words}: {_change_words(routes, lines.get(number))}"
        for number, words in enumerate(route_names(edition))
    }


def _change_words(routes: pd.DataFrame, line: int | None) -> str:
    if line is None:
        return "not in both"
    row = routes.iloc[line]
    a, b, gap = written(row["a"], "share"), written(row["b"], "share"), written(row["difference"], "change")
    return f"claimed in {b} % of the games instead of {a} % ({gap}; {interval(row['low'], row['high'], 'change')})"


def route_targets(edition: Edition, routes: pd.DataFrame) -> list[str]:
    """Return for each row of the list the route on the map."""
    numbers = {line: number for number, line in by_route(edition, routes).items()}
    return [f"route-{numbers[line]}" for line in range(len(routes))]


def ticket_targets(edition: Edition, keys: Sequence[Key], tickets: pd.DataFrame) -> list[str]:
    """Return for each row of the list its ends on the map."""
    ends = {
        key: " ".join(f"city-{city}" for city in (*ticket.a_cities, *ticket.b_cities))
        for key, ticket in zip(keys, edition.tickets, strict=True)
    }
    return [ends.get(key, "") for key in _keys(tickets, "deck")]
