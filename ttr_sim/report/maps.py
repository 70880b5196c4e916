"""Maps: a drawing of the board that shows one number at a time.

Each route bears a class per subject and player count (`claims4-7` is step 7 of the claims with 4 players), so that one
drawing serves all of them and both color schemes: a style sheet gives the steps their widths and colors, and the
reader's choice of subject and player count says which rules apply. No script is needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.text import ends
from ttr_sim.edition.canonical import color_name
from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics import Statics
from ttr_sim.report.board.drawing import line_board
from ttr_sim.report.board.layout import Layout
from ttr_sim.report.board.routing import Points
from ttr_sim.report.figures import GROUP, PAGE_COLORS, PATH, svg_of, write_picture
from ttr_sim.report.numbers import ALL, HEADING_UNITS, WORDS, exactly, is_missing, main_count, players_words, written
from ttr_sim.report.tables import row_anchor

STEPS = 12  # colors from the lowest to the highest
MOST_BANDS = 7
ROUND_SIZES = (1.0, 2.0, 2.5, 5.0, 10.0)
THINNEST = 1.8
LOADS = 3.2  # width of the fullest city's disc, of a car's width
MOST_TICKETS = 6  # named for a route
ROUTE_TIPS: tuple[tuple[str, str, Unit], ...] = (
    ("claimed {} %", "claimed", "share"),
    ("fought over {} %", "contention", "share"),
    ("locked out {} %", "denial", "share"),
    ("in round {}", "round", "rounds"),
    ("who takes it wins {} %", "claimer_win_share", "share"),
)
PAPER = "paper"
# Anchor, table, column, unit, choice and title of each number that can be shown.
SUBJECTS: tuple[tuple[str, str, str, Unit, str, str], ...] = (
    ("claims", "routes", "claimed", "share", "claims", "How often each route is claimed"),
    ("contention", "routes", "contention", "share", "fought over", "Where players fight over routes"),
    ("denial", "routes", "denial", "share", "locked out", "Where players are locked out"),
    ("rounds", "routes", "round", "rounds", "when", "When routes are claimed"),
    ("load", "cities", "claims", "number", "load", "Busy and quiet cities"),
    (PAPER, "routes", "", "number", "load on paper", "What tickets ask for before anyone plays"),
)
# The ramps go by lightness first, which every eye sees.
ON_LIGHT, ON_DARK = (
    [to_hex(colormaps[name](0.3 + 0.7 * step / (STEPS - 1))) for step in range(STEPS)]
    for name in ("YlGnBu", "YlGnBu_r")
)
# Names of the page's style sheet, with their colors on light ground.
INKS = {name: color for color, name in PAGE_COLORS.items()} | {f"k{n}": color for n, color in enumerate(ON_LIGHT)}


@dataclass(frozen=True)
class LineStyle:
    """Color by its name in the style sheet, width, and dashes in points."""

    ink: str
    width: float
    dashes: tuple[float, ...] = ()

    @property
    def css(self) -> str:
        dashes = f";stroke-dasharray:{' '.join(map(str, self.dashes))};stroke-linecap:butt" if self.dashes else ""
        return f"stroke:var(--{self.ink});stroke-width:{self.width:.1f}{dashes}"

    def paint(self, line: Line2D) -> None:
        # Matplotlib counts dashes in widths of the line.
        dashes = (0, tuple(dash / self.width for dash in self.dashes)) if self.dashes else "-"
        line.set(color=INKS[self.ink], linewidth=self.width, linestyle=dashes, solid_capstyle="round")


UNKNOWN = LineStyle("soft", 1.2, (2, 3))


@dataclass(frozen=True)
class BandScale:
    """Bands of a round size that cover all values, each with its step of the ramp."""

    low: float
    size: float
    bands: int

    @classmethod
    def over(cls, values: Points, low: float | None = None, most: int = MOST_BANDS) -> BandScale:
        known = values[~np.isnan(values)]
        if not len(known):
            return cls(0.0, 1.0, 1)
        least, highest = float(known.min()) if low is None else low, float(known.max())
        size = 1.0  # the smallest round one that needs no more than `most` bands
        if highest > least:
            needed = (highest - least) / most
            unit = 10.0 ** math.floor(math.log10(needed))
            size = next(unit * factor for factor in ROUND_SIZES if unit * factor >= needed * (1 - 1e-9))
        start = math.floor(least / size) * size
        return cls(start, size, max(1, math.ceil(round((highest - start) / size, 6))))

    def band(self, value: float) -> int:
        return min(max(int((value - self.low) / self.size), 0), self.bands - 1)

    def step(self, value: float) -> int | None:
        return None if np.isnan(value) else self.steps[self.band(value)]

    @property
    def steps(self) -> list[int]:
        return [round(band * (STEPS - 1) / max(self.bands - 1, 1)) for band in range(self.bands)]

    @property
    def edges(self) -> list[float]:
        return [self.low + self.size * band for band in range(self.bands + 1)]

    def legend(self, unit: Unit) -> list[tuple[str, LineStyle]]:
        edges = [exactly(round(edge * (100 if unit == "share" else 1), 6)) for edge in self.edges]
        bands = [f"{low}–{high}" for low, high in pairwise(edges)]
        bands[-1] = f"{bands[-1]} {HEADING_UNITS.get(unit, '')}".strip()
        return [(words, LineStyle(f"k{step}", 3 + step)) for words, step in zip(bands, self.steps, strict=True)]

    def looks(self, widest: float) -> dict[str, LineStyle]:
        """Style of each step, and of things without an estimate."""
        steps = {str(step): LineStyle(f"k{step}", step_width(step, widest)) for step in self.steps}
        return {"None": UNKNOWN, **steps}


def step_width(step: int, widest: float) -> float:
    return THINNEST + (widest - THINNEST) * step / (STEPS - 1)


@dataclass(frozen=True)
class MapMode:
    """A choice of the number that a map shows.

    `steps` has the step of each route or city by player count, under "" where no count can be chosen.
    """

    name: str  # its anchor
    choice: str
    title: str
    caption: str
    legend: list[tuple[str, LineStyle]]
    looks: dict[str, LineStyle]  # of each step
    steps: dict[str, list[str]]
    of_cities: bool = False

    def classes(self, number: int) -> list[str]:
        return [f"{self.name}{players}-{steps[number]}" for players, steps in self.steps.items()]

    @property
    def rules(self) -> str:
        rules = []
        for players in self.steps:
            chosen = f"#p{players}:checked~* " if players else ""
            name = f"{chosen}#m-{self.name}:checked~figure .{self.name}{players}"
            rules += [f"{name}-{step}{{{look.css}}}" for step, look in self.looks.items()]
        return "\n".join(rules)

    def paint(self, lines: Sequence[Line2D], players: str) -> None:
        for line, step in zip(lines, self.steps[players], strict=True):
            self.looks[step].paint(line)


@dataclass(frozen=True)
class Maps:
    svg: ET.Element
    modes: list[MapMode]
    rules: str
    links: frozenset[str]  # anchors of the rows that its routes lead to


def draw_values(analysis: Analysis, board: Statics, layout: Layout, folder: Path | None) -> Maps | None:
    """Draw the numbers for the page, and as pictures into a folder."""
    edition, routes, modes = analysis.edition, analysis.tables["routes"], list[MapMode]()
    for name, table, column, unit, choice, title in SUBJECTS:
        rows = analysis.tables[table]
        rows, of_cities = rows[rows["players"] != ALL], table == "cities"
        key, size = ("city", len(edition.cities)) if of_cities else ("route", len(edition.routes))
        if name == PAPER:
            # That of a full table, so it is the same at all player counts.
            loads = [board.loads[route.group].per_lane for route in edition.routes]
            values = pd.DataFrame(dict.fromkeys(rows["players"].unique(), loads))
        elif rows[column].isna().all():
            continue
        else:
            values = rows.pivot(index=key, columns="players", values=column).reindex(range(size)).astype(float)
        # One scale for all player counts.
        scale = BandScale.over(values.to_numpy(), None if unit == "rounds" else 0.0)
        if len(values.columns) > 1:
            # A plain mean over the counts with an estimate: each count stands for itself.
            values[ALL] = values.mean(axis=1)
        looks = scale.looks(LOADS * layout.sizes.car if of_cities else layout.sizes.car)
        steps = {str(players): [str(scale.step(value)) for value in shares] for players, shares in values.items()}
        caption = WORDS["captions"][f"map-{name}"]
        modes.append(MapMode(name, choice, title, caption, scale.legend(unit), looks, steps, of_cities))
    if [mode.name for mode in modes] == [PAPER]:
        return None
    if folder:
        write_pictures(edition, layout, modes, folder)
    # A link leads to the row of the player count that is shown first.
    rows = routes[routes["players"] == main_count([int(count) for count in modes[0].steps if count != str(ALL)])]
    anchors = {route: row_anchor("routes", label) for route, label in zip(rows["route"], rows.index, strict=True)}
    links = [anchors.get(number, "routes") for number in range(len(edition.routes))]
    figure, _, _ = line_board(edition, layout, [f"#{link}" for link in links])
    svg = svg_of(figure, "map-", map_titles(analysis, board))
    put_on_routes(svg, [mode for mode in modes if not mode.of_cities])
    # A disc below each city is a line without length, whose width the style sheet sets.
    discs = ET.Element(GROUP, {"class": "loads"})
    for number, (x, y) in enumerate(layout.places):
        classes = [name for mode in modes if mode.of_cities for name in mode.classes(number)]
        ET.SubElement(discs, PATH, {"d": f"M{x:.1f} {y:.1f}h0", "class": " ".join(classes)})
    svg.insert(1, discs)
    return Maps(svg, modes, "\n".join(mode.rules for mode in modes), frozenset(links))


def write_pictures(edition: Edition, layout: Layout, modes: Sequence[MapMode], folder: Path) -> None:
    figure, axes, lines = line_board(edition, layout)  # drawn once, painted for each picture
    for mode in modes:
        note = f"{mode.legend[0][0]} (thin, light) to {mode.legend[-1][0]} (thick, dark)"
        on_paper = mode.name == PAPER
        counts = [count for count in mode.steps if count != str(ALL)]
        for players in counts[:1] if on_paper else counts:
            discs = None
            if mode.of_cities:
                for line in lines:
                    LineStyle("soft", UNKNOWN.width).paint(line)
                looks = [mode.looks[step] for step in mode.steps[players]]
                sizes = [0.0 if look is UNKNOWN else look.width**2 for look in looks]
                colors, (x, y) = [INKS[look.ink] for look in looks], layout.places.T
                discs = axes.scatter(x, y, sizes, colors, linewidths=0, zorder=-1)
            else:
                mode.paint(lines, players)
            table, name = ("a full table", "") if on_paper else (players_words(int(players)), f"-{players}p")
            title = f"{edition.title}, {table}: {mode.title}"
            write_picture(figure, folder / f"map-{mode.name}{name}.png", title, note)
            if discs:
                discs.remove()


def put_on_routes(svg: ET.Element, modes: Sequence[MapMode]) -> None:
    """Replace the width and color of each route by its classes."""
    for group in svg.iter(GROUP):
        kind, _, number = group.get("data-of", "").partition("-")
        if kind == "route":
            classes = " ".join(name for mode in modes for name in mode.classes(int(number)))
            for path in group.iter(PATH):
                path.attrib.pop("style", None)  # it would outweigh any class
                path.set("class", classes)


def map_titles(analysis: Analysis, board: Statics) -> dict[str, str]:
    edition, routes, cities = analysis.edition, analysis.tables["routes"], analysis.tables["cities"]
    titles = {}
    for number, name in enumerate(route_names(edition)):
        lines = [name]
        for row in routes[routes["route"] == number].to_dict("records"):
            known = [tip for tip in ROUTE_TIPS if not is_missing(row[tip[1]])]
            words = ", ".join(text.format(written(row[key], unit)) for text, key, unit in known)
            lines.append(f"{players_words(row['players'])}: {words}")
        tickets = [edition.tickets[row] for row, _ in board.tickets_wanting(number)]
        names = [f"{t.a}–{t.b}" if edition.is_race else f"{t.a}–{t.b} ({t.points})" for t in tickets]
        more = f" and {len(names) - MOST_TICKETS} more" if len(names) > MOST_TICKETS else ""
        lines.append(f"On the ways of {', '.join(names[:MOST_TICKETS])}{more}" if names else "On no ticket's way")
        titles[f"route-{number}"] = "\n".join(lines)
    for number, city in enumerate(edition.cities):
        lines = [city.name]
        for row in cities[cities["city"] == number].to_dict("records"):
            lines.append(f"{players_words(row['players'])}: {written(row['claims'], 'number')} claims per game")
        titles[f"city-{number}"] = titles[f"name-{number}"] = "\n".join(lines)
    return titles


def route_names(edition: Edition) -> list[str]:
    """Write `Atlanta–Miami, blue 5`, with its kind when that is not plain."""
    names = []
    for route in edition.routes:
        kind = "" if route.kind == "plain" else f" {route.kind}"
        words = ends({"from": edition.cities[route.a].name, "to": edition.cities[route.b].name})
        names.append(f"{words}, {color_name(edition, route)} {route.length}{kind}")
    return names
