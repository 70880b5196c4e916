"""Panels, axes, intervals and names that all charts share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.text import MINUS, ends
from ttr_sim.report.board.routing import Points
from ttr_sim.report.figures import GROUND, INK, MARKS, SERIES, Chart, add_tips
from ttr_sim.report.numbers import ALL, HEADING_UNITS, interval, main_count, players_words, written

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

    Drawing = tuple[str, Figure]  # with its title
    Draw = Callable[[Analysis, pd.DataFrame], Drawing | None]

WIDTH = 11.4  # inches: a page's column at 1280 pixels
MOST_TICKS = 6
LETTERS_ACROSS = 150  # of legend text in a figure's width
Panel = tuple[Axes, int, pd.DataFrame]  # with its player count and the rows of it


def chart(name: str, table: str, known: str = "") -> Callable[[Draw], Callable[[Analysis], Chart | None]]:
    """Make a chart of a table, none without rows. `known` is an estimate that rows must have."""
    return lambda draw: partial(_chart_of, draw, name, table, known)


def _chart_of(draw: Draw, name: str, table: str, known: str, analysis: Analysis) -> Chart | None:
    rows = analysis.tables[table].dropna(subset=[known] if known else [])
    drawing = None if rows.empty else draw(analysis, rows)
    return Chart(name, *drawing) if drawing else None


def facets(titles: Sequence[str], height: float, share_y: bool = True, share_x: bool = True) -> tuple[Figure, Any]:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    panels = figure.subplots(1, len(titles), sharex=share_x, sharey=share_y, squeeze=False)[0]
    for panel, title in zip(panels, titles, strict=True):
        panel.set_title(title)
    return figure, panels


def count_panels(frame: pd.DataFrame, height: float, share_x: bool = True) -> tuple[Figure, list[Panel]]:
    """Make a panel for each player count, on one scale so that counts can be compared."""
    counts = counts_in(frame)
    figure, panels = facets([players_words(count) for count in counts], height, share_x=share_x)
    rows = [frame[frame["players"] == count] for count in counts]
    return figure, list(zip(panels, counts, rows, strict=True))


def label_axis(axis: Any, words: str, ticks: Literal["", "whole", "percent", "signed percent"] = "") -> None:
    """Name an axis, with ticks at whole numbers or in percent."""

    def percent(value: float, _: object) -> str:  # without decimals that it does not need
        sign = MINUS if value < -1e-9 else "+" if ticks == "signed percent" and value > 1e-9 else ""
        return f"{sign}{abs(value) * 100:g} %"

    axis.set_label_text(words)
    if ticks == "whole":  # few enough for a narrow panel
        axis.set_major_locator(MaxNLocator(nbins=MOST_TICKS, integer=True, steps=(1, 2, 5, 10)))
    elif ticks:
        axis.set_major_formatter(FuncFormatter(percent))


def legend(figure: Figure) -> None:
    handles, labels = figure.axes[0].get_legend_handles_labels()
    longest = max((len(label) for label in labels), default=0)
    columns = max(1, min(len(labels), int(LETTERS_ACROSS / (longest + 7))))
    figure.legend(handles, labels, loc="outside upper left", ncols=columns)


def name_rows(panels: Sequence[Axes], names: Sequence[str]) -> None:
    for panel in panels:
        panel.set_yticks(range(len(names)), names)
        panel.tick_params(axis="y", length=0)
        panel.grid(False, axis="y")
    panels[0].set_ylim(len(names) - 0.4, -0.6)


def error_bars(frame: pd.DataFrame, column: str) -> Points:
    """Distances from each number to both ends of its interval."""
    low, value, high = (frame[f"{column}{end}"].to_numpy(float) for end in ("_low", "", "_high"))
    # Small samples have no interval, which draws as a dot without a bar.
    distances: Points = np.nan_to_num(np.clip(np.stack([value - low, high - value]), 0, None))
    return distances


def dots(
    panel: Axes, frame: pd.DataFrame, column: str, at: Any, names: Sequence[str], unit: Unit = "share", **look: Any
) -> None:
    """Draw numbers along x with their intervals, at heights, and tips with `names`."""
    style: dict[str, Any] = {"fmt": "o", "markersize": 5, "elinewidth": 1.4, "capsize": 2.5, "linestyle": "none"}
    panel.errorbar(frame[column].to_numpy(float), at, xerr=error_bars(frame, column), **(style | look))
    rows = zip(names, frame.to_dict("records"), strict=True)
    add_tips(panel, frame[column], at, [f"{name}: {number_words(row, column, unit)}" for name, row in rows])


def dots_by_count(
    panel: Axes, frame: pd.DataFrame, column: str, key: str, names: Mapping[Any, str], unit: Unit
) -> None:
    """Draw a row per key with a mark per player count."""
    counts = counts_in(frame)
    for number, count in enumerate(counts):  # the marks of a row stand close above each other
        rows = frame[frame["players"] == count].set_index(key).reindex(list(names))
        lines = np.arange(len(names)) + (number - (len(counts) - 1) / 2) * 0.17
        look = {"fmt": MARKS[number % len(MARKS)], "color": SERIES[number % len(SERIES)], "label": players_words(count)}
        tips = [f"{name}, {players_words(count)}" for name in names.values()]
        dots(panel, rows, column, lines, tips, unit, markersize=4, capsize=0, **look)
    name_rows([panel], [short(name) for name in names.values()])


def name_mark(panel: Axes, name: str, x: float, y: float) -> None:
    is_right = x > sum(panel.get_xlim()) / 2
    # On the background color, so that no line strikes the name through.
    box = {"facecolor": GROUND, "edgecolor": "none", "pad": 0.6}
    look: dict[str, Any] = {"textcoords": "offset points", "fontsize": 7.5, "color": INK, "bbox": box, "zorder": 5}
    panel.annotate(name, (x, y), (-7.0 if is_right else 7.0, -3.0), ha="right" if is_right else "left", **look)


def number_words(row: Mapping[Any, Any], column: str, unit: Unit) -> str:
    """Write a number with its unit and its interval."""
    number = f"{written(row[column], unit)} {HEADING_UNITS.get(unit, '')}".strip()
    between = interval(row[f"{column}_low"], row[f"{column}_high"], unit)
    return f"{number} ({between})" if between else number


def short(name: object, most: int = 24) -> str:
    """Cut a name so that it leaves room for the chart."""
    words = str(name)
    return words if len(words) <= most else f"{words[: most - 1]}…"


def short_ends(row: Mapping[Any, Any]) -> str:
    return ends({end: short(row[end], 18) for end in ("from", "to")})


def counts_in(frame: pd.DataFrame) -> list[int]:
    return sorted(int(count) for count in frame["players"].unique() if count != ALL)


def of_main_count(frame: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Rows of the player count that is shown first, and its words."""
    count = main_count(counts_in(frame))
    return frame[frame["players"] == count], players_words(count)


def mean_order(frame: pd.DataFrame, key: str, column: str) -> list[Any]:
    """Order keys by a column's mean over the player counts, largest first."""
    means = frame.groupby(key)[column].mean().sort_values(ascending=False, kind="stable")
    return list(means.index.to_list())
