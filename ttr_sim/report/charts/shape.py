"""Scores, length and lead: the shape of games."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ttr_sim.report.charts.style import (
    DASHES,
    SERIES,
    Chart,
    counts_in,
    facets,
    legend,
    mean_order,
    of_main_count,
    percent_axis,
    quantiles,
    short,
    tell,
    whole_axis,
)
from ttr_sim.report.numbers import exactly, players_words

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ttr_sim.analysis.analysis import Analysis

BINS = 36
RARE = (0.001, 0.999)  # scores and lengths beyond are left out of the picture
MEASURES = {  # with the unit of their axis
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
    counts = counts_in(scores)
    bots = [bot for bot in _by_strength(analysis) if bot in set(scores["bot"])]
    figure, panels = facets([players_words(count) for count in counts], 3.0)
    edges = _edges(scores["score"], scores["n"])
    for panel, count in zip(panels, counts, strict=True):
        for number, bot in enumerate(bots):
            rows = scores[(scores["players"] == count) & (scores["bot"] == bot)]
            _outline(panel, rows["score"], rows["n"], edges, number, short(bot))
        percent_axis(panel.yaxis)
        panel.set_xlabel("final score in tickets" if analysis.edition.is_race else "final score in points")
        whole_axis(panel.xaxis)
    panels[0].set_ylabel("share of seats")
    if len(bots) > 1:
        legend(figure)
    return Chart("scores", _usual_scores(scores, bots[0]), "How the final scores of each style vary.", figure)


def _usual_scores(scores: pd.DataFrame, bot: str) -> str:
    rows, players = of_main_count(scores[scores["bot"] == bot])
    low, high = quantiles(rows["score"], rows["n"], (0.1, 0.9))
    return f"With {players}, eight in ten scores of the {bot} lie between {exactly(low)} and {exactly(high)}"


def _by_strength(analysis: Analysis) -> list[str]:
    scores, styles = analysis.tables["scores"], analysis.tables["strategies"]
    ordered = mean_order(styles, "bot", "win_share")
    return [*ordered, *sorted(set(scores["bot"]) - set(ordered))]


def game_shape(analysis: Analysis) -> Chart | None:
    """Draw length, margin and lead, one line per player count."""
    games = analysis.tables["distributions"]
    measures = [measure for measure in MEASURES if measure in set(games["measure"])]
    if not measures:
        return None
    figure, panels = facets([MEASURES[measure][0] for measure in measures], 3.0, share_y=False, share_x=False)
    counts = counts_in(games)
    for panel, measure in zip(panels, measures, strict=True):
        rows = games[games["measure"] == measure]
        edges = _edges(rows["value"], rows["n"])
        for number, count in enumerate(counts):
            chosen = rows[rows["players"] == count]
            _outline(panel, chosen["value"], chosen["n"], edges, number, players_words(count))
        percent_axis(panel.yaxis)
        panel.set_xlabel(_unit(analysis, measure))
        if measure == "decided":
            percent_axis(panel.xaxis)
    panels[0].set_ylabel("share of games")
    legend(figure)
    return Chart(
        "game-shape",
        _middle_game(analysis, games),
        "How games vary: their turns, the winner's margin, how often the lead in open points changed, and from "
        "which share of the game on the winner led alone to the end.",
        figure,
    )


def _unit(analysis: Analysis, measure: str) -> str:
    return "tickets" if measure == "margin" and analysis.edition.is_race else MEASURES[measure][1]


def _middle_game(analysis: Analysis, games: pd.DataFrame) -> str:
    rows, players = of_main_count(games)
    middles = {
        str(measure): exactly(quantiles(of_it["value"], of_it["n"], (0.5,))[0])
        for measure, of_it in rows.groupby("measure")
    }
    told = [f"last {middles['turns']} turns or fewer"] if "turns" in middles else []
    if "margin" in middles:
        told.append(f"end {_counted(middles['margin'], _unit(analysis, 'margin'))} apart or closer")
    return f"Half of the games with {players} {' and half '.join(told)}" if told else "How games vary"


def _counted(number: str, things: str) -> str:
    return f"{number} {things.removesuffix('s') if number == '1' else things}"


def _edges(values: pd.Series[float], weights: pd.Series[int]) -> np.ndarray[Any, Any]:
    """Return bins over all but the rarest values, each as wide as a whole number of the values' own steps."""
    low, high = quantiles(values, weights, RARE)
    gaps = np.diff(np.unique(values.to_numpy(float).round(6)))
    grain = float(gaps.min()) if len(gaps) else 1.0
    step = grain * max(1.0, np.ceil((high - low) / grain / BINS))
    return np.arange(low - grain / 2, high + step, step)


def _outline(
    panel: Axes,
    values: pd.Series[float],
    weights: pd.Series[int],
    edges: np.ndarray[Any, Any],
    number: int,
    name: str | None,
) -> None:
    if values.empty:
        return
    heights, _ = np.histogram(values.to_numpy(float), edges, weights=weights.to_numpy(float))
    look = {"color": SERIES[number % len(SERIES)], "linestyle": DASHES[number % len(DASHES)], "linewidth": 1.5}
    shares = heights / max(float(weights.sum()), 1.0)
    panel.stairs(shares, edges, label=name, **look)
    middles = (edges[1:] + edges[:-1]) / 2
    bins = zip(pairwise(edges), shares, strict=True)
    told = [f"{name}: {exactly(low)} to {exactly(high)}, {share:.1%}" for (low, high), share in bins]
    tell(panel, zip(middles, shares, told, strict=True))
