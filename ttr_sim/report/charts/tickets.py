"""What tickets are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from ttr_sim.analysis.ranking import ranked
from ttr_sim.report.board.colors import INK, SOFT_INK
from ttr_sim.report.charts.style import (
    MARKS,
    ON_GROUND,
    SERIES,
    Chart,
    dots,
    in_full,
    legend,
    one,
    percent_axis,
    rows_of,
    short_ends,
    spans,
    tell,
    whole_axis,
)
from ttr_sim.report.headlines import judged_tickets

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis

EACH_SIDE = 12  # tickets shown at both ends of the ranking
NAMED = 7  # tickets named in the scatter at both ends
VALUE_CAPTION = (
    "How many more games in 100 you win when dealt the ticket at setup, compared with the mean ticket of its deck. "
    "Lines are the means of the classes: a ticket well above its line is too generous, below it too stingy, and a ring "
    "marks those of which that is clear. "
    "All player counts together; bars are 95 % intervals."
)
BESIDE = (7.0, -3.0)  # points from a mark to its name
NAME_ROOM = np.array([0.2, 0.045])  # share of the axes that a name takes


def ticket_values(analysis: Analysis) -> Chart | None:
    """Draw printed value against what the ticket gives in wins, one dot per ticket; a race prints no values."""
    known = judged_tickets(analysis)
    return None if known.empty or analysis.edition.is_race else _scatter(known)


def _scatter(tickets: pd.DataFrame) -> Chart:
    figure, panel = one(5.0)
    aside = tickets["points"] + _beside(tickets)
    for number, (deck, rows) in enumerate(tickets.groupby("deck", sort=True)):
        look: dict[str, Any] = {"fmt": MARKS[number], "color": SERIES[number], "label": f"deck {deck}"}
        effects = rows["win_effect"], spans(rows, "win_effect")
        panel.errorbar(aside[rows.index], *effects, elinewidth=0.9, markersize=4.5, **look)
        for _, same in rows.groupby("class"):
            ends = [same["points"].min() - 0.6, same["points"].max() + 0.6]
            panel.plot(ends, [same["class_effect"].iloc[0]] * 2, color=SERIES[number], linewidth=1.0, zorder=1)
    clear = tickets[tickets["verdict"] != ""]
    ring: dict[str, Any] = {"fillstyle": "none", "markersize": 10, "linewidth": 0, "color": INK}
    panel.plot(aside[clear.index], clear["win_effect"], marker="o", **ring)
    panel.axhline(0, color=SOFT_INK, linewidth=1.0, linestyle="--", zorder=1)
    told = [f"{_words(row)} points: {in_full(row, 'win_effect', 'change')}" for row in tickets.to_dict("records")]
    tell(panel, zip(aside, tickets["win_effect"], told, strict=True))
    whole_axis(panel.xaxis)
    _name_extremes(panel, aside, tickets["win_effect"], tickets["excess"], tickets)
    panel.set_xlabel("printed points; tickets of the same value stand side by side")
    panel.set_ylabel("change of the win share, % points")
    percent_axis(panel.yaxis, signed=True)
    if tickets["deck"].nunique() > 1:
        legend(figure)
    return Chart("ticket-values", _misvalued(tickets), VALUE_CAPTION, figure)


def _misvalued(tickets: pd.DataFrame) -> str:
    number = int((tickets["verdict"] != "").sum())
    few = f"{number} of {len(tickets)}" if number else f"None of {len(tickets)}"
    return f"{few} tickets clearly give more or less than others of their class"


def _beside(rows: pd.DataFrame) -> np.ndarray[Any, Any]:
    """Return small sideways steps, so that tickets of the same printed value do not cover each other."""
    number = rows.groupby("points").cumcount().to_numpy(float)
    size = rows.groupby("points")["points"].transform("size").to_numpy(float)
    steps: np.ndarray[Any, Any] = (number - (size - 1) / 2) / np.maximum(size, 6) * 0.7
    return steps


def _name_extremes(
    panel: Axes, x: pd.Series[float], y: pd.Series[float], gap: pd.Series[float], tickets: pd.DataFrame
) -> None:
    """Name the tickets farthest from the line, those first of which it is clear, but for names that would collide."""
    order = ranked(tickets.assign(gap=gap), "gap", ascending=True).index
    clear = ranked(tickets.assign(gap=gap.abs())[tickets["verdict"] != ""], "gap").index
    room = np.array([np.ptp(x) + 1, np.ptp(y)]) * NAME_ROOM
    named: list[np.ndarray[Any, Any]] = []
    for label in dict.fromkeys([*clear[: 2 * NAMED], *order[:NAMED], *order[::-1][:NAMED]]):
        dot = np.array([x[label], y[label]], dtype=float)
        if all((np.abs(dot - other) > room).any() for other in named):
            named.append(dot)
            panel.annotate(short_ends(tickets.loc[label]), (x[label], y[label]), BESIDE, **ON_GROUND)


def ticket_effects(analysis: Analysis) -> Chart | None:
    """Draw the tickets that help and hurt most, with the naive number beside."""
    tickets = judged_tickets(analysis)
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
    names = [_words(row) for row in tickets.to_dict("records")]
    dots(
        panel,
        tickets,
        "win_effect",
        lines,
        names,
        "change",
        color=SERIES[0],
        label="effect of being dealt it (95 % interval)",
    )
    rows_of([panel], names)
    percent_axis(panel.xaxis, signed=True)
    panel.set_xlabel("change of the win share, % points")
    legend(figure)
    best, worst = (tickets.iloc[place].to_dict() for place in (0, -1))
    return Chart(
        "ticket-effects",
        f"{short_ends(best)} helps most, {short_ends(worst)} hurts most",
        "Filled: start with the ticket and you win that many more games in 100 than with the mean ticket of the same "
        "deck; deals are random, so this is the ticket's doing. Hollow: how often those who kept it win, which "
        "mixes the ticket with who keeps what.",
        figure,
    )


def _words(row: dict[Any, Any]) -> str:
    return f"{short_ends(row)}  {row['points']}"
