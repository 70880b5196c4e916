"""Charts of the course of games: scores, length, lead, chances to win."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.report.charts import style
from ttr_sim.report.figures import DASHES, INK, MARKS, SERIES, Chart, add_tips
from ttr_sim.report.numbers import exactly, players_words, whole_percent

BINS = 36
RARE = (0.001, 0.999)  # scores and lengths beyond are left out of the picture
MEASURES = {  # with the label of their axis
    "turns": ("length", "turns"),
    "margin": ("winner's margin", "points"),
    "lead_changes": ("changes of the lead", "changes in a game"),
    "decided": ("winner leads for good", "from this part of the game on"),
}


def score_distribution(analysis: Analysis) -> Chart | None:
    """Draw final scores by style, one panel per player count."""
    scores = analysis.tables["scores"]
    if scores.empty:
        return None
    # Strongest first, then the styles that no table ranks.
    found = set(scores["bot"])
    by_strength = style.mean_order(analysis.tables["strategies"], "bot", "win_share")
    bots = [*(bot for bot in by_strength if bot in found), *sorted(found - set(by_strength))]
    figure, panels = style.count_panels(scores, 3.0)
    for panel, _, rows in panels:
        _draw_outlines(panel, scores, [(style.short(bot), rows[rows["bot"] == bot]) for bot in bots], "score")
        words = "final score in tickets" if analysis.edition.is_race else "final score in points"
        style.label_axis(panel.xaxis, words, "whole")
    figure.axes[0].set_ylabel("share of seats")
    if len(bots) > 1:
        style.legend(figure)
    rows, players = style.of_main_count(scores[scores["bot"] == bots[0]])
    low, high = _quantiles(rows, "score", (0.1, 0.9))
    title = f"With {players}, eight in ten scores of the {bots[0]} lie between {exactly(low)} and {exactly(high)}"
    return Chart("scores", title, "How the final scores of each style vary.", figure)


def game_shape(analysis: Analysis) -> Chart | None:
    """Draw length, margin and lead, one line per player count."""
    games = analysis.tables["distributions"]
    measures = {name: words for name, words in MEASURES.items() if name in set(games["measure"])}
    if not measures:
        return None
    main, players = style.of_main_count(games)
    figure, panels = style.facets([title for title, _ in measures.values()], 3.0, share_y=False, share_x=False)
    claims = []
    for panel, (measure, (_, usual_unit)) in zip(panels, measures.items(), strict=True):
        rows = games[games["measure"] == measure]
        counts = style.counts_in(games)
        _draw_outlines(panel, rows, [(players_words(n), rows[rows["players"] == n]) for n in counts], "value")
        unit = "tickets" if measure == "margin" and analysis.edition.is_race else usual_unit
        style.label_axis(panel.xaxis, unit, "percent" if measure == "decided" else "")
        values = main[main["measure"] == measure]
        if measure in ("turns", "margin") and len(values):
            middle = exactly(*_quantiles(values, "value", (0.5,)))
            unit = unit.removesuffix("s") if middle == "1" else unit
            claims.append(
                f"last {middle} turns or fewer" if measure == "turns" else f"end {middle} {unit} apart or closer"
            )
    panels[0].set_ylabel("share of games")
    style.legend(figure)
    return Chart(
        "game-shape",
        f"Half of the games with {players} {' and half '.join(claims)}" if claims else "How games vary",
        "How games vary: their turns, the winner's margin, how often the lead in open points changed, and from "
        "which share of the game on the winner led alone to the end.",
        figure,
    )


def _draw_outlines(panel: Axes, whole: pd.DataFrame, series: Sequence[tuple[str, pd.DataFrame]], column: str) -> None:
    """Draw named distributions as the outlines of their bins, the same for all."""
    low, high = _quantiles(whole, column, RARE)
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


def _quantiles(rows: pd.DataFrame, column: str, shares: Sequence[float]) -> list[float]:
    """Quantiles of a column, each row weighted by its count `n`."""
    ordered = rows.sort_values(column, kind="stable")
    values, reached = ordered[column].to_numpy(float), np.cumsum(ordered["n"].to_numpy(float))
    return [float(values[np.searchsorted(reached, share * reached[-1])]) for share in shares]


def course(analysis: Analysis) -> Chart | None:
    """Draw the winner's and the leader's chance to win over the game."""
    table = analysis.tables["shape_course"]
    if table.empty:
        return None
    figure, panels = style.count_panels(table, 3.4)
    for panel, count, rows in panels:
        for number, (column, words) in enumerate((("winner", "the eventual winner"), ("leader", "who leads"))):
            color = SERIES[number]
            panel.plot(rows["part"], rows[column], color=color, marker=MARKS[number], markersize=4, label=words)
            panel.fill_between(rows["part"], rows[f"{column}_low"], rows[f"{column}_high"], alpha=0.2, color=color)
            tips = []
            for row in rows.to_dict("records"):
                when = f"after {whole_percent(row['part'])} % of the game"
                tips.append(f"{words}, {when}: {style.number_words(row, column, 'share')}")
            add_tips(panel, rows["part"], rows[column], tips)
        panel.axhline(1 / count, color=INK, linewidth=0.8, linestyle=":")
        panel.set_ylim(0, 1)
        style.label_axis(panel.xaxis, "part of the game that is over", "percent")
    style.label_axis(figure.axes[0].yaxis, "mean chance to win", "percent")
    style.legend(figure)
    rows, players = style.of_main_count(table)
    chance = whole_percent(rows.iloc[(rows["part"] - 0.5).abs().argmin()]["winner"])
    return Chart(
        "shape-course",
        f"Halfway through a game with {players}, the eventual winner had a chance of {chance} %",
        "The chance to win at the end of each round, as a spectator who sees all hands and tickets would estimate it. "
        "The gap between the lines is the drama; dotted, a fair share. Bands are 95 % intervals.",
        figure,
    )


def calibration(analysis: Analysis) -> Chart | None:
    """Draw how often seats of about the same chance won."""
    # Groups too small for an interval say nothing about the model.
    table = analysis.tables["shape_chances"].dropna(subset=["won_low"])
    if table.empty:
        return None
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
    return Chart(
        "shape-belief",
        f"{fits} of {len(table)} groups of seats won as often as expected",
        "Seats to which the model gave about the same chance, in games it did not learn from, and how many of them "
        "won: dots on the dotted line mean that chances are what they say. Bars are 95 % intervals.",
        figure,
    )
