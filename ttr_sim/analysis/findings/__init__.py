"""Findings: sentences chosen by rules from the tables, each with its number and interval.

A topic with nothing to say says so. The numbers that decide are all in `thresholds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ttr_sim.analysis.findings import board, play
from ttr_sim.analysis.findings.finding import Finding, Tables
from ttr_sim.analysis.thresholds import FEW_BLOCKS
from ttr_sim.edition.model import Edition
from ttr_sim.run.opened import Run
from ttr_sim.run.plan import FULL

__all__ = ["Finding", "find"]


def find(edition: Edition, runs: Sequence[Run], tables: Tables) -> Iterator[Finding]:
    """Yield what stands out, topic by topic; then what these runs cannot show."""
    if len(tables["overview"]):
        yield from play.styles(tables)
        yield from play.turn_order(tables)
        yield from board.tickets(tables, edition.is_race)
        yield from board.routes(tables)
        yield from play.shape(tables)
        yield from play.oddities(tables)
    yield from _limits(runs, tables)


def _limits(runs: Sequence[Run], tables: Tables) -> Iterator[Finding]:
    for sentence in (*_of_runs(runs), *_of_tables(tables)):
        yield Finding("limits", 0, sentence, True, "overview")


def _of_runs(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        planned = run.record.size.games
        if run.finished_games < planned:
            yield f"{run.path} is unfinished: {run.finished_games:,} of {planned:,} games are there."
        if run.finished_games and run.plan.log != FULL:
            yield f"{run.path} was logged without turns: it shows nothing about routes and actions."


def _of_tables(tables: Tables) -> Iterator[str]:
    overview = tables["overview"]
    for players, blocks in zip(overview["players"], overview["blocks"], strict=True):
        if blocks == 1:
            yield f"With {players} players there is one block only: no interval can be given."
        elif blocks < FEW_BLOCKS:
            yield f"With {players} players there are {blocks} blocks only: intervals are wide and rough."
    if len(tables["strategies"]) and tables["matchups"].empty:
        yield "Only one style played: nothing can be said about styles, and the rest holds for that style only."
    if len(tables["routes"]) and tables["routes"]["contention"].isna().all():
        yield "No bot published the routes it wants: there is no estimate of which routes are fought over."
