"""Charts of the value of tickets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.text import ranked
from ttr_sim.report.charts import style
from ttr_sim.report.colors import INK, MARKS, SERIES, SOFT_INK
from ttr_sim.report.figures import Chart, add_tips
from ttr_sim.report.ranges import judged_tickets

EACH_SIDE = 12  # tickets shown at both ends of the ranking
NAMED = 7  # tickets named in the scatter at both ends
NAME_ROOM = np.array([0.2, 0.045])  # share of the axes that a name takes


def ticket_values(analysis: Analysis) -> Chart | None:
    """Draw printed value against effect on wins, one dot per ticket."""
    tickets = judged_tickets(analysis)
    if tickets.empty or analysis.edition.is_race:  # which prints no values
        return None
    figure, panel = style.one_panel(5.0)
    # Small sideways steps, so that tickets of the same printed value do not cover each other.
    number, size = tickets.groupby("points").cumcount(), tickets.groupby("points")["points"].transform("size")
    x = tickets["points"] + (number - (size - 1) / 2) / np.maximum(size, 6) * 0.7
    for place, (deck, rows) in enumerate(tickets.groupby("deck", sort=True)):
        look: dict[str, Any] = {"fmt": MARKS[place], "color": SERIES[place], "label": f"deck {deck}"}
        spans = style.error_bars(rows, "win_effect")
        panel.errorbar(x[rows.index], rows["win_effect"], spans, elinewidth=0.9, markersize=4.5, **look)
        for _, same in rows.groupby("class"):
            ends = [same["points"].min() - 0.6, same["points"].max() + 0.6]
            panel.plot(ends, [same["class_effect"].iloc[0]] * 2, color=SERIES[place], linewidth=1.0, zorder=1)
    clear = tickets[tickets["verdict"] != ""]
    ring: dict[str, Any] = {"fillstyle": "none", "markersize": 10, "linewidth": 0, "color": INK}
    panel.plot(x[clear.index], clear["win_effect"], marker="o", **ring)
    panel.axhline(0, color=SOFT_INK, linewidth=1.0, linestyle="--", zorder=1)
    tips = []
    for row in tickets.to_dict("records"):
        tips.append(f"{_ticket_words(row)} points: {style.number_words(row, 'win_effect', 'change')}")
    add_tips(panel, zip(x, tickets["win_effect"], tips, strict=True))
    style.whole_axis(panel.xaxis)
    _name_extremes(panel, tickets.assign(x=x))
    panel.set_xlabel("printed points; tickets of the same value stand side by side")
    panel.set_ylabel("change of the win share, % points")
    style.percent_axis(panel.yaxis, signed=True)
    if tickets["deck"].nunique() > 1:
        style.legend(figure)
    few = f"{len(clear)} of {len(tickets)}" if len(clear) else f"None of {len(tickets)}"
    return Chart(
        "ticket-values",
        f"{few} tickets clearly give more or less than others of their class",
        "How many more games in 100 you win when dealt the ticket at setup, compared with the mean ticket of its deck. "
        "Lines are the means of the classes: a ticket well above its line is too generous, below it too stingy, and a "
        "ring marks those of which that is clear. All player counts together; bars are 95 % intervals.",
        figure,
    )


def _name_extremes(panel: Axes, tickets: pd.DataFrame) -> None:
    """Name the tickets farthest from their class, clear ones first."""
    order = ranked(tickets, "excess", ascending=True).index
    clear = ranked(tickets.assign(gap=tickets["excess"].abs())[tickets["verdict"] != ""], "gap").index
    # A name takes this room: of two tickets nearer than that, the farther one from its class is named.
    room = np.array([np.ptp(tickets["x"]) + 1, np.ptp(tickets["win_effect"])]) * NAME_ROOM
    named: list[np.ndarray[Any, Any]] = []
    for label in dict.fromkeys([*clear[: 2 * NAMED], *order[:NAMED], *order[::-1][:NAMED]]):
        row = tickets.loc[label]
        dot = np.array([row["x"], row["win_effect"]], dtype=float)
        if all((np.abs(dot - other) > room).any() for other in named):
            named.append(dot)
            style.name_mark(panel, style.short_ends(row.to_dict()), row["x"], row["win_effect"])


def ticket_effects(analysis: Analysis) -> Chart | None:
    """Draw the tickets that help and hurt most, with the naive number."""
    tickets = judged_tickets(analysis)
    if tickets.empty:
        return None
    tickets = ranked(tickets, "win_effect")
    if len(tickets) > 2 * EACH_SIDE:
        tickets = tickets.iloc[[*range(EACH_SIDE), *range(-EACH_SIDE, 0)]]
    figure, panel = style.one_panel(0.9 + 0.2 * len(tickets))
    lines = range(len(tickets))
    names = [_ticket_words(row) for row in tickets.to_dict("records")]
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    hollow: dict[str, Any] = {"markersize": 4.5, "markerfacecolor": "none", "color": SERIES[1]}
    panel.plot(
        tickets["kept_win_gap"], lines, "D", label="win share when kept, minus the deck's mean (naive)", **hollow
    )
    look = {"color": SERIES[0], "label": "effect of being dealt it (95 % interval)"}
    style.dots(panel, tickets, "win_effect", lines, names, "change", **look)
    style.name_rows([panel], names)
    style.percent_axis(panel.xaxis, signed=True)
    panel.set_xlabel("change of the win share, % points")
    style.legend(figure)
    best, worst = (style.short_ends(tickets.iloc[place].to_dict()) for place in (0, -1))
    return Chart(
        "ticket-effects",
        f"{best} helps most, {worst} hurts most",
        "Filled: start with the ticket and you win that many more games in 100 than with the mean ticket of the same "
        "deck; deals are random, so this is the ticket's doing. Hollow: how often those who kept it win, which "
        "mixes the ticket with who keeps what.",
        figure,
    )


def _ticket_words(row: dict[Any, Any]) -> str:
    return f"{style.short_ends(row)}  {row['points']}"
