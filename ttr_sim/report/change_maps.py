"""Maps of changes: of a comparison between two runs, and of the edits that a balance proposes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ttr_sim.analysis.compare import ROUTES, Number
from ttr_sim.analysis.text import MINUS
from ttr_sim.balance import edits as balance_edits
from ttr_sim.balance.edits import Edit
from ttr_sim.edition.canonical import Key, route_keys
from ttr_sim.edition.model import Edition
from ttr_sim.report.board.drawing import Group, add, line_board, text
from ttr_sim.report.board.layout import Layout, lay_out
from ttr_sim.report.board.routing import Points
from ttr_sim.report.colors import PAPER, SERIES
from ttr_sim.report.maps import BandScale, Layer, Mode, Step, route_names, step_width
from ttr_sim.report.numbers import signed, signed_interval, written

MORE, LESS, TICKET = SERIES[:3]
MORE_INK, LESS_INK = "s0", "s1"  # their names in the page's style sheet
DASHES, DOTS = (0, (2.2, 1.0)), (0, (1, 2))
THIN, THINNEST, UNSURE_WIDTH, NEW_WIDTH = 1.2, 2.2, 0.6, 1.6
DOTTED = f"stroke:var(--soft);stroke-width:{NEW_WIDTH};stroke-dasharray:1 3"
MOST_BANDS = 3  # of a change, on either side of none
LABEL = 13.0  # points


def change_map(edition: Edition, layout: Layout, routes: pd.DataFrame) -> Figure:
    """Draw where routes are surely claimed more or less in B.

    More is blue and solid, less orange and dashed.
    """
    placed = _by_route(edition, routes)
    # Claims are the first number of routes, and need no published plans.
    gaps: Points = placed["difference"].where(_is_sure(placed, ROUTES.numbers[0])).to_numpy(float)
    most = max(float(np.nanmax(np.abs(gaps), initial=0.0)), 1e-9)
    figure, _, lines = line_board(edition, layout)
    for line, gap, is_shared in zip(lines, gaps, placed["from"].notna(), strict=True):
        width = THINNEST + (layout.sizes.car - THINNEST) * abs(gap) / most
        if not is_shared:
            line.set(linewidth=NEW_WIDTH, linestyle=DOTS)
        elif np.isnan(gap):
            line.set(linewidth=UNSURE_WIDTH)
        elif gap >= 0:
            line.set(linewidth=width, color=MORE, solid_capstyle="round")
        else:
            line.set(linewidth=width, color=LESS, linestyle=DASHES)
    return figure


def change_titles(edition: Edition, routes: pd.DataFrame) -> dict[str, str]:
    """Tips of the routes."""
    placed = _by_route(edition, routes).to_dict("records")
    titles = {}
    for number, (name, row) in enumerate(zip(route_names(edition), placed, strict=True)):
        lines = [name]
        if not isinstance(row["from"], str):
            lines.append("not in both")
        else:
            for each in _known_numbers(routes):
                a, b = (written(row[each.prefix + side], each.unit) for side in "ab")
                gap, low, high = (row[each.prefix + column] for column in ("difference", "low", "high"))
                moved = f"{signed(gap, 'change')}; {signed_interval(low, high, 'change')}"
                lines.append(f"{each.words}: {a} → {b} % of the games ({moved})")
        titles[f"route-{number}"] = "\n".join(lines)
    return titles


def change_layers(edition: Edition, routes: pd.DataFrame, names: tuple[str, str], car: float) -> list[Layer]:
    """Layers for sure changes of each number, then for both sides."""
    placed, numbers = _by_route(edition, routes), _known_numbers(routes)
    layers = [_change(placed, number, names, car) for number in numbers if _is_sure(placed, number).any()]
    # Unsure changes are not drawn: a reader would see a pattern in noise.
    for number in numbers:
        layers += _sides(placed, number, names, car)
    return layers


def _change(placed: pd.DataFrame, number: Number, names: tuple[str, str], car: float) -> Layer:
    """Show the sure changes of a number."""
    # Steps are p upward, m downward, u without a sure difference, n not in both.
    differences = placed[f"{number.prefix}difference"]
    gaps: Points = differences.where(_is_sure(placed, number)).to_numpy(float)
    scale = BandScale.over(np.abs(gaps), 0.0, MOST_BANDS)
    steps = []
    for gap, is_known in zip(gaps, differences.notna(), strict=True):
        if np.isnan(gap):
            steps.append("u" if is_known else "n")
        else:
            steps.append(f"{'p' if gap >= 0 else 'm'}{scale.band(abs(gap))}")
    looks = {"u": f"stroke:var(--soft);stroke-width:{UNSURE_WIDTH}", "n": DOTTED}
    less: list[Step] = []
    more: list[Step] = []
    for band, (low, high) in enumerate(pairwise(f"{edge * 100:.3g}" for edge in scale.edges)):
        width = step_width(scale.steps[band], car)
        looks[f"p{band}"] = f"stroke:var(--{MORE_INK});stroke-width:{width:.1f}"
        looks[f"m{band}"] = (
            f"stroke:var(--{LESS_INK});stroke-width:{width:.1f};stroke-dasharray:7 3;stroke-linecap:butt"
        )
        to, start = (low, low) if low == "0" else (f"{MINUS}{low}", f"+{low}")
        less.insert(0, Step(f"{MINUS}{high} to {to}", LESS_INK, width, dashed=True))
        more.append(Step(f"{start} to +{high}", MORE_INK, width))
    mode = Mode(
        f"change-{number.name}",
        f"change: {number.words}",
        f"Where routes are {number.words} more or less often",
        f"Percentage points of the games, {names[1]} minus {names[0]}. Dotted: not in both.",
        [*less, Step("no sure difference", "soft", 1), *more],
    )
    return Layer(mode, steps, looks)


def _sides(placed: pd.DataFrame, number: Number, names: tuple[str, str], car: float) -> Iterator[Layer]:
    """Layers of one number for A and B, sharing a scale."""
    columns = placed[[number.prefix + side for side in "ab"]].to_numpy(float).T
    scale = BandScale.over(columns, 0.0)
    for side, name, column in zip("ab", names, columns, strict=True):
        title = f"How often routes are {number.words} in {name}"
        caption = "Share of games. Dashed: no estimate."
        mode = Mode(f"{number.name}-{side}", f"{number.words} in {name}", title, caption, scale.legend("share"))
        yield Layer(mode, [scale.step(value) for value in column], scale.looks(car))


def _is_sure(routes: pd.DataFrame, number: Number) -> pd.Series[bool]:
    return routes[number.notable].fillna(False).astype(bool)


def _known_numbers(routes: pd.DataFrame) -> list[Number]:
    return [number for number in ROUTES.numbers if routes[f"{number.prefix}difference"].notna().any()]


def _keys(table: pd.DataFrame, kind: str) -> Iterator[Key]:
    """Yield the key of each line, with its ends in alphabetical order."""
    for one, other, which, copy in table[["from", "to", kind, "copy"]].itertuples(index=False, name=None):
        yield min(one, other), max(one, other), which, copy


def _by_route(edition: Edition, routes: pd.DataFrame) -> pd.DataFrame:
    """The comparison's row for each route, empty where there is none."""
    lines = {key: line for line, key in enumerate(_keys(routes, "color"))}
    return routes.reset_index(drop=True).reindex([lines.get(key, -1) for key in route_keys(edition)])


def route_targets(edition: Edition, routes: pd.DataFrame) -> list[str]:
    """Route on the map for each row of the comparison."""
    numbers = {key: number for number, key in enumerate(route_keys(edition))}
    return [f"route-{numbers[key]}" for key in _keys(routes, "color")]


def ticket_targets(edition: Edition, keys: Sequence[Key], tickets: pd.DataFrame) -> list[str]:
    """Ends on the map of the ticket in each row of the comparison."""
    ends = {}
    for key, ticket in zip(keys, edition.tickets, strict=True):
        ends[key] = " ".join(f"city-{city}" for city in (*ticket.a_cities, *ticket.b_cities))
    return [ends.get(key, "") for key in _keys(tickets, "deck")]


def balance_map(edition: Edition, edits: Iterable[Edit]) -> tuple[Figure, Mapping[str, str]]:
    """Draw a board with its edits, and write the tips of its routes.

    Changed routes are wide and blue, removed ones orange and dashed, changed tickets dotted lines.
    """
    layout = lay_out(edition)
    figure, axes, lines = line_board(edition, layout)
    for line in lines:
        line.set_linewidth(THIN)
    titles = {f"route-{row}": name for row, name in enumerate(route_names(edition))}
    of_tickets = []
    for edit in edits:
        if edit.file == balance_edits.TICKETS:
            of_tickets.append(edit)
        if edit.file == balance_edits.ROUTES:
            titles[f"route-{edit.row}"] = balance_edits.describe_edit(edition, edit)
            removed = edit.action == balance_edits.REMOVE
            look = {"color": LESS, "linestyle": DASHES} if removed else {"color": MORE, "solid_capstyle": "round"}
            lines[edit.row].set(linewidth=layout.sizes.car, **look)
    for edit in of_tickets:  # over the cities, so that no name hides the points
        ticket = edition.tickets[edit.row]
        (x, y), (to_x, to_y) = (layout.places[ends[0]] for ends in (ticket.a_cities, ticket.b_cities))
        dotted: dict[str, Any] = {"color": TICKET, "linewidth": 2.2, "linestyle": DOTS, "transform": axes.transData}
        label = text(axes, (x + to_x) / 2, (y + to_y) / 2, f"{ticket.points} → {edit.value}", LABEL, TICKET)
        label.set_bbox({"facecolor": PAPER, "edgecolor": TICKET, "boxstyle": "round,pad=0.2", "linewidth": 0.8})
        add(axes, Group(f"ticket-{edit.row}", [Line2D([x, to_x], [y, to_y], **dotted), label]))
    return figure, titles
