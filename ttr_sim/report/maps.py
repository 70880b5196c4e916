"""The maps of a report: the printed board and one map a number, as SVG for the page and PNG beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np

from ttr_sim.report.board.drawing import printed_board
from ttr_sim.report.board.layout import Layout
from ttr_sim.report.board.svg import svg_of
from ttr_sim.report.board.values import Scale, add_classes, borrow_cities, value_board
from ttr_sim.report.counts import ALL, main_count
from ttr_sim.report.inline import DPI
from ttr_sim.report.numbers import written
from ttr_sim.report.views import row_anchor

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.tables import Unit
    from ttr_sim.edition.model import Edition
    from ttr_sim.report.board.curves import Points

PRINTED = "board-"  # prefix of the ids in the printed board


@dataclass(frozen=True)
class Subject:
    """A number a route: its column of the table `routes`."""

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
        "Where seats get into each other's way",
        "Share of games in which the route was claimed while another seat with a published plan wanted it.",
    ),
    Subject(
        "denial",
        "denial",
        "share",
        "Where a plan is cut off",
        "Share of games in which the other seat that wanted the route was left without a parallel one.",
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
    """The board as printed: PNG on disk, SVG for the page."""
    figure = printed_board(edition, layout)
    if folder:
        figure.savefig(folder / "board.png", dpi=DPI)
    return svg_of(figure, PRINTED, {f"route-{n}": words for n, words in enumerate(route_names(edition))})


def draw_values(analysis: Analysis, layout: Layout, folder: Path | None) -> list[ValueMap]:
    """One map a subject that the runs can tell."""
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
    return ValueMap(subject, svg, written(scale.low, subject.unit), written(scale.high, subject.unit), anchors)


def _by_route(edition: Edition, rows: pd.DataFrame, column: str) -> Points:
    values = np.full(len(edition.routes), np.nan)
    values[rows["route"].to_numpy(int)] = rows[column].to_numpy(float)
    return values


def _mean(columns: list[Points]) -> Points:
    """The plain mean over the player counts that can be told."""
    stacked = np.stack(columns)
    known = ~np.isnan(stacked)
    total = np.where(known, stacked, 0.0).sum(axis=0)
    mean: Points = np.where(known.any(axis=0), total / np.maximum(known.sum(axis=0), 1), np.nan)
    return mean


def _links(edition: Edition, routes: pd.DataFrame, players: int) -> list[str]:
    """Anchors of the rows that tell each route's numbers."""
    rows = routes[routes["players"] == players]
    labels = dict(zip(rows["route"], rows.index, strict=True))
    return ["#" + row_anchor("routes", labels[n]) if n in labels else "#routes" for n in range(len(edition.routes))]


def _titles(edition: Edition, values: dict[int, Points], subject: Subject) -> dict[str, str]:
    """What is shown when a route is pointed at: its number for each player count."""
    unit = "%" if subject.unit == "share" else subject.unit
    titles = {}
    for number, words in enumerate(route_names(edition)):
        told = [
            f"{players} players {written(column[number], subject.unit)}" for players, column in sorted(values.items())
        ]
        titles[f"route-{number}"] = f"{words}: {', '.join(told)} {unit}"
    return titles


def route_names(edition: Edition) -> list[str]:
    """`Atlanta–Miami, blue 5`, with its kind when that is not plain."""
    names = []
    for route in edition.routes:
        color = "gray" if route.color is None else edition.colors[route.color].name
        kind = "" if route.kind == "plain" else f" {route.kind}"
        names.append(f"{edition.cities[route.a].name}–{edition.cities[route.b].name}, {color} {route.length}{kind}")
    return names
