"""Styles, seats and where the points come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from ttr_sim.report.board.colors import INK, SOFT_INK
from ttr_sim.report.charts.style import (
    GROUND,
    MARKS,
    SERIES,
    Chart,
    counts_in,
    dots,
    facets,
    one,
    percent_axis,
    players_title,
    rows_of,
    spans,
    together,
)

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.whole import Analysis

HATCHES = ("", "////", "\\\\\\\\", "xxxx", "----", "||||", "++++", "//")
EVEN = 0.5


def style_wins(analysis: Analysis) -> Chart | None:
    """Win share of each style by player count."""
    styles = analysis.tables["strategies"]
    counts = counts_in(styles)
    if styles.empty:
        return None
    bots = _by_strength(styles)
    figure, panels = facets([players_title(count) for count in counts], 1.1 + 0.3 * len(bots))
    for panel, count in zip(panels, counts, strict=True):
        rows = styles[styles["players"] == count].set_index("bot").reindex(bots)
        panel.axvline(float(rows["fair"].max()), color=SOFT_INK, linewidth=1.0, linestyle="--")
        dots(panel, rows, "win_share", range(len(bots)), color=SERIES[0])
        panel.set_xlim(left=0)
        percent_axis(panel.xaxis)
    rows_of(panels[0], bots)
    _no_row_lines(panels)
    return Chart(
        "style-wins",
        "How each play style fares",
        "Share of wins per seat held, with 95 % intervals; the broken line is an even share.",
        figure,
    )


def _no_row_lines(panels: list[Axes]) -> None:
    for panel in panels:
        panel.grid(axis="y", visible=False)
        panel.tick_params(axis="y", length=0)


def _by_strength(styles: pd.DataFrame) -> list[str]:
    return list(together(styles).sort_values("win_share", ascending=False)["bot"])


def matchup_matrix(analysis: Analysis) -> Chart | None:
    """Style against style as a grid a player count."""
    pairs = analysis.tables["matchups"]
    if pairs.empty:
        return None
    counts = counts_in(pairs)
    bots = [bot for bot in _by_strength(analysis.tables["strategies"]) if bot in set(pairs["bot"])]
    figure, panels = facets([players_title(count) for count in counts], 1.5 + 8.0 / len(counts) * 0.85)
    for panel, count in zip(panels, counts, strict=True):
        grid = pairs[pairs["players"] == count].pivot_table(index="bot", columns="opponent", values="share")
        _heat(panel, grid.reindex(index=bots, columns=bots).to_numpy(float), bots, small=len(counts) * len(bots) > 16)
    panels[0].set_yticks(range(len(bots)), bots)
    return Chart(
        "matchups",
        "Style against style",
        "Read along a row: of the wins that fall to one of the two, the share of the row's style, in percent. "
        "Orange with a number below 50 is a loss, blue above 50 a win.",
        figure,
    )


def _heat(panel: Axes, grid: np.ndarray[Any, Any], bots: list[str], small: bool) -> None:
    panel.imshow(grid, cmap="PuOr", vmin=0.1, vmax=0.9, aspect="auto")
    panel.set_xticks(range(len(bots)), bots, rotation=40, ha="right", rotation_mode="anchor")
    panel.grid(visible=False)
    panel.tick_params(length=0)
    for row, column in np.argwhere(~np.isnan(grid)):
        share = float(grid[row, column])
        ink = "#ffffff" if abs(share - EVEN) > 0.28 else "#1f2429"
        panel.text(column, row, f"{share * 100:.0f}", ha="center", va="center", color=ink, fontsize=7 if small else 9)


def ratings(analysis: Analysis) -> Chart | None:
    """Bradley-Terry ratings, one mark a player count."""
    styles = analysis.tables["strategies"].dropna(subset=["rating"])
    if styles.empty:
        return None
    bots = _by_strength(analysis.tables["strategies"])
    counts = counts_in(styles)
    figure, panel = one(1.2 + 0.38 * len(bots))
    for number, count in enumerate(counts):
        rows = styles[styles["players"] == count].set_index("bot").reindex(bots)
        places = np.arange(len(bots)) + (number - (len(counts) - 1) / 2) * 0.16
        dots(panel, rows, "rating", places, fmt=MARKS[number], color=SERIES[number], label=players_title(count))
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    rows_of(panel, bots)
    panel.set_xlabel("rating (Elo scale, mean 0)")
    figure.legend(loc="outside upper left", ncols=len(counts))
    return Chart(
        "ratings",
        "Ratings of the styles",
        "Bradley-Terry ratings from all pairs at a table; 100 more mean winning 64 of 100 wins between the two.",
        figure,
    )


def seat_wins(analysis: Analysis) -> Chart | None:
    """Win share by seat and player count."""
    seats = analysis.tables["seats"]
    counts = [count for count in counts_in(seats) if count]
    if seats.empty or not counts:
        return None
    figure, panels = facets([players_title(count) for count in counts], 2.9, share_y=False, share_x=False)
    for panel, count in zip(panels, counts, strict=True):
        rows = seats[seats["players"] == count].sort_values("seat")
        places = [f"{seat + 1}." for seat in rows["seat"]]
        panel.bar(
            places, rows["win_share"], yerr=spans(rows, "win_share"), color=SERIES[5], ecolor=INK, capsize=3, width=0.62
        )
        panel.axhline(1 / count, color=INK, linewidth=1.0, linestyle="--")
        panel.set_ylim(0, 1.45 / count)
        percent_axis(panel.yaxis)
        panel.grid(axis="x", visible=False)
    panels[0].set_ylabel("share of wins")
    return Chart(
        "seats",
        "Does turn order matter?",
        "Share of wins by place in turn order, with 95 % intervals; the broken line is an even share.",
        figure,
    )


def score_parts(analysis: Analysis) -> Chart | None:
    """Mean points by source, one bar a style."""
    parts = together(analysis.tables["score_parts"])
    if parts.empty:
        return None
    grid = parts.pivot_table(index="bot", columns="part", values="mean", sort=False)
    order = [bot for bot in ["", *_by_strength(analysis.tables["strategies"])] if bot in grid.index]
    grid = grid.reindex(order)
    figure, panel = one(1.3 + 0.36 * len(grid))
    left, right = np.zeros(len(grid)), np.zeros(len(grid))
    for number, part in enumerate(grid.columns):
        values = grid[part].fillna(0).to_numpy(float)
        start = np.where(values < 0, left, right)
        look: dict[str, Any] = {
            "color": SERIES[number % len(SERIES)],
            "hatch": HATCHES[number % len(HATCHES)],
            "edgecolor": GROUND,
        }
        panel.barh(
            range(len(grid)), values, left=start, height=0.66, linewidth=0.6, label=part.replace("_", " "), **look
        )
        left, right = left + np.minimum(values, 0), right + np.maximum(values, 0)
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    rows_of(panel, [bot or "all styles" for bot in order])
    panel.set_xlabel("mean points of a seat")
    figure.legend(loc="outside upper left", ncols=4)
    return Chart(
        "score-parts", "Where points come from", "Mean points a seat by source; penalties to the left.", figure
    )
