"""What tickets are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from ttr_sim.report.board.colors import INK, SOFT_INK
from ttr_sim.report.charts.style import MARKS, SERIES, Chart, dots, one, percent_axis, rows_of, spans, together

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.whole import Analysis

EACH_SIDE = 12  # tickets shown at both ends of the ranking
NAMED = 7  # tickets named in the scatter at both ends, but for those whose names would collide
NAME_ROOM = np.array([0.2, 0.045])  # share of the axes that a name takes


def ticket_values(analysis: Analysis) -> Chart | None:
    """Printed against fair value, one dot a ticket."""
    tickets = together(analysis.tables["ticket_value"]).dropna(subset=["fair_points"])
    if tickets.empty:
        return None
    figure, panel = one(4.6)
    for number, (deck, rows) in enumerate(tickets.groupby("deck", sort=True)):
        look: dict[str, Any] = {"fmt": MARKS[number], "color": SERIES[number], "label": str(deck)}
        scatter = rows["points"] + _beside(rows)
        panel.errorbar(scatter, rows["fair_points"], spans(rows, "fair_points"), elinewidth=0.9, markersize=4.5, **look)
    _diagonal(panel, tickets)
    _name_extremes(panel, tickets)
    panel.set_xlabel("printed points")
    panel.set_ylabel("fair points")
    if tickets["deck"].nunique() > 1:
        panel.legend(title="deck", loc="upper left")
    return Chart(
        "ticket-values",
        "Printed and fair value of each ticket",
        "Below the line a ticket is overpriced: those dealt it gain more than with the mean ticket of its deck. Above "
        "the line it is underpriced. Fair value is the printed value at which it would do neither, to a first order. "
        "Bars are 95 % intervals.",
        figure,
    )


def _beside(rows: pd.DataFrame) -> np.ndarray[Any, Any]:
    """Small sideways steps, so that tickets of the same printed value do not cover each other."""
    place = rows.groupby("points").cumcount().to_numpy(float)
    size = rows.groupby("points")["points"].transform("size").to_numpy(float)
    steps: np.ndarray[Any, Any] = (place - (size - 1) / 2) / np.maximum(size, 6) * 0.7
    return steps


def _diagonal(panel: Axes, tickets: pd.DataFrame) -> None:
    ends = [float(tickets["points"].min()) - 1, float(tickets["points"].max()) + 1]
    panel.plot(ends, ends, color=SOFT_INK, linewidth=1.0, zorder=1)
    look: dict[str, Any] = {
        "xytext": (-4, -12),
        "textcoords": "offset points",
        "ha": "right",
        "color": SOFT_INK,
        "fontsize": 8.5,
    }
    panel.annotate("fair = printed", (ends[1], ends[1]), **look)


def _name_extremes(panel: Axes, tickets: pd.DataFrame) -> None:
    gap = (tickets["fair_points"] - tickets["points"]).sort_values()
    room = np.array([np.ptp(tickets["points"]) + 1, np.ptp(tickets["fair_points"]) + 1]) * NAME_ROOM
    named: list[np.ndarray[Any, Any]] = []
    for label in [*gap.index[:NAMED], *gap.index[::-1][:NAMED]]:
        row = tickets.loc[label]
        place = row[["points", "fair_points"]].to_numpy(float)
        if all((np.abs(place - other) > room).any() for other in named):
            named.append(place)
            words = f"{row['from']}–{row['to']}"
            panel.annotate(words, place, xytext=(7, -3), textcoords="offset points", fontsize=7.5, color=INK)


def ticket_effects(analysis: Analysis) -> Chart | None:
    """The tickets that help and hurt most, with the naive figure beside."""
    tickets = together(analysis.tables["ticket_value"]).dropna(subset=["win_effect"])
    if tickets.empty:
        return None
    tickets = tickets.sort_values("win_effect", ascending=False)
    if len(tickets) > 2 * EACH_SIDE:
        tickets = tickets.iloc[[*range(EACH_SIDE), *range(-EACH_SIDE, 0)]]
    figure, panel = one(0.9 + 0.2 * len(tickets))
    places = range(len(tickets))
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    naive = "win share when kept, minus the deck's mean (naive)"
    panel.plot(
        tickets["kept_win_gap"], places, "D", markersize=4.5, markerfacecolor="none", color=SERIES[1], label=naive
    )
    dots(panel, tickets, "win_effect", places, color=SERIES[0], label="effect of being dealt it (95 % interval)")
    rows_of(panel, [_words(row) for row in tickets.to_dict("records")])
    percent_axis(panel.xaxis, signed=True)
    panel.set_xlabel("change of the win share")
    figure.legend(loc="outside upper left", ncols=2)
    return Chart(
        "ticket-effects",
        "Tickets that help and hurt most",
        "Filled: how much being dealt the ticket at setup changes the share of wins, against the mean ticket of the "
        "same deck; deals are random, so this is the ticket's doing. Hollow: how often those who kept it win, which "
        "mixes the ticket with who keeps what.",
        figure,
    )


def _words(row: dict[Any, Any]) -> str:
    return f"{row['from']}–{row['to']}  {row['points']}"
