"""What these runs cannot tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from ttr_sim.analysis.findings.finding import Finding
from ttr_sim.analysis.reader import Run
from ttr_sim.analysis.thresholds import FEW_BLOCKS
from ttr_sim.run.plan import FULL


def find(runs: Sequence[Run], tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    for sentence in (*_of_runs(runs), *_of_tables(tables)):
        yield Finding("limits", 0, sentence, True, "overview")


def _of_runs(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        planned = run.record.size.games
        if run.games < planned:
            yield f"{run.path} is unfinished: {run.games:,} of {planned:,} games are there."
        if run.games and run.plan.log != FULL:
            yield f"{run.path} was logged without turns: it tells nothing about routes and actions."


def _of_tables(tables: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    overview = tables["overview"]
    for players, blocks in zip(overview["players"], overview["blocks"], strict=True):
        if blocks == 1:
            yield f"With {players} players there is one block only: no interval can be given."
        elif blocks < FEW_BLOCKS:
            yield f"With {players} players there are {blocks} blocks only: intervals are wide and rough."
    if len(tables["strategies"]) and tables["matchups"].empty:
        yield "Only one style played: nothing can be said about styles, and the rest holds for that style only."
    if len(tables["routes"]) and tables["routes"]["contention"].isna().all():
        yield "No bot published the routes it wants: contention and denial cannot be told."
