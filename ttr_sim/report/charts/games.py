"""Charts of the course of games: scores, length, lead, chances to win."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ttr_sim.analysis.analysis import Analysis
from ttr_sim.report.board.routing import Points
from ttr_sim.report.charts import style
from ttr_sim.report.colors import DASHES, INK, MARKS, SERIES
from ttr_sim.report.figures import Chart, add_tips
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
    edges = _bin_edges(scores, "score")
    for panel, _, rows in panels:
        for number, bot in enumerate(bots):
            _draw_outline(panel, rows[rows["bot"] == bot], "score", edges, number, style.short(bot))
        panel.set_xlabel("final score in tickets" if analysis.edition.is_race else "final score in points")
        style.whole_axis(panel.xaxis)
    figure.axes[0].set_ylabel("share of seats")
    if len(bots) > 1:
        style.legend(figure)
    rows, players = style.of_main_count(scores[scores["bot"] == bots[0]])
    low, high = style.quantiles(rows, "score", (0.1, 0.9))
    return Chart(
        "scores",
        f"With {players}, eight in ten scores of the {bots[0]} lie between {exactly(low)} and {exactly(high)}",
        "How the final scores of each style vary.",
        figure,
    )


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
        edges = _bin_edges(rows, "value")
        for number, count in enumerate(style.counts_in(games)):
            _draw_outline(panel, rows[rows["players"] == count], "value", edges, number, players_words(count))
        unit = "tickets" if measure == "margin" and analysis.edition.is_race else usual_unit
        panel.set_xlabel(unit)
        if measure == "decided":
            style.percent_axis(panel.xaxis)

        values = main[main["measure"] == measure]
        if measure in ("turns", "margin") and len(values):
            middle = exactly(*style.quantiles(values, "value", (0.5,)))
            if measure == "turns":
                claims.append(f"last {middle} turns or fewer")
            else:
                claims.append(f"end {middle} {unit.removesuffix('s') if middle == '1' else unit} apart or closer")
    panels[0].set_ylabel("share of games")
    style.legend(figure)
    return Chart(
        "game-shape",
        f"Half of the games with {players} {' and half '.join(claims)}" if claims else "How games vary",
        "How games vary: their turns, the winner's margin, how often the lead in open points changed, and from "
        "which share of the game on the winner led alone to the end.",
        figure,
    )


def _bin_edges(rows: pd.DataFrame, column: str) -> Points:
    """Bins over all but the rarest values."""
    low, high = style.quantiles(rows, column, RARE)
    gaps = np.diff(np.unique(rows[column].to_numpy(float).round(6)))
    grain = float(gaps.min()) if len(gaps) else 1.0
    # A bin as wide as a whole number of the values' own steps: others would make a comb of whole numbers.
    step = grain * max(1.0, np.ceil((high - low) / grain / BINS))
    return np.arange(low - grain / 2, high + step, step)


def _draw_outline(panel: Axes, rows: pd.DataFrame, column: str, edges: Points, number: int, name: str) -> None:
    """Draw a distribution as the outline of its bins."""
    style.percent_axis(panel.yaxis)
    if rows.empty:
        return
    heights, _ = np.histogram(rows[column].to_numpy(float), edges, weights=rows["n"].to_numpy(float))
    shares = heights / max(float(rows["n"].sum()), 1.0)
    look: dict[str, Any] = {"color": SERIES[number % len(SERIES)], "linestyle": DASHES[number % len(DASHES)]}
    panel.stairs(shares, edges, label=name, linewidth=1.5, **look)
    tips = []
    for (low, high), share in zip(pairwise(edges), shares, strict=True):
        tips.append(f"{name}: {exactly(low)} to {exactly(high)}, {share:.1%}")
    add_tips(panel, (edges[1:] + edges[:-1]) / 2, shares, tips)


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
        panel.set_xlabel("part of the game that is over")
        style.percent_axis(panel.xaxis)
        style.percent_axis(panel.yaxis)
    figure.axes[0].set_ylabel("mean chance to win")
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
        panel.set_xlabel("chance given")
        style.percent_axis(panel.xaxis)
        style.percent_axis(panel.yaxis)
    figure.axes[0].set_ylabel("share that won")
    fits = int(table["chance"].between(table["won_low"], table["won_high"]).sum())
    return Chart(
        "shape-belief",
        f"{fits} of {len(table)} groups of seats won as often as expected",
        "Seats to which the model gave about the same chance, in games it did not learn from, and how many of them "
        "won: dots on the dotted line mean that chances are what they say. Bars are 95 % intervals.",
        figure,
    )
