"""The map of a comparison: where routes are surely claimed or fought over more, or less, and how often in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ttr_sim.analysis.compare.layout import ROUTES, Number
from ttr_sim.analysis.words import MINUS
from ttr_sim.edition.canonical import Key, route_keys
from ttr_sim.report.board.canvas import Group, blank
from ttr_sim.report.board.colors import PAPER, SOFT_INK
from ttr_sim.report.board.drawing import add, cities
from ttr_sim.report.board.layout import Layout
from ttr_sim.report.board.pieces import lane_line
from ttr_sim.report.board.values import BandScale, width
from ttr_sim.report.charts.style import SERIES
from ttr_sim.report.map_titles import route_names
from ttr_sim.report.numbers import signed, signed_interval, written
from ttr_sim.report.switch import Mode, Step

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.edition.model import Edition
    from ttr_sim.report.board.curves import Points

MORE, LESS = SERIES[0], SERIES[1]
MORE_INK, LESS_INK = "s0", "s1"  # what the page calls them
LESS_DASHES = (0, (2.2, 1.0))
THINNEST, UNSURE_WIDTH = 2.2, 0.6
CLAIMED = ROUTES.numbers[0]
NEW_WIDTH, NEW_DASHES = 1.6, (0, (1, 2))
DOTTED = f"stroke-width:{NEW_WIDTH};stroke-dasharray:1 3"
MOST_BANDS = 3  # of a change, on either side of none


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the map can show, the class of each route then, and the style sheet of these classes."""

    mode: Mode
    classes: list[str]
    rules: str


@dataclass(frozen=True, slots=True)
class ChangeModes:
    """All that the map can show, the classes of each route, and their style sheet."""

    modes: list[Mode]
    classes: list[str]
    rules: str


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
    gaps: Points = routes["difference"].where(_is_sure(routes, CLAIMED)).to_numpy(float)
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
        f"route-{number}": "\n".join([words, *_change_words(routes, lines.get(number))])
        for number, words in enumerate(route_names(edition))
    }


def _change_words(routes: pd.DataFrame, line: int | None) -> Iterator[str]:
    if line is None:
        yield "not in both"
        return
    row = routes.iloc[line]
    for number in _known_numbers(routes):
        a, b = (written(row[number.prefix + side], number.unit) for side in "ab")
        gap, low, high = (row[number.prefix + name] for name in ("difference", "low", "high"))
        moved = f"{signed(gap, 'change')}; {signed_interval(low, high, 'change')}"
        yield f"{number.words}: {a} → {b} % of the games ({moved})"


def change_modes(edition: Edition, routes: pd.DataFrame, names: tuple[str, str], car: float) -> ChangeModes:
    """Return what the map can show: the change of each number that surely moved, then the number on either side."""
    lines = by_route(edition, routes)
    placed = routes.reindex([lines.get(number, -1) for number in range(len(edition.routes))])
    numbers = _known_numbers(routes)
    found = [_change(placed, number, names, car) for number in numbers if _is_sure(placed, number).any()]
    found += [side for number in numbers for side in _sides(placed, number, names, car)]
    classes = [" ".join(of_route) for of_route in zip(*(shown.classes for shown in found), strict=True)]
    return ChangeModes([shown.mode for shown in found], classes, "\n".join(shown.rules for shown in found))


def _is_sure(routes: pd.DataFrame, number: Number) -> pd.Series[bool]:
    return routes[number.notable].fillna(False).astype(bool)


def _known_numbers(routes: pd.DataFrame) -> list[Number]:
    return [number for number in ROUTES.numbers if routes[f"{number.prefix}difference"].notna().any()]


def _change(placed: pd.DataFrame, number: Number, names: tuple[str, str], car: float) -> _Shown:
    """Show what surely changed: more is blue and solid, less orange and dashed."""
    known = placed[f"{number.prefix}difference"]
    gaps: Points = known.where(_is_sure(placed, number)).to_numpy(float)
    scale = BandScale.over({0: np.abs(gaps)}, 0.0, MOST_BANDS)
    widths = [width(scale.ink(band), car) for band in range(scale.bands)] if np.isfinite(gaps).any() else []
    name = f"change-{number.name}"
    steps = [_signed_step(scale, gap, is_known) for gap, is_known in zip(gaps, known.notna(), strict=True)]
    title = f"Where routes are {number.words} more or less often"
    caption = f"Percentage points of the games, {names[1]} minus {names[0]}. Dotted: not in both."
    mode = Mode(name, f"change: {number.words}", title, caption, _change_legend(scale, widths))
    return _Shown(mode, [f"{name}-{step}" for step in steps], _rules(name, _change_looks(widths)))


def _change_legend(scale: BandScale, widths: Sequence[float]) -> list[Step]:
    edges = [f"{edge * 100:.3g}" for edge in scale.edges()]
    bands = list(zip(pairwise(edges), widths, strict=False))
    less = [Step(f"{MINUS}{high} to {_with(MINUS, low)}", LESS_INK, wide, dashed=True) for (low, high), wide in bands]
    more = [Step(f"{_with('+', low)} to +{high}", MORE_INK, wide) for (low, high), wide in bands]
    return [*reversed(less), Step("no sure difference", "soft", 1), *more]


def _with(sign: str, edge: str) -> str:
    return edge if edge == "0" else f"{sign}{edge}"


def _change_looks(widths: Sequence[float]) -> dict[str, str]:
    """Return the style of each step: p upward, m downward, u without a sure difference, n not in both."""
    looks = {"u": f"stroke:var(--soft);stroke-width:{UNSURE_WIDTH}", "n": f"stroke:var(--soft);{DOTTED}"}
    for band, wide in enumerate(widths):
        looks[f"p{band}"] = f"stroke:var(--{MORE_INK});stroke-width:{wide:.1f}"
        looks[f"m{band}"] = f"stroke:var(--{LESS_INK});stroke-width:{wide:.1f};stroke-dasharray:7 3;stroke-linecap:butt"
    return looks


def _signed_step(scale: BandScale, gap: float, is_known: bool) -> str:
    if np.isnan(gap):
        return "u" if is_known else "n"
    band = min(int(abs(gap) / scale.size), scale.bands - 1)
    return f"{'p' if gap >= 0 else 'm'}{band}"


def _sides(placed: pd.DataFrame, number: Number, names: tuple[str, str], car: float) -> Iterator[_Shown]:
    """Show the number on either side, on one scale."""
    columns = {place: placed[number.prefix + side].to_numpy(float) for place, side in enumerate("ab")}
    scale = BandScale.over(columns, 0.0)
    inks = [scale.ink(band) for band in range(scale.bands)]
    edges = [f"{edge * 100:.3g}" for edge in scale.edges()]
    legend = [
        Step(f"{low}–{high} %", f"k{ink}", 3 + ink) for ink, (low, high) in zip(inks, pairwise(edges), strict=True)
    ]
    looks = {str(ink): f"stroke:var(--k{ink});stroke-width:{width(ink, car):.1f}" for ink in inks}
    looks |= {"None": f"stroke:var(--soft);{DOTTED}"}
    for place, side in enumerate("ab"):
        name = f"{number.name}-{side}"
        title = f"How often routes are {number.words} in {names[place]}"
        mode = Mode(name, f"{number.words} in {names[place]}", title, "Share of games. Dotted: no estimate.", legend)
        classes = [f"{name}-{scale.step(float(value))}" for value in columns[place]]
        yield _Shown(mode, classes, _rules(name, looks))


def _rules(name: str, looks: Mapping[str, str]) -> str:
    """Write how each step looks while this is chosen."""
    return "\n".join(f"#m-{name}:checked~figure .{name}-{step}{{{look}}}" for step, look in looks.items())


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
