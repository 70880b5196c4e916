"""A board whose routes are drawn by a number: thicker and darker lines are higher numbers.

Routes carry a class per player count (`a7` for all together, `c3` for 3 players), so that one map serves all
player counts and both color schemes: the page's style sheet gives the steps their widths and inks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from ttr_sim.edition.model import Edition
from ttr_sim.report.board.canvas import Group, blank
from ttr_sim.report.board.colors import PAPER, SOFT_INK
from ttr_sim.report.board.curves import Points
from ttr_sim.report.board.drawing import add, cities
from ttr_sim.report.board.layout import Layout
from ttr_sim.report.board.pieces import lane_line
from ttr_sim.report.board.svg import GROUP, PATH, USE

STEPS = 12
THINNEST, UNKNOWN_WIDTH = 1.8, 1.2
UNKNOWN_DASHES = (2.0, 3.0)
LETTERS = "abcdefghijk"  # class letter of player count 0 (all together), 1, 2, ...
LIGHT_RAMP, DARK_RAMP = ("YlGnBu", 0.3, 1.0), ("YlGnBu_r", 0.3, 1.0)


@dataclass(frozen=True)
class Scale:
    """From the least to the most over all player counts, in equal steps."""

    low: float
    high: float

    @classmethod
    def over(cls, values: Mapping[int, Points], low: float | None = None) -> Scale:
        known = np.concatenate([column[~np.isnan(column)] for column in values.values()] or [np.empty(0)])
        if not len(known):
            return cls(0.0, 1.0)
        least = float(known.min()) if low is None else low
        return cls(least, max(float(known.max()), least + 1e-9))

    def step(self, value: float) -> int | None:
        """Return 0 to STEPS - 1; None where there is no estimate."""
        if np.isnan(value):
            return None
        share = (value - self.low) / (self.high - self.low)
        return int(min(max(share, 0.0) * STEPS, STEPS - 1))


@dataclass(frozen=True)
class ValueBoard:
    figure: Figure
    cities: Group


def value_board(edition: Edition, layout: Layout, values: Points, scale: Scale, links: Sequence[str]) -> ValueBoard:
    """Draw the map of one number per route, on light ground; each route links to where its numbers stand."""
    figure, axes = blank(layout.canvas.width, layout.canvas.height, PAPER)
    inks = ramp(*LIGHT_RAMP)
    for number, lane in enumerate(layout.lanes):
        step = scale.step(float(values[number]))
        if step is None:
            look = {"color": SOFT_INK, "dashes": UNKNOWN_DASHES}
            line = lane_line(axes, lane, UNKNOWN_WIDTH, **look)
        else:
            line = lane_line(axes, lane, width(step, layout.sizes.car), color=inks[step], solid_capstyle="round")
        line.set_url(links[number])
        add(axes, Group(f"route-{number}", [line]))
    return ValueBoard(figure, add(axes, cities(axes, edition, layout)))


def width(step: int, widest: float) -> float:
    return THINNEST + (widest - THINNEST) * step / (STEPS - 1)


def ramp(name: str, start: float, end: float) -> list[str]:
    """Return inks of the steps; both ramps go by lightness first, which every eye sees."""
    return [to_hex(colormaps[name](start + (end - start) * step / (STEPS - 1))) for step in range(STEPS)]


def borrow_cities(svg: ET.Element, other: str) -> None:
    """Show the cities of another drawing of the same page instead of repeating them."""
    svg.append(ET.Element(USE, {"href": f"#{other}"}))


def add_classes(svg: ET.Element, values: Mapping[int, Points], scale: Scale) -> None:
    """Give each route its step's class for each player count in place of its own width and ink."""
    for group in svg.iter(GROUP):
        kind, _, number = group.get("data-of", "").partition("-")
        if kind == "route":
            steps = {players: scale.step(float(column[int(number)])) for players, column in values.items()}
            names = [f"{LETTERS[players]}{'u' if step is None else step}" for players, step in steps.items()]
            for path in group.iter(PATH):
                path.attrib.pop("style", None)
                path.set("class", " ".join(names))


def step_rules(players: list[int], widest: float) -> str:
    """Write the style sheet: how each step looks in each color scheme, for the player count that is chosen."""
    light, dark = ramp(*LIGHT_RAMP), ramp(*DARK_RAMP)
    inks = "".join(f"--k{step}:{light[step]};" for step in range(STEPS))
    night = "".join(f"--k{step}:{dark[step]};" for step in range(STEPS))
    rules = [f":root{{{inks}}}", f"@media screen and (prefers-color-scheme:dark){{:root{{{night}}}}}"]
    for count in players:
        letter, chosen = LETTERS[count], f"#p{count}:checked~section "
        rules.append(f"{chosen}.q{count}{{display:table-row}}")
        if count == 0:
            rules.append(f"{chosen}.every tr{{display:table-row}}")
        rules.append(f"#p{count}:checked~.picker label[for=p{count}]{{background:var(--ink);color:var(--ground)}}")
        rules.append(f"#p{count}:focus-visible~.picker label[for=p{count}]{{outline:2px solid var(--link)}}")
        for step in range(STEPS):
            look = f"stroke:var(--k{step});stroke-width:{width(step, widest):.1f}"
            rules.append(f"{chosen}.{letter}{step}{{{look}}}")
        rules.append(f"{chosen}.{letter}u{{stroke:var(--soft);stroke-width:{UNKNOWN_WIDTH};stroke-dasharray:2 3}}")
    return "\n".join(rules)
