"""What tickets are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from ttr_sim.analysis.ranking import ranked
from ttr_sim.report.board.colors import INK, SOFT_INK
from ttr_sim.report.charts.style import (
    MARKS,
    SERIES,
    Chart,
    dots,
    legend,
    one,
    percent_axis,
    rows_of,
    short_ends,
    spans,
)

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis

EACH_SIDE = 12  # tickets shown at both ends of the ranking
NAMED = 7  # tickets named in the scatter at both ends
FAIR_CAPTION = (
    "Below the line a ticket is too generous: those dealt it gain more than with the mean ticket of its deck. Above "
    "the line it is too stingy. Fair value is the printed value at which it would do neither, to a first order. "
    "All player counts together; bars are 95 % intervals."
)
EFFECT_CAPTION = (
    "How much being dealt the ticket at setup changes the final score, against the mean ticket of its deck: above the "
    "line it is too generous, below it too stingy. Few tickets have a fair value, because the styles complete too few. "
    "All player counts together; bars are 95 % intervals."
)
NAME_ROOM = np.array([0.2, 0.045])  # share of the axes that a name takes


def ticket_values(analysis: Analysis) -> Chart | None:
    """Draw printed value against what the ticket gives, one dot per ticket."""
    tickets = _widest(analysis.tables["ticket_value"])
    known = tickets.dropna(subset=["fair_points_low"])
    if 2 * len(known) > len(tickets):
        return _scatter(known, "fair_points", "fair points", FAIR_CAPTION)
    known = tickets.dropna(subset=["points_effect_low"])
    return None if known.empty else _scatter(known, "points_effect", "change of the final score", EFFECT_CAPTION)


def _widest(tickets: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of all player counts together, or of the only one."""
    widest: pd.DataFrame = tickets[tickets["players"] == tickets["players"].min()]
    return widest


def _scatter(tickets: pd.DataFrame, column: str, words: str, caption: str) -> Chart:
    figure, panel = one(5.0)
    even = tickets["points"] if column == "fair_points" else tickets["points"] * 0.0
    aside = tickets["points"] + _beside(tickets)
    for number, (deck, rows) in enumerate(tickets.groupby("deck", sort=True)):
        look: dict[str, Any] = {"fmt": MARKS[number], "color": SERIES[number], "label": f"deck {deck}"}
        panel.errorbar(aside[rows.index], rows[column], spans(rows, column), elinewidth=0.9, markersize=4.5, **look)
    ends = tickets["points"].agg(["min", "max"]).to_numpy(float) + np.array([-1.0, 1.0])
    panel.plot(ends, ends if even.any() else [0.0, 0.0], color=SOFT_INK, linewidth=1.0, zorder=1)
    _name_extremes(panel, aside, tickets[column], tickets[column] - even, tickets)
    panel.set_xlabel("printed points")
    panel.set_ylabel(words)
    if tickets["deck"].nunique() > 1:
        legend(figure)
    return Chart("ticket-values", "What tickets give for their printed value", caption, figure)


def _beside(rows: pd.DataFrame) -> np.ndarray[Any, Any]:
    """Return small sideways steps, so that tickets of the same printed value do not cover each other."""
    number = rows.groupby("points").cumcount().to_numpy(float)
    size = rows.groupby("points")["points"].transform("size").to_numpy(float)
    steps: np.ndarray[Any, Any] = (number - (size - 1) / 2) / np.maximum(size, 6) * 0.7
    return steps


def _name_extremes(
    panel: Axes, x: pd.Series[float], y: pd.Series[float], gap: pd.Series[float], tickets: pd.DataFrame
) -> None:
    """Name the tickets farthest from the line, but for those whose names would collide."""
    order = ranked(tickets.assign(gap=gap), "gap", ascending=True).index
    room = np.array([np.ptp(x) + 1, np.ptp(y) + 1]) * NAME_ROOM
    named: list[np.ndarray[Any, Any]] = []
    for label in [*order[:NAMED], *order[::-1][:NAMED]]:
        dot = np.array([x[label], y[label]], dtype=float)
        if all((np.abs(dot - other) > room).any() for other in named):
            named.append(dot)
            look: dict[str, Any] = {"textcoords": "offset points", "fontsize": 7.5, "color": INK}
            panel.annotate(short_ends(tickets.loc[label]), (x[label], y[label]), xytext=(7, -3), **look)


def ticket_effects(analysis: Analysis) -> Chart | None:
    """Draw the tickets that help and hurt most, with the naive number beside."""
    tickets = _widest(analysis.tables["ticket_value"]).dropna(subset=["win_effect_low"])
    if tickets.empty:
        return None
    tickets = ranked(tickets, "win_effect")
    if len(tickets) > 2 * EACH_SIDE:
        tickets = tickets.iloc[[*range(EACH_SIDE), *range(-EACH_SIDE, 0)]]
    figure, panel = one(0.9 + 0.2 * len(tickets))
    lines = range(len(tickets))
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    naive = "win share when kept, minus the deck's mean (naive)"
    panel.plot(
        tickets["kept_win_gap"], lines, "D", markersize=4.5, markerfacecolor="none", color=SERIES[1], label=naive
    )
    dots(panel, tickets, "win_effect", lines, color=SERIES[0], label="effect of being dealt it (95 % interval)")
    rows_of([panel], [_words(row) for row in tickets.to_dict("records")])
    percent_axis(panel.xaxis, signed=True)
    panel.set_xlabel("change of the win share")
    legend(figure)
    return Chart(
        "ticket-effects",
        "Tickets that help and hurt most",
        "Filled: start with the ticket and you win that many more games in 100 than with the mean ticket of the same "
        "deck; deals are random, so this is the ticket's doing. Hollow: how often those who kept it win, which "
        "mixes the ticket with who keeps what.",
        figure,
    )


def _words(row: dict[Any, Any]) -> str:
    return f"{short_ends(row)}  {row['points']}"
