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
    percent_axis,
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
MEASURES = {
    "turns": "turns of the game",
    "margin": "winner's margin in points",
    "lead_changes": "changes of the lead",
    "decided": "winner leads for good from",
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
    legend(figure)
    return Chart("scores", "Final scores", "How the final scores of each style vary.", figure)


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
    figure, panels = facets([MEASURES[measure] for measure in measures], 3.0, share_y=False, share_x=False)
    counts = counts_in(games)
    for panel, measure in zip(panels, measures, strict=True):
        rows = games[games["measure"] == measure]
        edges = _edges(rows["value"], rows["n"])
        for number, count in enumerate(counts):
            chosen = rows[rows["players"] == count]
            _outline(panel, chosen["value"], chosen["n"], edges, number, players_words(count))
        percent_axis(panel.yaxis)
    panels[0].set_ylabel("share of games")
    legend(figure)
    return Chart(
        "game-shape",
        "Length, margin and lead",
        "How games vary: their turns, the winner's margin, how often the lead in open points changed, and from "
        "which share of the game on the winner led alone to the end.",
        figure,
    )


def _edges(values: pd.Series[float], weights: pd.Series[int]) -> np.ndarray[Any, Any]:
    """Return bins over all but the rarest values, each as wide as a whole number of the values' own steps."""
    order = np.argsort(values.to_numpy(float))
    known, reached = values.to_numpy(float)[order], np.cumsum(weights.to_numpy(float)[order])
    low, high = (float(known[np.searchsorted(reached, share * reached[-1])]) for share in RARE)
    gaps = np.diff(np.unique(known.round(6)))
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
