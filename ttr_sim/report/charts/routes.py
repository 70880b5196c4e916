"""Charts of routes and cities, in play and on paper."""

from __future__ import annotations

from typing import Any

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.edition.statics import Statics
from ttr_sim.report.charts import style
from ttr_sim.report.colors import INK, MARKS, SERIES
from ttr_sim.report.figures import Chart, add_tips
from ttr_sim.report.numbers import exactly

MOST = 20  # routes and cities listed
MOST_ON_PAPER = 25  # connections listed


def route_contention(analysis: Analysis) -> Chart | None:
    """Draw the most contested routes, and how often they lock players out."""
    routes = analysis.tables["routes"].dropna(subset=["contention_low"])
    if routes.empty:
        return None
    keys = style.mean_order(routes, "route", "contention")[:MOST]
    figure, panels = style.count_panels(routes, 1.2 + 0.2 * len(keys))
    names = {}
    for row in routes.to_dict("records"):
        names[row["route"]] = f"{style.short_ends(row)}  {row['color']} {exactly(row['length'])}"
    lines = range(len(keys))
    over, out = ([f"{names[key]}: {number}" for key in keys] for number in ("fought over", "locked out"))
    for panel, _, rows in panels:
        ordered = rows.set_index("route").reindex(keys)
        hollow: dict[str, Any] = {"color": SERIES[0], "capsize": 0, "markersize": 6, "markerfacecolor": "none"}
        style.dots(panel, ordered, "contention", lines, over, **hollow)
        style.dots(panel, ordered, "denial", lines, out, fmt="s", markersize=3, color=SERIES[1], capsize=0)
        style.percent_axis(panel.xaxis)
        panel.set_xlabel("share of games")
    figure.axes[0].set_xlim(left=0)
    style.name_rows(figure.axes, [names[key] for key in keys])
    labels = (
        "fought over: claimed while another player wanted it",
        "locked out: nothing parallel was left to that player",
    )
    style.legend(figure, figure.axes[0].containers, labels)
    return Chart(
        "route-contention",
        f"{names[keys[0]].split('  ')[0]} is fought over most",
        "Shares of games: how often a route is claimed while another player, whose plan is known, wants it, and how "
        "often that player is left without a parallel route. Bars are 95 % intervals.",
        figure,
    )


def city_load(analysis: Analysis) -> Chart | None:
    """Draw claims per game that touch each city."""
    cities = analysis.tables["cities"].dropna(subset=["claims_low"])
    if cities.empty:
        return None
    keys = style.mean_order(cities, "city", "claims")
    if len(keys) > MOST:  # the busiest and the quietest
        keys = [*keys[: MOST // 2], *keys[-MOST // 2 :]]
    all_names = dict(zip(cities["city"], cities["name"], strict=True))
    names = {key: str(all_names[key]) for key in keys}
    figure, panel = style.one_panel(1.1 + 0.26 * len(keys))
    style.dots_by_count(panel, cities, "claims", "city", names, "number")
    style.name_rows([panel], [style.short(name) for name in names.values()])
    panel.set_xlim(left=0)
    panel.set_xlabel("claims per game of routes that end there")
    style.legend(figure)
    return Chart(
        "city-load",
        f"{names[keys[0]]} is the busiest city, {names[keys[-1]]} the quietest",
        "How many routes into each city are claimed in a game; the busiest and the quietest when there are many.",
        figure,
    )


def load_on_paper(board: Statics) -> Chart:
    """Draw the connections that tickets of a full table need most."""
    loads = sorted(enumerate(board.loads), key=lambda load: -load[1].per_lane)[:MOST_ON_PAPER]
    names, whole_names, tips = [], [], []
    for row, (number, load) in enumerate(loads):
        connection = board.net.connections[number]
        ends = [board.net.name(city) for city in (connection.a, connection.b)]
        names.append("–".join(style.short(end, 18) for end in ends))
        whole_names.append("–".join(ends))
        tips.append((load.per_lane, row, f"{names[-1]}: {load.tickets:.2f} tickets, {connection.lanes} lanes"))
    figure, panel = style.one_panel(1.1 + 0.22 * len(loads))
    for kind, (crowded, words) in enumerate(((True, "crowded"), (False, "not crowded"))):
        rows = [row for row, (_, load) in enumerate(loads) if load.crowded == crowded]
        values = [loads[row][1].per_lane for row in rows]
        panel.plot(values, rows, MARKS[kind], color=SERIES[kind], markersize=5, label=words)
    add_tips(panel, tips)
    mean = sum(load.per_lane for load in board.loads) / len(board.loads)
    panel.axvline(mean, color=INK, linewidth=0.8, linestyle=":", label="mean of the board")
    style.name_rows([panel], names)
    panel.set_xlim(left=0)
    panel.set_xlabel(f"tickets per lane, with {board.edition.players[1]} players")
    style.legend(figure)
    return Chart(
        "load-on-paper",
        f"{whole_names[0]} is the most wanted connection on paper",
        "How many of the tickets that setup deals at a full table are expected to want a connection of the empty "
        "board, over the lanes it has for them.",
        figure,
    )


def paper_and_play(analysis: Analysis) -> Chart | None:
    """Draw contention in play over load on paper, naming the clearest mismatches."""
    table = analysis.tables["shape_loads"].dropna(subset=["contention"])
    if table.empty:
        return None
    figure, panels = style.count_panels(table, 3.8)
    for panel, _, rows in panels:
        for number, (words, part) in enumerate(
            (("a connection", rows[rows["stands_out"] == ""]), ("does not match", rows[rows["stands_out"] != ""]))
        ):
            panel.plot(part["load"], part["contention"], MARKS[number], color=SERIES[number], markersize=4, label=words)
        tips = [f"{style.short_ends(row)}: {row['contention']:.2f} claims per game" for row in rows.to_dict("records")]
        add_tips(panel, zip(rows["load"], rows["contention"], tips, strict=True))
        panel.set_xlabel("load on paper: tickets per lane")
    figure.axes[0].set_ylabel("fought over: claims per game")
    for panel, _, rows in panels:  # once all are drawn, for they share their scale
        gap = (rows["load"].rank(pct=True) - rows["contention"].rank(pct=True)).abs()
        odd = rows.assign(gap=gap)[rows["stands_out"] != ""].sort_values("gap", ascending=False)
        for row in odd.drop_duplicates("stands_out").to_dict("records"):
            style.name_mark(panel, style.short_ends(row), row["load"], row["contention"])
    style.legend(figure)

    rows, players = style.of_main_count(table)
    odd_count = int((rows["stands_out"] != "").sum())
    few = f"{odd_count} of {len(rows)} connections" if odd_count else "No connection"
    return Chart(
        "shape-loads",
        f"{few} with {players} clearly {'play' if odd_count else 'plays'} otherwise than on paper",
        "Each mark is a connection: how many tickets of a full table are expected to want it, per lane, and how often "
        "it is fought over in play. Named are the clearest of those that do not match: crowded on paper and hardly "
        "fought over, or quiet on paper and fought over; the table lists them all.",
        figure,
    )
