"""Remedies that a study names for mispriced tickets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ttr_sim.analysis.robustness import DEPENDS
from ttr_sim.analysis.text import ends, listed, ranked
from ttr_sim.analysis.thresholds import MOST_NAMED, SLIGHT
from ttr_sim.analysis.tickets import GENEROUS, STINGY
from ttr_sim.balance.points import PointsFinder
from ttr_sim.balance.rescoring import Rescoring
from ttr_sim.edition import as_typed
from ttr_sim.edition.model import Edition
from ttr_sim.errors import command_line
from ttr_sim.run.read import open_run

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

REMEDIES = {"ticket_generous": GENEROUS, "ticket_stingy": STINGY}  # verdict by rule of the finding
MOST_GAMES = 6_000  # of each player count re-scored for a study: memory must not grow with games


def with_remedies(analysis: Analysis) -> Analysis:
    """Add a remedy to each finding that names mispriced tickets."""
    value = analysis.tables["ticket_value"]
    # A race has no points to move.
    if analysis.edition.is_race or not any(finding.rule in REMEDIES for finding in analysis.findings):
        return analysis
    together = value[value["players"] == value["players"].min()].sort_values("ticket")
    runs = [open_run(run.path, analysis.edition) for run in analysis.main_runs]
    rescoring = Rescoring([run.first_parts(MOST_GAMES) for run in runs])
    printed = [int(points) for points in rescoring.printed]
    rescored, measured = rescoring.excess(printed), together["excess"].to_numpy(float)
    finder = PointsFinder(rescoring, measured, rescored, np.ones(len(printed)), printed, SLIGHT)
    findings = list(analysis.findings)
    for place, finding in enumerate(analysis.findings):
        if finding.rule in REMEDIES and finding.row is not None:
            rows = together[together["verdict"] == REMEDIES[finding.rule]]
            depends = rows["holds"] == DEPENDS
            rows = rows[depends == depends[finding.row]]
            named = ranked(rows.assign(size=rows["excess"].abs()), "size")[:MOST_NAMED]
            remedy = _remedy(analysis.edition, finder, named)
            findings[place] = replace(finding, sentence=f"{finding.sentence} {remedy}")
    return replace(analysis, findings=tuple(findings))


def _remedy(edition: Edition, finder: PointsFinder, tickets: pd.DataFrame) -> str:
    """Name the points that bring each ticket close to its class, and tickets that no points do."""
    fixed, beyond = [], []
    for _, row in tickets.iterrows():
        ticket = int(row["ticket"])
        points, excess = finder.best(edition, finder.now, ticket)
        if abs(excess) > SLIGHT:
            beyond.append(ends(row))
        else:
            fixed.append(f"{ends(row)} about {points} instead of {edition.tickets[ticket].points}")
    predicted = "Predicted by scoring these games again:"
    sentences = [f"{predicted} {listed(fixed)}."] if fixed else []
    if beyond:
        sentences.append(f"{'By the same prediction,' if fixed else predicted} no points would mend {listed(beyond)}.")
    return f"{' '.join(sentences)} To prove it on fresh games: {command_line('balance', as_typed(edition))}"
