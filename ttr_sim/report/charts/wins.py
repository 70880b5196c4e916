"""Charts of styles, seats and score parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.standings import clearly_ahead, clearly_off, clearly_pay_or_cost
from ttr_sim.analysis.text import ORDINALS, decimal, ranked, with_players
from ttr_sim.log import SCORE_PARTS
from ttr_sim.report.charts import style
from ttr_sim.report.figures import GROUND, INK, ON_DARK, ON_LIGHT, SERIES, SOFT_INK, Chart, add_tips
from ttr_sim.report.numbers import ordinal, players_words, whole_percent
from ttr_sim.report.tables import in_words

HATCHES = ("", "////", "\\\\\\\\", "xxxx", "----", "||||", "++++", "//")
EVEN, DEEP = 0.5, 0.2  # from DEEP off an even share the background is dark


def style_wins(analysis: Analysis) -> Chart | None:
    """Draw the win share of each style by player count."""
    styles = analysis.tables["strategies"]
    if styles.empty:
        return None
    title, figure = leading_styles(styles, "win_share", "wins most"), _win_shares(styles, "bot")
    caption = "Share of wins per seat held, with 95 % intervals; the dashed line is an even share."
    return Chart("style-wins", title, caption, figure)


def leading_styles(styles: pd.DataFrame, column: str, does: str) -> str:
    """Name the styles that clearly lead, with the player counts."""
    leaders: dict[str, list[int]] = {}
    for players, rows in styles.dropna(subset=[f"{column}_low"]).groupby("players"):
        first, *others = ranked(rows, column).to_dict("records")
        # A lead is clear where the intervals do not touch.
        if all(first[f"{column}_low"] > other[f"{column}_high"] for other in others):
            leaders.setdefault(str(first["bot"]), []).append(int(str(players)))
    if not leaders:
        return f"No style clearly {does}"
    (leader, where), *further = leaders.items()
    parts = [f"The style {leader} clearly {does} {with_players(where)}"]
    return "; ".join([*parts, *(f"the style {bot} {with_players(counts)}" for bot, counts in further)])


def reward_wins(analysis: Analysis) -> Chart | None:
    """Draw the win share of each variant among strong players."""
    rewards = analysis.tables["rewards"]
    if rewards.empty:
        return None
    title = "Among strong players no other taste or style clearly wins more than its fair share"
    gaps = rewards.assign(gap=rewards["win_share"] - rewards["fair"])
    better = gaps[clearly_pay_or_cost(gaps) & (gaps["gap"] > 0)]
    if len(better):
        row = ranked(better, "gap").iloc[0]
        share = f"{whole_percent(row['win_share'])} % with {players_words(int(row['players']))}"
        title = f"Wins most beyond its fair share among strong players: {row['variant']}, {share}"
    return Chart(
        "rewards",
        title,
        "Share of wins of one seat that plays this way among planners, with 95 % intervals; the dashed "
        "line is its fair share. Left of it the taste costs wins.",
        _win_shares(rewards, "variant"),
    )


def _win_shares(table: pd.DataFrame, key: str) -> Figure:
    """Draw a row per key, with a line at the fair share."""
    names = style.mean_order(table, key, "win_share")
    figure, panels = style.count_panels(table, 1.1 + 0.3 * len(names))
    for panel, _, rows in panels:
        panel.axvline(float(rows["fair"].max()), color=SOFT_INK, linewidth=1.0, linestyle="--")
        ordered = rows.set_index(key).reindex(names)
        style.dots(panel, ordered, "win_share", range(len(names)), names, color=SERIES[0])
        style.label_axis(panel.xaxis, "share of wins", "percent")
    style.name_rows(figure.axes, [style.short(name) for name in names])
    figure.axes[0].set_xlim(left=0)
    return figure


def matchup_matrix(analysis: Analysis) -> Chart | None:
    """Draw style against style as one grid per player count."""
    pairs = analysis.tables["matchups"]
    if pairs.empty:
        return None
    bots = style.mean_order(analysis.tables["strategies"], "bot", "win_share")
    figure, panels = style.count_panels(pairs, 1.7 + 0.34 * len(bots))
    edges = np.arange(len(bots) + 1) - 0.5
    is_crowded = len(panels) * len(bots) > 16
    for panel, _, rows in panels:
        grid = rows.pivot_table(index="bot", columns="opponent", values="share").reindex(index=bots, columns=bots)
        panel.pcolormesh(edges, edges, grid.to_numpy(float), cmap="PuOr", vmin=0.1, vmax=0.9)
        panel.set_xticks(range(len(bots)), [style.short(bot, 12) for bot in bots], rotation=90)
        panel.tick_params(axis="x", length=0)
        panel.grid(False)
        tips = []
        for bot, opponent, share in zip(rows["bot"], rows["opponent"], rows["share"], strict=True):
            words = whole_percent(share)
            tips.append(f"{bot} against {opponent}: {words} % of their wins")
            ink = ON_DARK if abs(share - EVEN) > DEEP else ON_LIGHT
            look: dict[str, Any] = {"color": ink, "ha": "center", "va": "center", "fontsize": 7 if is_crowded else 9}
            panel.text(bots.index(opponent), bots.index(bot), words, **look)
        add_tips(panel, rows["opponent"].map(bots.index), rows["bot"].map(bots.index), tips)
    style.name_rows(figure.axes, [style.short(bot) for bot in bots])
    figure.axes[0].set_ylim(len(bots) - 0.5, -0.5)

    title = "No style is clearly ahead of every other at every player count"
    ahead = pairs.assign(clear=clearly_ahead(pairs)).groupby("bot").agg({"clear": "all", "share": "min"})
    best = ahead[ahead["clear"]]
    if len(best):  # there can be but one
        share = whole_percent(float(best["share"].iloc[0]))
        title = f"{best.index[0]} is ahead of every other style: at least {share} % of the wins between the two"
    return Chart(
        "matchups",
        title,
        "Read along a row: of the wins that fall to one of the two, the share of the row's style, in percent. "
        "Brown with a number below 50 is a loss, purple above 50 a win.",
        figure,
    )


def ratings(analysis: Analysis) -> Chart | None:
    """Draw Bradley-Terry ratings, one mark per player count."""
    styles = analysis.tables["strategies"].dropna(subset=["rating_low"])
    if styles.empty:
        return None
    bots = style.mean_order(analysis.tables["strategies"], "bot", "win_share")
    figure, [panel] = style.facets([""], 1.2 + 0.38 * len(bots))
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    style.dots_by_count(panel, styles, "rating", "bot", {bot: bot for bot in bots}, "rating")
    panel.set_xlabel("rating (Elo scale, mean 0)")
    style.legend(figure)
    title = leading_styles(styles, "rating", "has the highest rating")
    caption = "Bradley-Terry ratings from all pairs at a table; 100 more mean winning 64 of 100 wins between the two."
    return Chart("ratings", title, caption, figure)


def seat_wins(analysis: Analysis) -> Chart | None:
    """Draw how far each seat's wins are from its fair share."""
    seats = analysis.tables["seats"]
    if seats.empty:
        return None
    gaps = seats.assign(**{f"gap{end}": seats[f"win_share{end}"] - seats["fair"] for end in ("", "_low", "_high")})
    # Seats are categories: a shared axis would show five seats in a game of two.
    figure, panels = style.count_panels(gaps.sort_values("seat"), 2.9, share_x=False)
    for panel, _, rows in panels:
        names = [ordinal(seat) for seat in rows["seat"]]
        look: dict[str, Any] = {"color": SERIES[5], "ecolor": INK, "capsize": 3, "width": 0.62}
        panel.bar(names, rows["gap"], yerr=style.error_bars(rows, "gap"), **look)
        tips = []
        for name, row in zip(names, rows.to_dict("records"), strict=True):
            tips.append(f"{name} player: wins {style.number_words(row, 'win_share', 'share')}")
        add_tips(panel, range(len(rows)), rows["gap"] / 2, tips)
        panel.axhline(0, color=INK, linewidth=1.0)
        panel.grid(False, axis="x")
        panel.set_xlabel("player, in turn order")
    style.label_axis(figure.axes[0].yaxis, "wins beyond the fair share, % points", "signed percent")

    title = "No player clearly wins more or less often than is fair"
    clear = gaps[clearly_off(gaps)]
    if len(clear):
        worst = ranked(clear.assign(size=clear["gap"].abs()), "size").iloc[0]
        wins, fair = whole_percent(worst["win_share"]), whole_percent(worst["fair"])
        ordinal_word, players = ORDINALS[int(worst["seat"])], players_words(int(worst["players"]))
        title = f"The {ordinal_word} player wins {wins} % with {players}, where {fair} % is fair"
    caption = (
        "How many more games in 100 each player wins than the fair share, with 95 % intervals; panels share a scale."
    )
    return Chart("seat-wins", title, caption, figure)


def score_parts(analysis: Analysis) -> Chart | None:
    """Draw mean points by source, with a bar per style."""
    parts = analysis.tables["score_parts"]
    if parts.empty:
        return None
    named = [bot for bot in style.mean_order(analysis.tables["strategies"], "bot", "score") if bot in set(parts["bot"])]
    bots = named if len(named) == 1 else ["", *named]
    names = [style.short(bot or "all styles") for bot in bots]
    sources = [part.name for part in SCORE_PARTS if part.name in set(parts["part"])]
    figure, panels = style.count_panels(parts, 1.5 + 0.36 * len(bots))
    for panel, _, rows in panels:
        grid = rows.pivot_table(index="bot", columns="part", values="mean").reindex(bots).fillna(0)
        # Penalties grow to the left of the line, so that the right end is all that was gained.
        left, right = np.zeros(len(bots)), np.zeros(len(bots))
        for number, part in enumerate(sources):
            values, words = grid[part].to_numpy(float), in_words("part", part)
            start = np.where(values < 0, left, right)
            look: dict[str, Any] = {"color": SERIES[number % len(SERIES)], "hatch": HATCHES[number % len(HATCHES)]}
            look |= {"edgecolor": GROUND, "linewidth": 0.6, "height": 0.66, "label": words}
            panel.barh(range(len(bots)), values, left=start, **look)
            pairs = zip(bots, values, strict=True)
            tips = [f"{bot or 'all styles'}, {words}: {decimal(value)} points" for bot, value in pairs]
            add_tips(panel, start + values / 2, range(len(bots)), tips)
            left, right = left + np.minimum(values, 0), right + np.maximum(values, 0)
        panel.axvline(0, color=SOFT_INK, linewidth=1.0)
        style.label_axis(panel.xaxis, "mean points", "whole")
    style.name_rows(figure.axes, names)
    style.legend(figure)

    rows, players = style.of_main_count(parts[parts["bot"] == parts["bot"].min()])
    main = ranked(rows, "mean").iloc[0]
    share = whole_percent(main["mean"] / rows["mean"].clip(lower=0).sum())
    title = f"With {players}, {in_words('part', main['part'])} points are {share} % of all that are gained"
    return Chart("score-parts", title, "Mean points per player by source; penalties to the left.", figure)
