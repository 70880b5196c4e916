"""Maps of numbers: one drawing of the board that shows one number at a time.

Each route bears a class per subject and player count (`claims4-7` is step 7 of the claims with 4 players), so that one
drawing serves all of them and both color schemes: a style sheet gives the steps their widths and colors, and the
reader's choice of subject and player count says which rules apply. No script is needed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import to_hex

from ttr_sim.analysis.words import ends
from ttr_sim.edition.canonical import color_name
from ttr_sim.report.board.drawing import line_board
from ttr_sim.report.board.layout import Layout
from ttr_sim.report.board.routing import Points
from ttr_sim.report.colors import SOFT_INK
from ttr_sim.report.figures import GROUP, PATH, svg_of, write_picture
from ttr_sim.report.numbers import ALL, HEADING_UNITS, exactly, is_missing, main_count, players_words, written
from ttr_sim.report.views import row_anchor

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.tables import Unit
    from ttr_sim.edition.model import Edition
    from ttr_sim.edition.statics import Statics

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
PAPER_LOAD = Subject(
    "paper",
    "routes",
    "",
    "number",
    "load on paper",
    "What tickets ask for before anyone plays",
    "Tickets of a full table expected to want a connection of the empty board, per lane.",
)


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a map's legend: its words, with the color's name in the page's style sheet and the width."""

    words: str
    ink: str
    width: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Mode:
    """A choice of what the map shows; `name` is its anchor."""

    name: str
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
    def over(cls, columns: Iterable[Points], low: float | None = None, most: int = MOST_BANDS) -> BandScale:
        known = np.concatenate([np.empty(0), *(column[~np.isnan(column)] for column in columns)])
        if not len(known):
            return cls(0.0, 1.0, 1)
        least = float(known.min()) if low is None else low
        size = 1.0
        if (needed := (float(known.max()) - least) / most) > 0:
            unit = 10.0 ** math.floor(math.log10(needed))
            size = next(unit * factor for factor in ROUND_SIZES if unit * factor >= needed * (1 - 1e-9))
        start = math.floor(least / size) * size
        return cls(start, size, max(1, math.ceil(round((float(known.max()) - start) / size, 6))))

    def step(self, value: float) -> int | None:
        """Step of a value, 0 to STEPS - 1; None where there is no estimate."""
        if np.isnan(value):
            return None
        return self.step_of_band(min(max(int((value - self.low) / self.size), 0), self.bands - 1))

    def step_of_band(self, band: int) -> int:
        return round(band * (STEPS - 1) / max(self.bands - 1, 1))

    def edges(self) -> list[float]:
        return [self.low + self.size * band for band in range(self.bands + 1)]

    def legend(self, unit: Unit) -> list[Step]:
        """Words of each band, the unit with the last."""
        factor = 100 if unit == "share" else 1
        edges = [exactly(round(edge * factor, 6)) for edge in self.edges()]
        bands = [f"{low}–{high}" for low, high in pairwise(edges)]
        bands[-1] = f"{bands[-1]} {HEADING_UNITS.get(unit, '')}".strip()
        steps = [self.step_of_band(band) for band in range(self.bands)]
        return [Step(words, f"k{step}", 3 + step) for words, step in zip(bands, steps, strict=True)]


@dataclass(frozen=True)
class ValueMap:
    """The values of one subject for each route or city, by player count."""

    subject: Subject
    values: dict[int, Points]
    scale: BandScale

    @property
    def mode(self) -> Mode:
        subject = self.subject
        return Mode(subject.name, subject.choice, subject.title, subject.caption, self.scale.legend(self.subject.unit))

    def classes(self, number: int) -> str:
        """Classes of a route or city."""
        steps = {players: self.scale.step(float(column[number])) for players, column in self.values.items()}
        return " ".join(_step_class(self.subject.name, players, step) for players, step in steps.items())

    def rules(self, car: float) -> str:
        """Style sheet for the steps while this subject and a player count are chosen."""
        widest = LOADS * car if self.subject.table == "cities" else car
        rules = []
        for count in self.values:
            chosen = f"#p{count}:checked~#maps #m-{self.subject.name}:checked~figure ."
            for step in range(STEPS):
                look = f"stroke:var(--k{step});stroke-width:{step_width(step, widest):.1f}"
                rules.append(f"{chosen}{_step_class(self.subject.name, count, step)}{{{look}}}")
            look = f"stroke:var(--soft);stroke-width:{UNKNOWN_WIDTH};stroke-dasharray:2 3"
            rules.append(f"{chosen}{_step_class(self.subject.name, count, None)}{{{look}}}")
        return "\n".join(rules)


@dataclass(frozen=True)
class Maps:
    """A drawing with its modes, its style sheet, and the anchors of the rows that its routes lead to."""

    svg: ET.Element
    modes: list[Mode]
    rules: str
    links: frozenset[str]


def _step_class(subject: str, players: int, step: int | None) -> str:
    return f"{subject}{players}-{'u' if step is None else step}"


def step_width(step: int, widest: float) -> float:
    return THINNEST + (widest - THINNEST) * step / (STEPS - 1)


@cache
def ramp(name: str) -> tuple[str, ...]:
    """Colors of the steps; both ramps go by lightness first, which every eye sees."""
    return tuple(to_hex(colormaps[name](0.3 + 0.7 * step / (STEPS - 1))) for step in range(STEPS))


def value_maps(analysis: Analysis, board: Statics) -> list[ValueMap]:
    """Maps of the numbers that the games show, and of the load on paper."""
    shown = []
    for subject in SUBJECTS:
        table = analysis.tables[subject.table]
        if table.empty or table[subject.column].isna().all():
            continue
        key, size = "route", len(analysis.edition.routes)
        if subject.table == "cities":
            key, size = "city", len(analysis.edition.cities)
        values = {}
        for players in sorted(int(count) for count in table["players"].unique() if count != ALL):
            rows = table[table["players"] == players]
            values[players] = np.full(size, np.nan)
            values[players][rows[key].to_numpy(int)] = rows[subject.column].to_numpy(float)
        scale = BandScale.over(values.values(), None if subject.unit == "rounds" else 0.0)
        if len(values) > 1:
            values[ALL] = _mean(list(values.values()))
        shown.append(ValueMap(subject, values, scale))
    if shown:
        loads = np.array([board.loads[board.connection_of(n)].per_lane for n in range(len(analysis.edition.routes))])
        # The load on paper is that of a full table, so it is the same at all player counts.
        shown.append(ValueMap(PAPER_LOAD, dict.fromkeys(shown[0].values, loads), BandScale.over([loads], 0.0)))
    return shown


def _mean(columns: list[Points]) -> Points:
    """Plain mean over the player counts that have an estimate."""
    stacked = np.stack(columns)
    known = ~np.isnan(stacked)
    total = np.where(known, stacked, 0.0).sum(axis=0)
    mean: Points = np.where(known.any(axis=0), total / np.maximum(known.sum(axis=0), 1), np.nan)
    return mean


def draw_values(analysis: Analysis, board: Statics, layout: Layout, shown: Sequence[ValueMap]) -> Maps | None:
    """Draw the map of numbers; None when the runs show nothing of routes."""
    if not shown:
        return None
    edition, routes = analysis.edition, analysis.tables["routes"]
    count = main_count([players for players in shown[0].values if players != ALL])
    rows = routes[routes["players"] == count]
    anchors = {route: row_anchor("routes", label) for route, label in zip(rows["route"], rows.index, strict=True)}
    links = [f"#{anchors.get(number, 'routes')}" for number in range(len(edition.routes))]
    figure, _ = line_board(edition, layout, [{}] * len(edition.routes), links)
    svg = svg_of(figure, PREFIX, dict(_map_titles(analysis, board)))
    of_routes = [each for each in shown if each.subject.table == "routes"]
    of_cities = [each for each in shown if each.subject.table == "cities"]
    add_classes(svg, [" ".join(each.classes(n) for each in of_routes) for n in range(len(edition.routes))])
    # A disc below each city is a line without length, whose width the style sheet sets.
    discs = ET.Element(GROUP, {"class": "loads"})
    for number, (x, y) in enumerate(layout.places):
        classes = " ".join(each.classes(number) for each in of_cities)
        ET.SubElement(discs, PATH, {"d": f"M{x:.1f} {y:.1f}h0", "class": classes})
    svg.insert(1, discs)
    rules = "\n".join(each.rules(layout.sizes.car) for each in shown)
    return Maps(svg, [each.mode for each in shown], rules, frozenset(link.removeprefix("#") for link in links))


def write_map_pictures(analysis: Analysis, layout: Layout, shown: Sequence[ValueMap], folder: Path) -> None:
    """Write each map as a PNG for each player count; the load on paper is one for all."""
    for each in shown:
        for players, values in each.values.items():
            if each.subject == PAPER_LOAD:
                _write_map(analysis.edition, layout, each, values, "a full table", folder / "map-paper.png")
                break
            if players != ALL:
                path = folder / f"map-{each.subject.name}-{players}p.png"
                _write_map(analysis.edition, layout, each, values, players_words(players), path)


def _write_map(edition: Edition, layout: Layout, shown: ValueMap, values: Points, table: str, path: Path) -> None:
    colors, car = ramp(LIGHT_RAMP), layout.sizes.car
    unknown: dict[str, Any] = {"color": SOFT_INK, "linewidth": UNKNOWN_WIDTH}
    steps = [shown.scale.step(float(value)) for value in values]
    looks: list[dict[str, Any]] = [unknown] * len(edition.routes)
    if shown.subject.table == "routes":
        looks = []
        for step in steps:
            look = unknown | {"linestyle": (0, (2.0, 3.0))}
            if step is not None:
                look = {"color": colors[step], "linewidth": step_width(step, car), "solid_capstyle": "round"}
            looks.append(look)
    figure, axes = line_board(edition, layout, looks)
    if shown.subject.table == "cities":
        known = [(place, step) for place, step in zip(layout.places, steps, strict=True) if step is not None]
        x, y = np.array([place for place, _ in known]).T
        sizes = [step_width(step, LOADS * car) ** 2 for _, step in known]
        axes.scatter(x, y, sizes, [colors[step] for _, step in known], linewidths=0, zorder=-1)
    title = f"{edition.title}, {table}: {shown.subject.title}"
    legend = shown.mode.legend
    write_picture(figure, path, title, f"{legend[0].words} (thin, light) to {legend[-1].words} (thick, dark)")


def add_classes(svg: ET.Element, classes: Sequence[str]) -> None:
    """Give each route its classes in place of its own width and color."""
    for group in svg.iter(GROUP):
        kind, _, number = group.get("data-of", "").partition("-")
        if kind == "route":
            for path in group.iter(PATH):
                path.attrib.pop("style", None)
                path.set("class", classes[int(number)])


def choice_rules(players: Iterable[int]) -> str:
    """Style sheet of the choice of player counts, with the colors of the steps in both color schemes."""
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
    """Yield the tips of routes and cities, by the id of their group."""
    edition = analysis.edition
    routes, cities = _rows_by(analysis.tables["routes"], "route"), _rows_by(analysis.tables["cities"], "city")
    for number, name in enumerate(route_names(edition)):
        lines = [name]
        for row in routes[number]:
            known = [
                words.format(written(row[key], unit)) for words, key, unit in ROUTE_TIPS if not is_missing(row[key])
            ]
            lines.append(f"{players_words(row['players'])}: {', '.join(known)}")
        tickets = [edition.tickets[row] for row, _ in board.tickets_wanting(number)]
        names = [f"{t.a}–{t.b}" if edition.is_race else f"{t.a}–{t.b} ({t.points})" for t in tickets]
        more = f" and {len(names) - MOST_TICKETS} more" if len(names) > MOST_TICKETS else ""
        lines.append(f"On the ways of {', '.join(names[:MOST_TICKETS])}{more}" if names else "On no ticket's way")
        yield f"route-{number}", "\n".join(lines)
    for number, city in enumerate(edition.cities):
        lines = [city.name]
        for row in cities[number]:
            lines.append(f"{players_words(row['players'])}: {written(row['claims'], 'number')} claims per game")
        for kind in ("city", "name"):
            yield f"{kind}-{number}", "\n".join(lines)


def _rows_by(table: pd.DataFrame, key: str) -> Mapping[int, list[dict[Any, Any]]]:
    rows: defaultdict[int, list[dict[Any, Any]]] = defaultdict(list)
    for row in table.to_dict("records"):
        rows[row[key]].append(row)
    return rows


def route_names(edition: Edition) -> list[str]:
    """Write `Atlanta–Miami, blue 5`, with its kind when that is not plain."""
    names = []
    for route in edition.routes:
        kind = "" if route.kind == "plain" else f" {route.kind}"
        words = ends({"from": edition.cities[route.a].name, "to": edition.cities[route.b].name})
        names.append(f"{words}, {color_name(edition, route)} {route.length}{kind}")
    return names
