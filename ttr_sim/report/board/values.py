"""A board whose routes, or cities, are drawn by a number: thicker and darker lines are higher numbers.

Each line bears a class per subject and player count (`claims4-7` is step 7 of the claims with 4 players), so that one
drawing serves all of them and both color schemes: the page's style sheet gives the steps their widths and inks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from ttr_sim.edition.model import Edition
from ttr_sim.report.board.canvas import Group, blank
from ttr_sim.report.board.colors import PAPER, SOFT_INK
from ttr_sim.report.board.curves import Points
from ttr_sim.report.board.drawing import add, cities
from ttr_sim.report.board.layout import Layout
from ttr_sim.report.board.pieces import lane_line
from ttr_sim.report.board.svg import GROUP, PATH

STEPS = 12  # inks from the lowest to the highest
MOST_BANDS = 7
ROUND_SIZES = (1.0, 2.0, 2.5, 5.0, 10.0)
THINNEST, UNKNOWN_WIDTH = 1.8, 1.2
UNKNOWN_DASHES = (2.0, 3.0)
LOADS = 3.2  # width of the fullest city's disc, of a car's width
LIGHT_RAMP, DARK_RAMP = ("YlGnBu", 0.3, 1.0), ("YlGnBu_r", 0.3, 1.0)


@dataclass(frozen=True)
class BandScale:
    """Bands of a round size that cover all player counts."""

    low: float
    size: float
    bands: int

    @classmethod
    def over(cls, values: Mapping[int, Points], low: float | None = None, most: int = MOST_BANDS) -> BandScale:
        known = np.concatenate([column[~np.isnan(column)] for column in values.values()] or [np.empty(0)])
        if not len(known):
            return cls(0.0, 1.0, 1)
        least = float(known.min()) if low is None else low
        size = _round_size((float(known.max()) - least) / most)
        start = math.floor(least / size) * size
        return cls(start, size, max(1, math.ceil(round((float(known.max()) - start) / size, 6))))

    def step(self, value: float) -> int | None:
        """Return the ink of a value, 0 to STEPS - 1; None where there is no estimate."""
        if np.isnan(value):
            return None
        return self.ink(min(max(int((value - self.low) / self.size), 0), self.bands - 1))

    def ink(self, band: int) -> int:
        return round(band * (STEPS - 1) / max(self.bands - 1, 1))

    def edges(self) -> list[float]:
        return [self.low + self.size * band for band in range(self.bands + 1)]


def _round_size(least: float) -> float:
    """Return the smallest round number that is not below."""
    if least <= 0:
        return 1.0
    unit = 10.0 ** math.floor(math.log10(least))
    return next(unit * size for size in ROUND_SIZES if unit * size >= least * (1 - 1e-9))


@dataclass(frozen=True)
class ValueBoard:
    """A drawing whose lines can be drawn again by other numbers."""

    figure: Figure
    axes: Axes
    layout: Layout

    def draw_routes(self, values: Points, scale: BandScale, links: Sequence[str] = ()) -> None:
        inks = ramp(*LIGHT_RAMP)
        for number, lane in enumerate(self.layout.lanes):
            step = scale.step(float(values[number]))
            if step is None:
                line = lane_line(self.axes, lane, UNKNOWN_WIDTH, color=SOFT_INK, dashes=UNKNOWN_DASHES)
            else:
                wide = width(step, self.layout.sizes.car)
                line = lane_line(self.axes, lane, wide, color=inks[step], solid_capstyle="round")
            if links:
                line.set_url(links[number])
            add(self.axes, Group(f"route-{number}", [line]))

    def paint_routes(self, values: Points, scale: BandScale) -> None:
        """Draw the same lines for a picture, in which none bears a name or a link: five times as fast."""
        inks, car = ramp(*LIGHT_RAMP), self.layout.sizes.car
        steps = [scale.step(float(value)) for value in values]
        self._paint_lines([step is None for step in steps], SOFT_INK, UNKNOWN_WIDTH, linestyle=(0, UNKNOWN_DASHES))
        known = [step for step in steps if step is not None]
        look = [inks[step] for step in known], [width(step, car) for step in known]
        self._paint_lines([step is not None for step in steps], *look, capstyle="round", joinstyle="round")

    def paint_loads(self, values: Points, scale: BandScale) -> None:
        """Draw a disc in each city over thin routes."""
        self._paint_lines([True] * len(self.layout.lanes), SOFT_INK, UNKNOWN_WIDTH)
        inks, car = ramp(*LIGHT_RAMP), self.layout.sizes.car
        known = [(place, step) for place, value in enumerate(values) if (step := scale.step(float(value))) is not None]
        x, y = self.layout.places[[place for place, _ in known]].T
        sizes = [load_width(step, car) ** 2 for _, step in known]
        self.axes.scatter(x, y, sizes, [inks[step] for _, step in known], linewidths=0, zorder=2.5)

    def wipe(self) -> None:
        """Take away what was painted."""
        for painted in list(self.axes.collections):
            painted.remove()

    def _paint_lines(self, chosen: Sequence[bool], color: Any, wide: Any, **look: Any) -> None:
        lines = [lane.line for lane, is_chosen in zip(self.layout.lanes, chosen, strict=True) if is_chosen]
        self.axes.add_collection(LineCollection(lines, colors=color, linewidths=wide, **look), autolim=False)

    def draw_cities(self, edition: Edition) -> None:
        add(self.axes, cities(self.axes, edition, self.layout))


def value_board(layout: Layout, ground: str = PAPER) -> ValueBoard:
    figure, axes = blank(layout.canvas.width, layout.canvas.height, ground)
    return ValueBoard(figure, axes, layout)


def width(step: int, widest: float) -> float:
    return THINNEST + (widest - THINNEST) * step / (STEPS - 1)


def load_width(step: int, car: float) -> float:
    return width(step, LOADS * car)


@cache
def ramp(name: str, start: float, end: float) -> tuple[str, ...]:
    """Return inks of the steps; both ramps go by lightness first, which every eye sees."""
    return tuple(to_hex(colormaps[name](start + (end - start) * step / (STEPS - 1))) for step in range(STEPS))


def step_class(subject: str, players: int, step: int | None) -> str:
    return f"{subject}{players}-{'u' if step is None else step}"


def add_classes(svg: ET.Element, classes: Sequence[str]) -> None:
    """Give each route its classes in place of its own width and ink."""
    for group in svg.iter(GROUP):
        kind, _, number = group.get("data-of", "").partition("-")
        if kind == "route":
            for path in group.iter(PATH):
                path.attrib.pop("style", None)
                path.set("class", classes[int(number)])


def add_loads(svg: ET.Element, layout: Layout, classes: Sequence[str]) -> None:
    """Put a disc below each city: a line without length, whose width the style sheet sets."""
    group = ET.Element(GROUP, {"class": "loads"})
    for (x, y), names in zip(layout.places, classes, strict=True):
        ET.SubElement(group, PATH, {"d": f"M{x:.1f} {y:.1f}h0", "class": names})
    svg.insert(1, group)


def choice_rules(players: Iterable[int]) -> str:
    """Write the style sheet of the choice of player counts, and the inks of the steps in both color schemes."""
    light, dark = ramp(*LIGHT_RAMP), ramp(*DARK_RAMP)
    inks = "".join(f"--k{step}:{light[step]};" for step in range(STEPS))
    night = "".join(f"--k{step}:{dark[step]};" for step in range(STEPS))
    rules = [f":root{{{inks}}}", f"@media screen and (prefers-color-scheme:dark){{:root{{{night}}}}}"]
    for count in players:
        chosen = f"#p{count}:checked~"
        rules.append(f"{chosen}section .q{count}{{display:table-row}}")
        if count == 0:
            rules.append(f"{chosen}section .every tr{{display:table-row}}")
        rules.append(f"{chosen}.picker label[for=p{count}]{{background:var(--ink);color:var(--ground)}}")
        rules.append(f"#p{count}:focus-visible~.picker label[for=p{count}]{{outline:2px solid var(--link)}}")
    return "\n".join(rules)


def step_rules(subject: str, players: Iterable[int], widths: Sequence[float]) -> str:
    """Write how each step of a subject looks while it and a player count are chosen."""
    rules = []
    for count in players:
        chosen = f"#p{count}:checked~#maps #m-{subject}:checked~figure ."
        for step, wide in enumerate(widths):
            look = f"stroke:var(--k{step});stroke-width:{wide:.1f}"
            rules.append(f"{chosen}{step_class(subject, count, step)}{{{look}}}")
        look = f"stroke:var(--soft);stroke-width:{UNKNOWN_WIDTH};stroke-dasharray:2 3"
        rules.append(f"{chosen}{step_class(subject, count, None)}{{{look}}}")
    return "\n".join(rules)
