"""Findings: sentences chosen by rules from the tables, each with its number and interval.

A topic with nothing to say says so. The numbers that decide are all in `thresholds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ttr_sim.analysis.findings import board, play, tickets
from ttr_sim.analysis.findings.finding import Finding
from ttr_sim.analysis.robustness import Tables, TablesByField
from ttr_sim.analysis.text import listed
from ttr_sim.analysis.thresholds import FEW_BLOCKS
from ttr_sim.bots.tuning import CHANGED, FITTING, UNTUNED, state_of_tuning
from ttr_sim.edition import as_typed
from ttr_sim.edition.model import Edition
from ttr_sim.errors import command_line
from ttr_sim.run.fields import STRONG, STRONG_BOT
from ttr_sim.run.opened import Run
from ttr_sim.run.plan import FULL

__all__ = ["Finding", "find"]

UNFIT = {
    CHANGED: "was tuned for this board before its last change, not for it as it is",
    UNTUNED: "was never tuned for this board",
}


def find(edition: Edition, runs: Sequence[Run], tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Yield what stands out about the board, then about play; then what these runs cannot show.

    `runs` are those that findings about the board rest on; `others` are tables of other fields, by field.
    """
    if len(tables["overview"]):
        of_the_board = {
            "turn order": board.turn_order(tables, others),
            "tickets": tickets.tickets(tables, others, edition.is_race),
            "routes": board.routes(tables, others),
            "dead content": board.dead(tables, others),
            "shape": board.shape(tables, others),
            "oddities": play.oddities(tables),
        }
        for topic, findings in of_the_board.items():
            yield from (finding.about_the_board(topic, asked=bool(others)) for finding in findings)
        yield from _about("play", "rewards", play.rewards(tables))
        yield from _about("play", "styles", play.styles(tables))
    yield from _about("limits", "limits", _limits(edition, runs, tables))


def _about(about: str, topic: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    for finding in findings:
        yield replace(finding, about=about, topic=topic)


def _limits(edition: Edition, runs: Sequence[Run], tables: Tables) -> Iterator[Finding]:
    for sentence in (*_of_runs(runs), *_of_tables(tables), *_of_tuning(edition, runs)):
        yield Finding("limits", (), sentence, True, "overview")


def _of_runs(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        planned = run.record.size.games
        if run.finished_games < planned:
            yield f"{run.path} is unfinished: it has {run.finished_games:,} of {planned:,} games."
    for doubt in dict.fromkeys(doubt for run in runs for doubt in run.record.doubts):
        yield f"{doubt}."
    without = [str(run.path) for run in runs if run.finished_games and run.plan.log != FULL]
    if without:
        were, they = ("was", "it shows") if len(without) == 1 else ("were", "they show")
        named = listed(without, most=1)
        yield f"{named} {were} logged without turns, so {they} nothing about routes and actions."


def _of_tables(tables: Tables) -> Iterator[str]:
    overview = tables["overview"].drop_duplicates("players")  # the main field stands first
    for players, blocks in zip(overview["players"], overview["blocks"], strict=True):
        if blocks == 1:
            yield f"With {players} players there is only one block, so there are no intervals."
        elif blocks < FEW_BLOCKS:
            yield f"With {players} players there are only {blocks} blocks, so intervals are wide and rough."
    if len(tables["strategies"]) and tables["matchups"].empty:
        yield "Only one style played, so the games show nothing about styles, nor how far the rest holds."
    if len(tables["routes"]) and tables["routes"]["contention"].isna().all():
        yield "No bot published the routes it wants, so there is no estimate of which routes are fought over."


def _of_tuning(edition: Edition, runs: Sequence[Run]) -> Iterator[str]:
    """Warn when the strong players were not tuned for this board."""
    if not any(run.field == STRONG for run in runs):
        return
    state = state_of_tuning(edition, STRONG_BOT)
    if state == FITTING:
        return
    tuning = command_line("tune", as_typed(edition))
    yield f"The {STRONG_BOT} {UNFIT[state]}: `{tuning}` does that."
