"""Styles, seats and where the points come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ttr_sim.analysis.ranking import ranked
from ttr_sim.analysis.rewards import clearly_pay_or_cost
from ttr_sim.analysis.seats import clearly_off
from ttr_sim.analysis.strategies import clearly_ahead
from ttr_sim.analysis.words import ORDINALS, decimal, with_players
from ttr_sim.report.board.colors import INK, ON_DARK, ON_LIGHT, SOFT_INK
from ttr_sim.report.charts.panels import Panel
from ttr_sim.report.charts.style import (
    GROUND,
    SERIES,
    Chart,
    by_count,
    counts_in,
    dots,
    facets,
    in_full,
    legend,
    marks,
    mean_order,
    of_main_count,
    one,
    percent_axis,
    rows_of,
    short,
    spans,
    tell,
    whole_axis,
)
from ttr_sim.report.columns import in_words
from ttr_sim.report.numbers import ordinal, players_words, whole_percent

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis

PARTS = ("route", "ticket", "ticket_penalty", "longest", "globetrotter", "station", "passenger", "merchandise")
HATCHES = ("", "////", "\\\\\\\\", "xxxx", "----", "||||", "++++", "//")
EVEN, DEEP = 0.5, 0.2  # from DEEP off an even share on the ground is dark


def style_wins(analysis: Analysis) -> Chart | None:
    """Draw the win share of each style by player count."""
    styles = analysis.tables["strategies"]
    if styles.empty:
        return None
    figure, panels = _win_shares(styles, "bot")
    panels[0].set_xlim(left=0)
    return Chart(
        "style-wins",
        _ahead(styles),
        "Share of wins per seat held, with 95 % intervals; the dashed line is an even share.",
        figure,
    )


def _ahead(styles: pd.DataFrame) -> str:
    """Name the styles that clearly win most, and where."""
    return leading_styles(styles, "win_share", "wins most")


def leading_styles(styles: pd.DataFrame, column: str, does: str) -> str:
    """Name the styles whose interval lies above all others, with the player counts at which it does."""
    leaders: dict[str, list[int]] = {}
    for players, rows in styles.dropna(subset=[f"{column}_low"]).groupby("players"):
        first, *others = ranked(rows, column).to_dict("records")
        if all(first[f"{column}_low"] > other[f"{column}_high"] for other in others):
            leaders.setdefault(str(first["bot"]), []).append(int(str(players)))
    if not leaders:
        return f"No style clearly {does}"
    (leader, where), *further = leaders.items()
    told = [f"The style {leader} clearly {does} {with_players(where)}"]
    return "; ".join([*told, *(f"the style {bot} {with_players(counts)}" for bot, counts in further)])


def reward_wins(analysis: Analysis) -> Chart | None:
    """Draw the win share of each variant in one seat among strong players."""
    rewards = analysis.tables["rewards"]
    if rewards.empty:
        return None
    figure, panels = _win_shares(rewards, "variant")
    panels[0].set_xlim(left=0)
    return Chart(
        "rewards",
        _rewarded(rewards),
        "Share of wins of one seat that plays this way among planners, with 95 % intervals; the dashed "
        "line is its fair share. Left of it the taste costs wins.",
        figure,
    )


def _rewarded(rewards: pd.DataFrame) -> str:
    """Name what clearly wins most beyond its fair share, if anything does."""
    gaps = rewards.assign(gap=rewards["win_share"] - rewards["fair"])
    better = gaps[clearly_pay_or_cost(gaps) & (gaps["gap"] > 0)]
    if better.empty:
        return "Among strong players no other taste or style clearly wins more than its fair share"
    row = ranked(better, "gap").iloc[0]
    seats = f"{whole_percent(row['win_share'])} % with {players_words(int(row['players']))}"
    return f"Wins most beyond its fair share among strong players: {row['variant']}, {seats}"


def _win_shares(table: pd.DataFrame, key: str) -> tuple[Figure, list[Panel]]:
    """Draw one row per key and one panel per player count, with a dashed line at the fair share."""
    names = mean_order(table, key, "win_share")
    figure, panels = facets([players_words(count) for count in counts_in(table)], 1.1 + 0.3 * len(names))
    for panel, (_, rows) in zip(panels, by_count(table, key, names), strict=True):
        panel.axvline(float(rows["fair"].max()), color=SOFT_INK, linewidth=1.0, linestyle="--")
        dots(panel, rows, "win_share", range(len(names)), names, color=SERIES[0])
        percent_axis(panel.xaxis)
        panel.set_xlabel("share of wins")
    rows_of(panels, [short(name) for name in names])
    return figure, panels


def matchup_matrix(analysis: Analysis) -> Chart | None:
    """Draw style against style as one grid per player count."""
    pairs = analysis.tables["matchups"]
    if pairs.empty:
        return None
    counts = counts_in(pairs)
    bots = mean_order(analysis.tables["strategies"], "bot", "win_share")
    figure, panels = facets([players_words(count) for count in counts], 1.7 + 0.34 * len(bots))
    for panel, count in zip(panels, counts, strict=True):
        grid = pairs[pairs["players"] == count].pivot_table(index="bot", columns="opponent", values="share")
        _heat(panel, grid.reindex(index=bots, columns=bots).to_numpy(float), bots, small=len(counts) * len(bots) > 16)
    rows_of(panels, [short(bot) for bot in bots])
    panels[0].set_ylim(len(bots) - 0.5, -0.5)
    return Chart(
        "matchups",
        _unbeaten(pairs),
        "Read along a row: of the wins that fall to one of the two, the share of the row's style, in percent. "
        "Brown with a number below 50 is a loss, purple above 50 a win.",
        figure,
    )


def _unbeaten(pairs: pd.DataFrame) -> str:
    """Name the style that is clearly ahead of all others at all player counts; there can be but one."""
    ahead = pairs.assign(clear=clearly_ahead(pairs)).groupby("bot").agg({"clear": "all", "share": "min"})
    best = ahead[ahead["clear"]]
    if best.empty:
        return "No style is clearly ahead of every other at every player count"
    share = whole_percent(float(best["share"].iloc[0]))
    return f"{best.index[0]} is ahead of every other style: at least {share} % of the wins between the two"


def _heat(panel: Panel, grid: np.ndarray[Any, Any], bots: list[str], small: bool) -> None:
    edges = np.arange(len(bots) + 1) - 0.5
    panel.pcolormesh(edges, edges, grid, cmap="PuOr", vmin=0.1, vmax=0.9)
    panel.rules.x.name_places([short(bot, 12) for bot in bots])
    panel.rules.x.is_turned = True
    panel.rules.x.has_grid = False
    look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7 if small else 9, "in_layout": False}
    told = []
    for row, column in np.argwhere(~np.isnan(grid)):
        share = float(grid[row, column])
        ink = ON_DARK if abs(share - EVEN) > DEEP else ON_LIGHT
        told.append((column, row, f"{bots[row]} against {bots[column]}: {whole_percent(share)} % of their wins"))
        panel.text(column, row, whole_percent(share), color=ink, **look)
    tell(panel, told)


def ratings(analysis: Analysis) -> Chart | None:
    """Draw Bradley-Terry ratings, one mark per player count."""
    styles = analysis.tables["strategies"].dropna(subset=["rating_low"])
    if styles.empty:
        return None
    bots = mean_order(analysis.tables["strategies"], "bot", "win_share")
    figure, panel = one(1.2 + 0.38 * len(bots))
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    marks(panel, styles, "rating", "bot", bots, bots, "rating")
    rows_of([panel], [short(bot) for bot in bots])
    panel.set_xlabel("rating (Elo scale, mean 0)")
    legend(figure)
    return Chart(
        "ratings",
        _highest(styles),
        "Bradley-Terry ratings from all pairs at a table; 100 more mean winning 64 of 100 wins between the two.",
        figure,
    )


def _highest(styles: pd.DataFrame) -> str:
    return leading_styles(styles, "rating", "has the highest rating")


def seat_wins(analysis: Analysis) -> Chart | None:
    """Draw how far each seat's wins are from its fair share, by player count."""
    seats = analysis.tables["seats"]
    counts = counts_in(seats)
    if seats.empty:
        return None
    gaps = seats.assign(**{f"gap{end}": seats[f"win_share{end}"] - seats["fair"] for end in ("", "_low", "_high")})
    figure, panels = facets([players_words(count) for count in counts], 2.9, share_x=False)
    for panel, count in zip(panels, counts, strict=True):
        rows = gaps[gaps["players"] == count].sort_values("seat")
        players = [ordinal(seat) for seat in rows["seat"]]
        look: dict[str, Any] = {"color": SERIES[5], "ecolor": INK, "capsize": 3, "width": 0.62}
        panel.bar(players, rows["gap"], yerr=spans(rows, "gap"), **look)
        told = [f"{name} player: wins {in_full(row, 'win_share', 'share')}" for name, row in _named(players, rows)]
        tell(panel, zip(range(len(rows)), rows["gap"] / 2, told, strict=True))
        panel.axhline(0, color=INK, linewidth=1.0)
        percent_axis(panel.yaxis, signed=True)
        panel.rules.x.has_grid = False
        panel.set_xlabel("player, in turn order")
    panels[0].set_ylabel("wins beyond the fair share, % points")
    return Chart(
        "seat-wins",
        _best_seat(gaps),
        "How many more games in 100 each player wins than the fair share, with 95 % intervals; panels share a scale.",
        figure,
    )


def _named(names: list[str], rows: pd.DataFrame) -> zip[tuple[str, dict[Any, Any]]]:
    return zip(names, rows.to_dict("records"), strict=True)


def _best_seat(gaps: pd.DataFrame) -> str:
    """Name the player that is farthest off a fair share, where one clearly is."""
    clear = gaps[clearly_off(gaps)]
    if clear.empty:
        return "No player clearly wins more or less often than is fair"
    row = ranked(clear.assign(size=clear["gap"].abs()), "size").iloc[0]
    wins, fair = whole_percent(row["win_share"]), whole_percent(row["fair"])
    who, players = ORDINALS[int(row["seat"])], players_words(int(row["players"]))
    return f"The {who} player wins {wins} % with {players}, where {fair} % is fair"


def score_parts(analysis: Analysis) -> Chart | None:
    """Draw mean points by source: a panel per player count, a bar per style."""
    parts = analysis.tables["score_parts"]
    if parts.empty:
        return None
    named = [bot for bot in mean_order(analysis.tables["strategies"], "bot", "score") if bot in set(parts["bot"])]
    bots = named if len(named) == 1 else ["", *named]
    sources = [part for part in PARTS if part in set(parts["part"])]
    counts = counts_in(parts)
    figure, panels = facets([players_words(count) for count in counts], 1.5 + 0.36 * len(bots))
    for panel, count in zip(panels, counts, strict=True):
        grid = parts[parts["players"] == count].pivot_table(index="bot", columns="part", values="mean")
        _stack(panel, grid.reindex(index=bots, columns=sources).fillna(0), named=panel is panels[0])
        panel.set_xlabel("mean points")
        whole_axis(panel.xaxis)
    rows_of(panels, [short(bot or "all styles") for bot in bots])
    legend(figure)
    caption = "Mean points per player by source; penalties to the left."
    return Chart("score-parts", _main_source(parts), caption, figure)


def _main_source(parts: pd.DataFrame) -> str:
    rows, players = of_main_count(parts[parts["bot"] == parts["bot"].min()])
    row = ranked(rows, "mean").iloc[0]
    share = whole_percent(row["mean"] / rows["mean"].clip(lower=0).sum())
    return f"With {players}, {in_words('part', row['part'])} points are {share} % of all that are gained"


def _stack(panel: Panel, grid: pd.DataFrame, named: bool) -> None:
    """Draw bars of parts: what adds goes right of the line, what subtracts goes left."""
    left, right = np.zeros(len(grid)), np.zeros(len(grid))
    for number, part in enumerate(grid.columns):
        values = grid[part].to_numpy(float)
        look: dict[str, Any] = {"color": SERIES[number % len(SERIES)], "hatch": HATCHES[number % len(HATCHES)]}
        look |= {"edgecolor": GROUND, "linewidth": 0.6, "height": 0.66}
        words = in_words("part", part)
        label = words if named else None
        panel.barh(range(len(grid)), values, left=np.where(values < 0, left, right), label=label, **look)
        middles = np.where(values < 0, left, right) + values / 2
        means = zip(grid.index, values, strict=True)
        told = [f"{bot or 'all styles'}, {words}: {decimal(value)} points" for bot, value in means]
        tell(panel, zip(middles, range(len(grid)), told, strict=True))
        left, right = left + np.minimum(values, 0), right + np.maximum(values, 0)
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
