"""Charts of tickets, routes and cities, in play and on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.text import ranked
from ttr_sim.edition.statics import Statics
from ttr_sim.report.charts import style
from ttr_sim.report.charts.style import chart
from ttr_sim.report.figures import INK, MARKS, SERIES, SOFT_INK, Chart, add_tips
from ttr_sim.report.numbers import exactly

if TYPE_CHECKING:
    from ttr_sim.report.charts.style import Drawing

MOST = 20  # routes and cities listed
MOST_ON_PAPER = 25  # connections listed
EACH_SIDE = 12  # tickets shown at both ends of the ranking
NAMED = 7  # tickets named in the scatter at both ends
NAME_ROOM = np.array([0.2, 0.045])  # share of the axes that a name takes
HOLLOW: dict[str, Any] = {"markerfacecolor": "none"}


def judged_tickets(tickets: pd.DataFrame) -> pd.DataFrame:
    """Tickets over all player counts, or the only one, that are dealt at setup often enough to be judged."""
    return tickets.query("players == players.min()").dropna(subset=["win_effect_low"])


@chart("ticket-values", "ticket_value")
def ticket_values(analysis: Analysis, table: pd.DataFrame) -> Drawing | None:
    """Draw effect over trains of the shortest path, one dot per ticket."""
    tickets = judged_tickets(table)
    if tickets.empty or analysis.edition.is_race:  # which prints no values
        return None
    figure, [panel] = style.facets([""], 5.0)
    # Small sideways steps, so that tickets of the same length do not cover each other.
    number, size = tickets.groupby("trains").cumcount(), tickets.groupby("trains")["trains"].transform("size")
    tickets = tickets.assign(x=tickets["trains"] + (number - (size - 1) / 2) / np.maximum(size, 6) * 0.7)
    for place, (deck, rows) in enumerate(tickets.groupby("deck", sort=True)):
        look: dict[str, Any] = {"fmt": MARKS[place], "color": SERIES[place], "label": f"deck {deck}"}
        spans = style.error_bars(rows, "win_effect")
        panel.errorbar(rows["x"], rows["win_effect"], spans, elinewidth=0.9, markersize=4.5, **look)
        line = rows.sort_values("trains")
        panel.plot(line["trains"], line["expected"], color=SERIES[place], linewidth=1.0, zorder=1)
    clear = tickets[tickets["side"] != ""]
    ring: dict[str, Any] = {"fillstyle": "none", "markersize": 10, "linewidth": 0, "color": INK}
    panel.plot(clear["x"], clear["win_effect"], marker="o", **ring)
    panel.axhline(0, color=SOFT_INK, linewidth=1.0, linestyle="--", zorder=1)
    tips = []
    for row in tickets.to_dict("records"):
        effect = style.number_words(row, "win_effect", "change")
        tips.append(f"{style.short_ends(row)}  {row['points']} points: {effect}")
    add_tips(panel, tickets["x"], tickets["win_effect"], tips)
    style.label_axis(panel.xaxis, "trains of the shortest path; tickets of the same length stand side by side", "whole")
    name_extremes(panel, tickets)
    style.label_axis(panel.yaxis, "change of the win share, % points", "signed percent")
    if tickets["deck"].nunique() > 1:
        style.legend(figure)
    few = f"{len(clear)} of {len(tickets)}" if len(clear) else f"None of {len(tickets)}"
    return f"{few} tickets are beyond their limit for their length", figure


def name_extremes(panel: Axes, tickets: pd.DataFrame) -> None:
    """Name the tickets farthest from the line, first the ones beyond their limit."""
    order = ranked(tickets, "excess", ascending=True).index
    clear = ranked(tickets.assign(gap=tickets["excess"].abs())[tickets["side"] != ""], "gap").index
    # A name takes this room: of two tickets nearer than that, the farther one from the line is named.
    room = np.array([np.ptp(tickets["x"]) + 1, np.ptp(tickets["win_effect"])]) * NAME_ROOM
    named: list[np.ndarray[Any, Any]] = []
    for label in dict.fromkeys([*clear[: 2 * NAMED], *order[:NAMED], *order[::-1][:NAMED]]):
        row = tickets.loc[label]
        dot = np.array([row["x"], row["win_effect"]], dtype=float)
        if all((np.abs(dot - other) > room).any() for other in named):
            named.append(dot)
            style.name_mark(panel, style.short_ends(row.to_dict()), row["x"], row["win_effect"])


@chart("ticket-effects", "ticket_value")
def ticket_effects(analysis: Analysis, table: pd.DataFrame) -> Drawing | None:
    tickets = ranked(judged_tickets(table), "win_effect")
    if tickets.empty:
        return None
    if len(tickets) > 2 * EACH_SIDE:
        tickets = tickets.iloc[[*range(EACH_SIDE), *range(-EACH_SIDE, 0)]]
    figure, [panel] = style.facets([""], 0.9 + 0.2 * len(tickets))
    ends = [style.short_ends(row) for row in tickets.to_dict("records")]
    names = [f"{words}  {points}" for words, points in zip(ends, tickets["points"], strict=True)]
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    naive = "win share when kept, minus the deck's mean (naive)"
    look: dict[str, Any] = {"label": naive, "markersize": 4.5, "color": SERIES[1]}
    panel.plot(tickets["kept_win_gap"], range(len(tickets)), "D", **look, **HOLLOW)
    look = {"color": SERIES[0], "label": "effect of being dealt it (95 % interval)"}
    style.dots(panel, tickets, "win_effect", range(len(tickets)), names, "change", **look)
    style.name_rows([panel], names)
    style.label_axis(panel.xaxis, "change of the win share, % points", "signed percent")
    style.legend(figure)
    return f"{ends[0]} helps most, {ends[-1]} hurts most", figure


# Without published plans there is no estimate.
@chart("route-contention", "routes", known="contention_low")
def route_contention(analysis: Analysis, routes: pd.DataFrame) -> Drawing:
    keys = style.mean_order(routes, "route", "contention")[:MOST]
    figure, panels = style.count_panels(routes, 1.2 + 0.2 * len(keys))
    shown = routes.drop_duplicates("route").set_index("route").loc[keys].to_dict("records")
    names = [f"{style.short_ends(row)}  {row['color']} {exactly(row['length'])}" for row in shown]
    for panel, _, rows in panels:
        ordered = rows.set_index("route").reindex(keys)
        for column, words, meaning, look in (
            ("contention", "fought over", "claimed while another player wanted it", {"markersize": 6} | HOLLOW),
            ("denial", "locked out", "nothing parallel was left to that player", {"markersize": 3, "fmt": "s"}),
        ):
            tips, color = [f"{name}: {words}" for name in names], SERIES[column == "denial"]
            look |= {"capsize": 0, "label": f"{words}: {meaning}", "color": color}
            style.dots(panel, ordered, column, range(len(keys)), tips, **look)
        style.label_axis(panel.xaxis, "share of games", "percent")
    figure.axes[0].set_xlim(left=0)
    style.name_rows(figure.axes, names)
    style.legend(figure)
    return f"{style.short_ends(shown[0])} is fought over most", figure


@chart("city-load", "cities", known="claims_low")
def city_load(analysis: Analysis, cities: pd.DataFrame) -> Drawing:
    keys = style.mean_order(cities, "city", "claims")
    if len(keys) > MOST:  # the busiest and the quietest
        keys = [*keys[: MOST // 2], *keys[-MOST // 2 :]]
    all_names = dict(zip(cities["city"], cities["name"], strict=True))
    names = {key: str(all_names[key]) for key in keys}
    figure, [panel] = style.facets([""], 1.1 + 0.26 * len(keys))
    style.dots_by_count(panel, cities, "claims", "city", names, "number")
    panel.set_xlim(left=0)
    panel.set_xlabel("claims per game of routes that end there")
    style.legend(figure)
    return f"{names[keys[0]]} is the busiest city, {names[keys[-1]]} the quietest", figure


def load_on_paper(board: Statics) -> Chart:
    loads = sorted(zip(board.net.connections, board.loads, strict=True), key=lambda pair: -pair[1].per_lane)
    shown, names, tips = loads[:MOST_ON_PAPER], [], []
    for connection, load in shown:
        names.append("–".join(style.short(board.net.name(end), 18) for end in (connection.a, connection.b)))
        tips.append(f"{names[-1]}: {load.tickets:.2f} tickets, {connection.lanes} lanes")
    figure, [panel] = style.facets([""], 1.1 + 0.22 * len(shown))
    for kind, (crowded, words) in enumerate(((True, "crowded"), (False, "not crowded"))):
        rows = [row for row, (_, load) in enumerate(shown) if load.crowded == crowded]
        values = [shown[row][1].per_lane for row in rows]
        panel.plot(values, rows, MARKS[kind], color=SERIES[kind], markersize=5, label=words)
    add_tips(panel, [load.per_lane for _, load in shown], range(len(shown)), tips)
    mean = sum(load.per_lane for load in board.loads) / len(board.loads)
    panel.axvline(mean, color=INK, linewidth=0.8, linestyle=":", label="mean of the board")
    style.name_rows([panel], names)
    panel.set_xlim(left=0)
    panel.set_xlabel(f"tickets per lane, with {board.edition.players[1]} players")
    style.legend(figure)
    first = loads[0][0]
    title = f"{board.net.name(first.a)}–{board.net.name(first.b)} is the most wanted connection on paper"
    return Chart("load-on-paper", title, figure)


@chart("shape-loads", "shape_loads", known="contention")
def paper_and_play(analysis: Analysis, table: pd.DataFrame) -> Drawing:
    """Draw contention in play over load on paper, naming the clearest mismatches."""
    figure, panels = style.count_panels(table, 3.8)
    for panel, _, rows in panels:
        is_odd = rows["stands_out"] != ""
        for number, (words, part) in enumerate((("a connection", rows[~is_odd]), ("does not match", rows[is_odd]))):
            panel.plot(part["load"], part["contention"], MARKS[number], color=SERIES[number], markersize=4, label=words)
        tips = [f"{style.short_ends(row)}: {row['contention']:.2f} claims per game" for row in rows.to_dict("records")]
        add_tips(panel, rows["load"], rows["contention"], tips)
        panel.set_xlabel("load on paper: tickets per lane")
    figure.axes[0].set_ylabel("fought over: claims per game")
    for panel, _, rows in panels:  # once all are drawn, for they share their scale
        gap = (rows["load"].rank(pct=True) - rows["contention"].rank(pct=True)).abs()
        odd = rows.assign(gap=gap)[rows["stands_out"] != ""].sort_values("gap", ascending=False)
        for row in odd.drop_duplicates("stands_out").to_dict("records"):
            style.name_mark(panel, style.short_ends(row), row["load"], row["contention"])
    style.legend(figure)
    rows, players = style.of_main_count(table)
    size = int((rows["stands_out"] != "").sum())
    few = f"{size} of {len(rows)} connections" if size else "No connection"
    return f"{few} with {players} clearly {'play' if size else 'plays'} otherwise than on paper", figure
