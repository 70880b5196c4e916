"""Maps of numbers: one drawing of the board that shows one number at a time.

Each route bears a class per subject and player count (`claims4-7` is step 7 of the claims with 4 players), so that one
drawing serves all of them and both color schemes: a style sheet gives the steps their widths and colors, and the
reader's choice of subject and player count says which rules apply. No script is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
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
from ttr_sim.report.colors import SOFT_INK
from ttr_sim.report.figures import GROUP, PATH, svg_of, write_picture
from ttr_sim.report.numbers import ALL, HEADING_UNITS, exactly, is_missing, main_count, players_words, written
from ttr_sim.report.tables import row_anchor

STEPS = 12  # colors from the lowest to the highest
MOST_BANDS = 7
ROUND_SIZES = (1.0, 2.0, 2.5, 5.0, 10.0)
THINNEST, UNKNOWN_WIDTH = 1.8, 1.2
LOADS = 3.2  # width of the fullest city's disc, of a car's width
LIGHT_RAMP, DARK_RAMP = "YlGnBu", "YlGnBu_r"
MOST_TICKETS = 6  # named for a route
PREFIX = "map-"  # of the ids in the drawing
ROUTE_TIPS: tuple[tuple[str, str, Unit], ...] = (
    ("claimed {} %", "claimed", "share"),
    ("fought over {} %", "contention", "share"),
    ("locked out {} %", "denial", "share"),
    ("in round {}", "round", "rounds"),
    ("who takes it wins {} %", "claimer_win_share", "share"),
)


@dataclass(frozen=True)
class Subject:
    """A number of each route or city: its table and column."""

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
        *("contention", "routes", "contention", "share", "fought over", "Where players fight over routes"),
        "Share of games in which the route was claimed while another player, whose plan is known, wanted it.",
    ),
    Subject(
        *("denial", "routes", "denial", "share", "locked out", "Where players are locked out"),
        "Share of games in which the other player who wanted the route was left without a parallel one.",
    ),
    Subject("rounds", "routes", "round", "rounds", "when", "When routes are claimed", "Mean round of the claim."),
    Subject(
        *("load", "cities", "claims", "number", "load", "Busy and quiet cities"),
        "Claims per game of routes that end there.",
    ),
)
PAPER_LOAD = Subject(
    *("paper", "routes", "", "number", "load on paper", "What tickets ask for before anyone plays"),
    "Tickets of a full table expected to want a connection of the empty board, per lane.",
)


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a map's legend."""

    words: str
    ink: str  # name of its color in the page's style sheet
    width: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Mode:
    """A choice of the number that the map shows."""

    name: str  # its anchor
    choice: str
    title: str
    caption: str
    legend: list[Step]


@dataclass(frozen=True)
class BandScale:
    """Bands of a round size that cover all values."""

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
        """Step of a value, or None where there is no estimate."""
        return None if np.isnan(value) else self.steps[self.band(value)]

    @property
    def steps(self) -> list[int]:
        """Step of each band."""
        return [round(band * (STEPS - 1) / max(self.bands - 1, 1)) for band in range(self.bands)]

    @property
    def edges(self) -> list[float]:
        return [self.low + self.size * band for band in range(self.bands + 1)]

    def legend(self, unit: Unit) -> list[Step]:
        """A line for each band, the last with the unit."""
        factor = 100 if unit == "share" else 1
        edges = [exactly(round(edge * factor, 6)) for edge in self.edges]
        bands = [f"{low}–{high}" for low, high in pairwise(edges)]
        bands[-1] = f"{bands[-1]} {HEADING_UNITS.get(unit, '')}".strip()
        return [Step(words, f"k{step}", 3 + step) for words, step in zip(bands, self.steps, strict=True)]

    def looks(self, widest: float) -> dict[str, str]:
        """Style of each step, and of things without an estimate."""
        looks = {"None": f"stroke:var(--soft);stroke-width:{UNKNOWN_WIDTH};stroke-dasharray:2 3"}
        for step in self.steps:
            looks[str(step)] = f"stroke:var(--k{step});stroke-width:{step_width(step, widest):.1f}"
        return looks


@dataclass(frozen=True, slots=True)
class Layer:
    """The step of each route or city in a mode, and each step's style.

    With `players`, that count must be chosen too.
    """

    mode: Mode
    steps: Sequence[object]
    looks: dict[str, str]
    players: int | None = None

    @property
    def classes(self) -> list[str]:
        players = "" if self.players is None else self.players
        return [f"{self.mode.name}{players}-{step}" for step in self.steps]

    @property
    def rules(self) -> str:
        """Style sheet of the classes while the layer is chosen."""
        chosen, players = f"#m-{self.mode.name}:checked~figure", ""
        if self.players is not None:
            chosen, players = f"#p{self.players}:checked~#maps {chosen}", str(self.players)
        name = f"{chosen} .{self.mode.name}{players}"
        return "\n".join(f"{name}-{step}{{{look}}}" for step, look in self.looks.items())


def put_on_routes(svg: ET.Element, layers: Sequence[Layer]) -> None:
    """Replace the width and color of each route by its classes."""
    classes = [" ".join(of_route) for of_route in zip(*(layer.classes for layer in layers), strict=True)]
    for group in svg.iter(GROUP):
        kind, _, number = group.get("data-of", "").partition("-")
        if kind == "route":
            for path in group.iter(PATH):
                path.attrib.pop("style", None)  # it would outweigh any class
                path.set("class", classes[int(number)])


@dataclass(frozen=True)
class ValueMap:
    """The values of one subject."""

    subject: Subject
    values: pd.DataFrame  # a row per route or city, a column per player count
    scale: BandScale

    @property
    def mode(self) -> Mode:
        subject = self.subject
        return Mode(subject.name, subject.choice, subject.title, subject.caption, self.scale.legend(subject.unit))

    @property
    def counts(self) -> list[int]:
        """Player counts, without all together."""
        counts = map(int, self.values.columns)
        return [players for players in counts if players != ALL]

    def layers(self, car: float) -> list[Layer]:
        looks = self.scale.looks(LOADS * car if self.subject.table == "cities" else car)
        layers = []
        for players, column in self.values.items():
            layers.append(Layer(self.mode, [self.scale.step(value) for value in column], looks, int(str(players))))
        return layers


@dataclass(frozen=True)
class Maps:
    """A drawing with its modes and its style sheet."""

    svg: ET.Element
    modes: list[Mode]
    rules: str
    links: frozenset[str]  # anchors of the rows that its routes lead to


def step_width(step: int, widest: float) -> float:
    return THINNEST + (widest - THINNEST) * step / (STEPS - 1)


@cache
def ramp(name: str) -> tuple[str, ...]:
    """Colors of the steps."""
    # The ramps go by lightness first, which every eye sees.
    return tuple(to_hex(colormaps[name](0.3 + 0.7 * step / (STEPS - 1))) for step in range(STEPS))


def value_maps(analysis: Analysis, board: Statics) -> list[ValueMap]:
    """Collect the numbers that the games show, and the load on paper."""
    shown = []
    for subject in SUBJECTS:
        table = analysis.tables[subject.table]
        rows = table[table["players"] != ALL]
        if rows[subject.column].isna().all():
            continue
        key, things = (
            ("city", analysis.edition.cities) if subject.table == "cities" else ("route", board.edition.routes)
        )
        values = rows.pivot(index=key, columns="players", values=subject.column).reindex(range(len(things)))
        scale = BandScale.over(values.to_numpy(float), None if subject.unit == "rounds" else 0.0)
        if len(values.columns) > 1:
            # A plain mean over the counts with an estimate: each count stands for itself.
            values[ALL] = values.mean(axis=1)
        shown.append(ValueMap(subject, values.astype(float), scale))
    if shown:
        loads = np.array([board.loads[board.connection_of(n)].per_lane for n in range(len(analysis.edition.routes))])
        # The load on paper is that of a full table, so it is the same at all player counts.
        values = pd.DataFrame(dict.fromkeys(shown[0].values.columns, loads))
        shown.append(ValueMap(PAPER_LOAD, values, BandScale.over(loads, 0.0)))
    return shown


def draw_values(analysis: Analysis, board: Statics, layout: Layout, shown: Sequence[ValueMap]) -> Maps | None:
    """Draw the map of numbers, unless the runs show nothing of routes."""
    if not shown:
        return None
    edition, routes = analysis.edition, analysis.tables["routes"]
    rows = routes[routes["players"] == main_count(shown[0].counts)]
    # A link leads to the row of the player count that is shown first.
    anchors = {route: row_anchor("routes", label) for route, label in zip(rows["route"], rows.index, strict=True)}
    links = [f"#{anchors.get(number, 'routes')}" for number in range(len(edition.routes))]
    figure, _, _ = line_board(edition, layout, links)
    svg = svg_of(figure, PREFIX, dict(_map_titles(analysis, board)))
    of_routes: list[Layer] = []
    of_cities: list[Layer] = []
    for each in shown:
        layers = of_cities if each.subject.table == "cities" else of_routes
        layers += each.layers(layout.sizes.car)
    put_on_routes(svg, of_routes)
    # A disc below each city is a line without length, whose width the style sheet sets.
    discs = ET.Element(GROUP, {"class": "loads"})
    for number, (x, y) in enumerate(layout.places):
        classes = " ".join(layer.classes[number] for layer in of_cities)
        ET.SubElement(discs, PATH, {"d": f"M{x:.1f} {y:.1f}h0", "class": classes})
    svg.insert(1, discs)
    rules = "\n".join(layer.rules for layer in (*of_routes, *of_cities))
    return Maps(svg, [each.mode for each in shown], rules, frozenset(link.removeprefix("#") for link in links))


def write_map_pictures(analysis: Analysis, layout: Layout, shown: Sequence[ValueMap], folder: Path) -> None:
    """Write each map as a PNG for each player count."""
    figure, axes, lines = line_board(analysis.edition, layout)  # drawn once, painted for each picture
    for each in shown:
        legend = each.mode.legend
        note = f"{legend[0].words} (thin, light) to {legend[-1].words} (thick, dark)"
        on_paper = each.subject == PAPER_LOAD
        for players in each.counts[:1] if on_paper else each.counts:
            steps = [each.scale.step(value) for value in each.values[players]]
            if each.subject.table == "cities":
                _paint_routes(lines, [None] * len(lines), layout.sizes.car, "-")
                discs = _paint_cities(axes, layout, steps)
            else:
                _paint_routes(lines, steps, layout.sizes.car, (0, (2.0, 3.0)))
                discs = None
            table = "a full table" if on_paper else players_words(players)
            path = folder / f"map-{each.subject.name}{'' if on_paper else f'-{players}p'}.png"
            write_picture(figure, path, f"{analysis.edition.title}, {table}: {each.subject.title}", note)
            if discs:
                discs.remove()


def _paint_routes(lines: Sequence[Line2D], steps: Sequence[int | None], widest: float, unknown_style: Any) -> None:
    colors = ramp(LIGHT_RAMP)
    for line, step in zip(lines, steps, strict=True):
        if step is None:
            line.set(color=SOFT_INK, linewidth=UNKNOWN_WIDTH, linestyle=unknown_style)
        else:
            line.set(color=colors[step], linewidth=step_width(step, widest), linestyle="-", solid_capstyle="round")


def _paint_cities(axes: Axes, layout: Layout, steps: Sequence[int | None]) -> PathCollection:
    """Put a disc below each city with an estimate."""
    colors, widest = ramp(LIGHT_RAMP), LOADS * layout.sizes.car
    known = [(place, step) for place, step in zip(layout.places, steps, strict=True) if step is not None]
    x, y = np.array([place for place, _ in known]).T
    sizes = [step_width(step, widest) ** 2 for _, step in known]
    return axes.scatter(x, y, sizes, [colors[step] for _, step in known], linewidths=0, zorder=-1)


def choice_rules(players: Iterable[int]) -> str:
    """Style sheet of the choice of player counts and of both color schemes."""
    light, dark = (
        "".join(f"--k{step}:{color};" for step, color in enumerate(ramp(name))) for name in (LIGHT_RAMP, DARK_RAMP)
    )
    rules = [f":root{{{light}}}", f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"]
    for count in players:
        chosen = f"#p{count}:checked~"
        rules.append(f"{chosen}section .q{count}{{display:table-row}}")
        if count == ALL:
            rules.append(f"{chosen}section .every tr{{display:table-row}}")
        rules.append(f"{chosen}.picker label[for=p{count}]{{background:var(--ink);color:var(--ground)}}")
        rules.append(f"#p{count}:focus-visible~.picker label[for=p{count}]{{outline:2px solid var(--link)}}")
    return "\n".join(rules)


def _map_titles(analysis: Analysis, board: Statics) -> Iterator[tuple[str, str]]:
    """Yield the tips of routes and cities by id."""
    edition, routes, cities = analysis.edition, analysis.tables["routes"], analysis.tables["cities"]
    for number, name in enumerate(route_names(edition)):
        lines = [name]
        for row in routes[routes["route"] == number].to_dict("records"):
            numbers = []
            for words, key, unit in ROUTE_TIPS:
                if not is_missing(row[key]):
                    numbers.append(words.format(written(row[key], unit)))
            lines.append(f"{players_words(row['players'])}: {', '.join(numbers)}")
        tickets = [edition.tickets[row] for row, _ in board.tickets_wanting(number)]
        names = [f"{t.a}–{t.b}" if edition.is_race else f"{t.a}–{t.b} ({t.points})" for t in tickets]
        more = f" and {len(names) - MOST_TICKETS} more" if len(names) > MOST_TICKETS else ""
        lines.append(f"On the ways of {', '.join(names[:MOST_TICKETS])}{more}" if names else "On no ticket's way")
        yield f"route-{number}", "\n".join(lines)
    for number, city in enumerate(edition.cities):
        lines = [city.name]
        for row in cities[cities["city"] == number].to_dict("records"):
            lines.append(f"{players_words(row['players'])}: {written(row['claims'], 'number')} claims per game")
        for kind in ("city", "name"):
            yield f"{kind}-{number}", "\n".join(lines)


def route_names(edition: Edition) -> list[str]:
    """Write `Atlanta–Miami, blue 5`, with its kind when that is not plain."""
    names = []
    for route in edition.routes:
        kind = "" if route.kind == "plain" else f" {route.kind}"
        words = ends({"from": edition.cities[route.a].name, "to": edition.cities[route.b].name})
        names.append(f"{words}, {color_name(edition, route)} {route.length}{kind}")
    return names
