"""The look all charts share: inks that the page can swap, a palette safe for the color-blind, marks beside colors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.words import ends
from ttr_sim.report.board.colors import INK, SOFT_INK
from ttr_sim.report.charts.panels import Panel
from ttr_sim.report.numbers import ALL, interval, main_count, percent_tick, players_words, with_unit

if TYPE_CHECKING:
    import pandas as pd

GROUND = "#fefefe"
# Okabe and Ito's colors without their yellow, darkened where they are pale: one ink and one mark a series.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#b3579a", "#9a6a00", "#3fa0d8", "#5c6670", "#7a4fbf")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 1)), (0, (8, 2)))
MOST_TICKS = 6
LETTERS_ACROSS = 150  # of legend text in a figure's width
WIDTH = 11.4  # inches: a page's column at 1280 pixels
# Names of marks stand on ground, so that no line strikes them through.
ON_GROUND: dict[str, Any] = {
    "textcoords": "offset points",
    "fontsize": 7.5,
    "color": INK,
    "bbox": {"facecolor": GROUND, "edgecolor": "none", "pad": 0.6},
    "zorder": 5,
}

LOOK: Any = {
    "font.size": 10.0,
    "axes.edgecolor": SOFT_INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # else each drawing looks for what a title might collide with
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "legend.frameon": False,
    "figure.facecolor": GROUND,
    "axes.facecolor": "none",
}


@dataclass(frozen=True)
class Chart:
    """A figure with what it shows and how it is read; `name` is its file and its anchor."""

    name: str
    title: str
    caption: str
    figure: Figure


class Tips(Artist):
    """Words at places of a panel, which the page shows when they are pointed at; nothing is drawn."""

    def __init__(self, places: Iterable[tuple[float, float, str]]) -> None:
        super().__init__()
        self.places = [(float(x), float(y), words) for x, y, words in places]

    def draw(self, renderer: Any) -> None:
        return


def tell(panel: Axes, places: Iterable[tuple[float, float, str]]) -> None:
    """Say what stands at places of a panel, given in its own coordinates; those without a number are left out."""
    panel.add_artist(Tips(place for place in places if np.isfinite(place[:2]).all()))


def sheet(height: float, width: float = WIDTH) -> Figure:
    return Figure(figsize=(width, height), layout="constrained")


def one(height: float, width: float = WIDTH) -> tuple[Figure, Panel]:
    figure = sheet(height, width)
    return figure, _panel(figure, (1, 1, 1))


def facets(
    titles: Sequence[str], height: float, share_y: bool = True, share_x: bool = True, across: int = 0
) -> tuple[Figure, list[Panel]]:
    """Return panels, one per title, as many `across` as said or all; those that share y have its labels on the first of
    a row alone."""
    figure = sheet(height)
    panels: list[Panel] = []
    across = across or len(titles)
    down = -(-len(titles) // across)
    for number, title in enumerate(titles):
        first = panels[0] if panels else None
        shared = {"sharex": first if share_x else None, "sharey": first if share_y else None}
        panel = _panel(figure, (down, across, number + 1), **shared)
        panel.rules.y.has_labels = number % across == 0 or not share_y
        panel.set_title(title)
        panels.append(panel)
    return figure, panels


def _panel(figure: Figure, place: tuple[int, int, int], **shared: Any) -> Panel:
    panel = figure.add_subplot(*place, axes_class=Panel, **shared)
    assert isinstance(panel, Panel)
    return panel


def legend(figure: Figure, handles: Sequence[Any] = (), labels: Sequence[str] = ()) -> None:
    """Put a legend above the panels, in as many columns as fit; by default of the first panel's labels."""
    if not labels:
        handles, labels = figure.axes[0].get_legend_handles_labels()
    longest = max((len(label) for label in labels), default=0)
    columns = max(1, min(len(labels), int(LETTERS_ACROSS / (longest + 7))))
    figure.legend(handles=list(handles), labels=list(labels), loc="outside upper left", ncols=columns)


def short(name: object, most: int = 24) -> str:
    """Cut a name so that it leaves room for the chart."""
    words = str(name)
    return words if len(words) <= most else f"{words[: most - 1]}…"


def short_ends(row: Mapping[Any, Any]) -> str:
    """Return `A–B` of a route or ticket, each name cut short where it must be."""
    return ends({end: short(row[end], 18) for end in ("from", "to")})


def whole_axis(axis: Any) -> None:
    """Put marks at whole numbers only, points and turns have no halves; so few that they fit a narrow panel."""
    axis.set_major_locator(MaxNLocator(nbins=MOST_TICKS, integer=True, steps=(1, 2, 5, 10)))


def percent_axis(axis: Any, signed: bool = False) -> None:
    axis.set_major_formatter(FuncFormatter(lambda value, _: percent_tick(value, signed)))


def spans(frame: pd.DataFrame, column: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return distances from each number down and up to the ends of its interval, as error bars want them."""
    value = frame[column].to_numpy(float)
    low, high = frame[f"{column}_low"].to_numpy(float), frame[f"{column}_high"].to_numpy(float)
    distances: np.ndarray[Any, np.dtype[np.float64]] = np.clip(np.stack([value - low, high - value]), 0, None)
    distances[np.isnan(distances)] = 0.0
    return distances


def dots(
    panel: Axes,
    values: pd.DataFrame,
    column: str,
    at: Iterable[float],
    names: Sequence[str] = (),
    unit: Unit = "share",
    **look: Any,
) -> None:
    """Draw numbers along x with their intervals; with `names`, each tells its own when it is pointed at."""
    at = list(at)
    style: dict[str, Any] = {"fmt": "o", "markersize": 5, "elinewidth": 1.4, "capsize": 2.5, "linestyle": "none"} | look
    panel.errorbar(values[column].to_numpy(float), at, xerr=spans(values, column), **style)
    if names:
        rows = zip(at, names, *(values[f"{column}{end}"].tolist() for end in ("", "_low", "_high")), strict=True)
        tell(panel, [(x, y, f"{name}: {_in_words(x, low, high, unit)}") for y, name, x, low, high in rows])


def in_full(row: Mapping[Any, Any], column: str, unit: Unit) -> str:
    """Write a number with its unit and its interval."""
    return _in_words(row[column], row[f"{column}_low"], row[f"{column}_high"], unit)


def _in_words(value: Any, low: Any, high: Any, unit: Unit) -> str:
    between = interval(low, high, unit)
    return f"{with_unit(value, unit)}{f' ({between})' if between else ''}"


def rows_of(panels: Sequence[Panel], names: Sequence[str]) -> None:
    """Name rows from the top down, for panels side by side."""
    for panel in panels:
        panel.rules.y.name_places(names)
        panel.rules.y.has_grid = False
    panels[0].set_ylim(len(names) - 0.4, -0.6)


def of_main_count(frame: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the rows of the player count that is shown first, and its words."""
    count = main_count(counts_in(frame))
    return frame[frame["players"] == count], players_words(count)


def quantiles(values: pd.Series[float], weights: pd.Series[int], shares: Sequence[float]) -> list[float]:
    """Return below which values these shares of the weight lie."""
    order = np.argsort(values.to_numpy(float))
    known, reached = values.to_numpy(float)[order], np.cumsum(weights.to_numpy(float)[order])
    return [float(known[np.searchsorted(reached, share * reached[-1])]) for share in shares]


def counts_in(frame: pd.DataFrame) -> list[int]:
    """Return the player counts of a table, without `all together`."""
    return sorted(int(count) for count in frame["players"].unique() if count != ALL)


def by_count(frame: pd.DataFrame, key: str, keys: list[Any]) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield for each player count the rows of the given keys, in their order."""
    for count in counts_in(frame):
        yield count, frame[frame["players"] == count].set_index(key).reindex(keys)


def mean_order(frame: pd.DataFrame, key: str, column: str) -> list[Any]:
    """Order keys by the mean of a column over the player counts, largest first."""
    means = frame.groupby(key)[column].mean().sort_values(ascending=False, kind="stable")
    return list(means.index.to_list())


def marks(
    panel: Axes, frame: pd.DataFrame, column: str, key: str, keys: list[Any], names: Sequence[str], unit: Unit
) -> None:
    """Draw one row per key with a mark per player count, one above the other."""
    counts = len(counts_in(frame))
    for number, (count, rows) in enumerate(by_count(frame, key, keys)):
        lines = np.arange(len(keys)) + (number - (counts - 1) / 2) * 0.17
        look = {"fmt": MARKS[number % len(MARKS)], "color": SERIES[number % len(SERIES)], "label": players_words(count)}
        told = [f"{name}, {players_words(count)}" for name in names]
        dots(panel, rows, column, lines, told, unit, markersize=4, capsize=0, **look)
