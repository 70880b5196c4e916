"""Charts of styles, seats and scores, and of the course of games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.standings import clearly_ahead, clearly_off, clearly_pay_or_cost
from ttr_sim.analysis.text import ORDINALS, decimal, ranked, with_players
from ttr_sim.log import SCORE_PARTS
from ttr_sim.report.charts import style
from ttr_sim.report.charts.style import chart
from ttr_sim.report.figures import DASHES, GROUND, INK, MARKS, ON_DARK, ON_LIGHT, SERIES, SOFT_INK, add_tips
from ttr_sim.report.numbers import exactly, ordinal, players_words, whole_percent
from ttr_sim.report.tables import in_words

if TYPE_CHECKING:
    from ttr_sim.report.charts.style import Drawing

HATCHES = ("", "////", "\\\\\\\\", "xxxx", "----", "||||", "++++", "//")
EVEN, DEEP = 0.5, 0.2  # from DEEP off an even share the background is dark
BINS = 36
RARE = (0.001, 0.999)  # scores and lengths beyond are left out of the picture
MEASURES = {  # with the label of their axis
    "turns": ("length", "turns"),
    "margin": ("winner's margin", "points"),
    "lead_changes": ("changes of the lead", "changes in a game"),
    "decided": ("winner leads for good", "from this part of the game on"),
}


@chart("style-wins", "strategies")
def style_wins(analysis: Analysis, styles: pd.DataFrame) -> Drawing:
    return leading_styles(styles, "win_share", "wins most"), win_shares(styles, "bot")


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


@chart("rewards", "rewards")
def reward_wins(analysis: Analysis, rewards: pd.DataFrame) -> Drawing:
    title = "Among strong players no other taste or style clearly wins more than its fair share"
    gaps = rewards.assign(gap=rewards["win_share"] - rewards["fair"])
    better = gaps[clearly_pay_or_cost(gaps) & (gaps["gap"] > 0)]
    if len(better):
        row = ranked(better, "gap").iloc[0]
        share = f"{whole_percent(row['win_share'])} % with {players_words(int(row['players']))}"
        title = f"Wins most beyond its fair share among strong players: {row['variant']}, {share}"
    return title, win_shares(rewards, "variant")


def win_shares(table: pd.DataFrame, key: str) -> Figure:
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


@chart("matchups", "matchups")
def matchup_matrix(analysis: Analysis, pairs: pd.DataFrame) -> Drawing:
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
    return title, figure


@chart("ratings", "strategies", known="rating_low")
def ratings(analysis: Analysis, styles: pd.DataFrame) -> Drawing:
    bots = style.mean_order(analysis.tables["strategies"], "bot", "win_share")
    figure, [panel] = style.facets([""], 1.2 + 0.38 * len(bots))
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    style.dots_by_count(panel, styles, "rating", "bot", {bot: bot for bot in bots}, "rating")
    panel.set_xlabel("rating (Elo scale, mean 0)")
    style.legend(figure)
    return leading_styles(styles, "rating", "has the highest rating"), figure


@chart("seat-wins", "seats")
def seat_wins(analysis: Analysis, seats: pd.DataFrame) -> Drawing:
    gaps = seats.assign(**{f"gap{end}": seats[f"win_share{end}"] - seats["fair"] for end in ("", "_low", "_high")})
    # Seats are categories: a shared axis would show five seats in a game of two.
    figure, panels = style.count_panels(gaps.sort_values("seat"), 2.9, share_x=False)
    look: dict[str, Any] = {"color": SERIES[5], "ecolor": INK, "capsize": 3, "width": 0.62}
    for panel, _, rows in panels:
        names = [ordinal(seat) for seat in rows["seat"]]
        panel.bar(names, rows["gap"], yerr=style.error_bars(rows, "gap"), **look)
        wins = [style.number_words(row, "win_share", "share") for row in rows.to_dict("records")]
        tips = [f"{name} player: wins {words}" for name, words in zip(names, wins, strict=True)]
        add_tips(panel, range(len(rows)), rows["gap"] / 2, tips)
        panel.axhline(0, color=INK, linewidth=1.0)
        panel.grid(False, axis="x")
        panel.set_xlabel("player, in turn order")
    style.label_axis(figure.axes[0].yaxis, "wins beyond the fair share, % points", "signed percent")
    title = "No player clearly wins more or less often than is fair"
    clear = gaps[clearly_off(gaps)]
    if len(clear):
        worst = ranked(clear.assign(size=clear["gap"].abs()), "size").iloc[0]
        wins_of_it, fair = whole_percent(worst["win_share"]), whole_percent(worst["fair"])
        ordinal_word, players = ORDINALS[int(worst["seat"])], players_words(int(worst["players"]))
        title = f"The {ordinal_word} player wins {wins_of_it} % with {players}, where {fair} % is fair"
    return title, figure


@chart("score-parts", "score_parts")
def score_parts(analysis: Analysis, parts: pd.DataFrame) -> Drawing:
    named = [bot for bot in style.mean_order(analysis.tables["strategies"], "bot", "score") if bot in set(parts["bot"])]
    bots = named if len(named) == 1 else ["", *named]
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
    style.name_rows(figure.axes, [style.short(bot or "all styles") for bot in bots])
    style.legend(figure)
    rows, players = style.of_main_count(parts[parts["bot"] == parts["bot"].min()])
    main = ranked(rows, "mean").iloc[0]
    share = whole_percent(main["mean"] / rows["mean"].clip(lower=0).sum())
    return f"With {players}, {in_words('part', main['part'])} points are {share} % of all that are gained", figure


@chart("scores", "scores")
def score_distribution(analysis: Analysis, scores: pd.DataFrame) -> Drawing:
    # Strongest first, then the styles that no table ranks.
    found = set(scores["bot"])
    by_strength = style.mean_order(analysis.tables["strategies"], "bot", "win_share")
    bots = [*(bot for bot in by_strength if bot in found), *sorted(found - set(by_strength))]
    figure, panels = style.count_panels(scores, 3.0)
    for panel, _, rows in panels:
        draw_outlines(panel, scores, [(style.short(bot), rows[rows["bot"] == bot]) for bot in bots], "score")
        words = "final score in tickets" if analysis.edition.is_race else "final score in points"
        style.label_axis(panel.xaxis, words, "whole")
    figure.axes[0].set_ylabel("share of seats")
    if len(bots) > 1:
        style.legend(figure)
    rows, players = style.of_main_count(scores[scores["bot"] == bots[0]])
    low, high = map(exactly, quantiles(rows, "score", (0.1, 0.9)))
    return f"With {players}, eight in ten scores of the {bots[0]} lie between {low} and {high}", figure


@chart("game-shape", "distributions")
def game_shape(analysis: Analysis, games: pd.DataFrame) -> Drawing | None:
    measures = {name: words for name, words in MEASURES.items() if name in set(games["measure"])}
    if not measures:
        return None
    main, players = style.of_main_count(games)
    figure, panels = style.facets([title for title, _ in measures.values()], 3.0, share_y=False, share_x=False)
    claims = []
    for panel, (measure, (_, usual_unit)) in zip(panels, measures.items(), strict=True):
        rows = games[games["measure"] == measure]
        counts = style.counts_in(games)
        draw_outlines(panel, rows, [(players_words(n), rows[rows["players"] == n]) for n in counts], "value")
        unit = "tickets" if measure == "margin" and analysis.edition.is_race else usual_unit
        style.label_axis(panel.xaxis, unit, "percent" if measure == "decided" else "")
        values = main[main["measure"] == measure]
        if measure in ("turns", "margin") and len(values):
            middle = exactly(*quantiles(values, "value", (0.5,)))
            unit = unit.removesuffix("s") if middle == "1" else unit
            is_length = measure == "turns"
            claims.append(f"last {middle} turns or fewer" if is_length else f"end {middle} {unit} apart or closer")
    panels[0].set_ylabel("share of games")
    style.legend(figure)
    return f"Half of the games with {players} {' and half '.join(claims)}" if claims else "How games vary", figure


def draw_outlines(panel: Axes, whole: pd.DataFrame, series: Sequence[tuple[str, pd.DataFrame]], column: str) -> None:
    """Draw named distributions as the outlines of their bins, the same for all."""
    low, high = quantiles(whole, column, RARE)
    gaps = np.diff(np.unique(whole[column].to_numpy(float).round(6)))
    grain = float(gaps.min()) if len(gaps) else 1.0
    # A bin as wide as a whole number of the values' own steps: others would make a comb of whole numbers.
    step = grain * max(1.0, np.ceil((high - low) / grain / BINS))
    edges = np.arange(low - grain / 2, high + step, step)
    style.label_axis(panel.yaxis, "", "percent")
    for number, (name, rows) in enumerate(series):
        if rows.empty:
            continue
        heights, _ = np.histogram(rows[column].to_numpy(float), edges, weights=rows["n"].to_numpy(float))
        shares = heights / max(float(rows["n"].sum()), 1.0)
        look: dict[str, Any] = {"color": SERIES[number % len(SERIES)], "linestyle": DASHES[number % len(DASHES)]}
        panel.stairs(shares, edges, label=name, linewidth=1.5, **look)
        bins = zip(pairwise(edges), shares, strict=True)
        tips = [f"{name}: {exactly(start)} to {exactly(end)}, {share:.1%}" for (start, end), share in bins]
        add_tips(panel, (edges[1:] + edges[:-1]) / 2, shares, tips)


def quantiles(rows: pd.DataFrame, column: str, shares: Sequence[float]) -> list[float]:
    """Quantiles of a column, each row weighted by its count `n`."""
    ordered = rows.sort_values(column, kind="stable")
    values, reached = ordered[column].to_numpy(float), np.cumsum(ordered["n"].to_numpy(float))
    return [float(values[np.searchsorted(reached, share * reached[-1])]) for share in shares]


@chart("shape-course", "shape_course")
def course(analysis: Analysis, table: pd.DataFrame) -> Drawing:
    figure, panels = style.count_panels(table, 3.4)
    for panel, count, rows in panels:
        whens = [f"after {whole_percent(part)} % of the game" for part in rows["part"]]
        for number, (column, words) in enumerate((("winner", "the eventual winner"), ("leader", "who leads"))):
            color = SERIES[number]
            panel.plot(rows["part"], rows[column], color=color, marker=MARKS[number], markersize=4, label=words)
            panel.fill_between(rows["part"], rows[f"{column}_low"], rows[f"{column}_high"], alpha=0.2, color=color)
            chances = [style.number_words(row, column, "share") for row in rows.to_dict("records")]
            tips = [f"{words}, {when}: {chance}" for when, chance in zip(whens, chances, strict=True)]
            add_tips(panel, rows["part"], rows[column], tips)
        panel.axhline(1 / count, color=INK, linewidth=0.8, linestyle=":")
        panel.set_ylim(0, 1)
        style.label_axis(panel.xaxis, "part of the game that is over", "percent")
    style.label_axis(figure.axes[0].yaxis, "mean chance to win", "percent")
    style.legend(figure)
    rows, players = style.of_main_count(table)
    chance = whole_percent(rows.iloc[(rows["part"] - 0.5).abs().argmin()]["winner"])
    return f"Halfway through a game with {players}, the eventual winner had a chance of {chance} %", figure


# Groups too small for an interval say nothing about the model.
@chart("shape-belief", "shape_chances", known="won_low")
def calibration(analysis: Analysis, table: pd.DataFrame) -> Drawing:
    figure, panels = style.count_panels(table, 3.2)
    for panel, _, rows in panels:
        panel.plot([0, 1], [0, 1], color=INK, linewidth=0.8, linestyle=":")
        bars = style.error_bars(rows, "won")
        panel.errorbar(rows["chance"], rows["won"], yerr=bars, fmt="o", markersize=4, color=SERIES[0])
        tips = []
        for row in rows.to_dict("records"):
            tips.append(f"given {whole_percent(row['chance'])} %: {style.number_words(row, 'won', 'share')} won")
        add_tips(panel, rows["chance"], rows["won"], tips)
        style.label_axis(panel.xaxis, "chance given", "percent")
    style.label_axis(figure.axes[0].yaxis, "share that won", "percent")
    fits = int(table["chance"].between(table["won_low"], table["won_high"]).sum())
    return f"{fits} of {len(table)} groups of seats won as often as expected", figure
