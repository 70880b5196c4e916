"""What would mend each ticket that a study names: predicted by scoring its games again, to be proven by `balance`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ttr_sim.analysis.ranking import ranked
from ttr_sim.analysis.thresholds import MOST_NAMED, SLIGHT
from ttr_sim.analysis.verdicts import DEPENDS, GENEROUS, STINGY
from ttr_sim.analysis.words import ends, listed
from ttr_sim.balance.points import Proposal
from ttr_sim.balance.rescoring import Rescoring
from ttr_sim.edition import as_typed
from ttr_sim.errors import command_line
from ttr_sim.run.opened import open_run

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.findings import Finding
    from ttr_sim.edition.model import Edition

VERDICTS = {"ticket_generous": GENEROUS, "ticket_stingy": STINGY}
MOST_GAMES = (
    6_000  # of each player count that are scored again: enough for a slope, and memory must not grow with games
)


def with_remedies(analysis: Analysis) -> Analysis:
    """Return the analysis with a remedy in each finding that names mispriced tickets; a race has no points to move."""
    value = analysis.tables["ticket_value"]
    if analysis.edition.is_race or not any(finding.rule in VERDICTS for finding in analysis.findings):
        return analysis
    together = value[value["players"] == value["players"].min()].sort_values("ticket")
    proposal = _proposal(analysis, together)
    findings = tuple(
        replace(finding, sentence=f"{finding.sentence} {_remedy(analysis.edition, proposal, rows)}")
        if len(rows := _named(finding, together))
        else finding
        for finding in analysis.findings
    )
    return replace(analysis, findings=findings)


def _named(finding: Finding, together: pd.DataFrame) -> pd.DataFrame:
    """Return the tickets that a finding names."""
    if finding.rule not in VERDICTS or finding.row is None:
        return together.iloc[:0]
    rows = together[together["verdict"] == VERDICTS[finding.rule]]
    depends = rows["holds"] == DEPENDS
    rows = rows[depends == depends[finding.row]]
    return ranked(rows.assign(size=rows["excess"].abs()), "size")[:MOST_NAMED]


def _proposal(analysis: Analysis, together: pd.DataFrame) -> Proposal:
    runs = [open_run(run.path, analysis.edition) for run in analysis.main_runs]
    rescoring = Rescoring([run.first_parts(MOST_GAMES) for run in runs])
    printed = [int(points) for points in rescoring.printed]
    again = rescoring.excess(printed)
    return Proposal(rescoring, together["excess"].to_numpy(float), again, np.ones(len(again)), printed, SLIGHT)


def _remedy(edition: Edition, proposal: Proposal, rows: pd.DataFrame) -> str:
    """Say what points bring each ticket close to its class, and which tickets no points do."""
    mended, beyond = [], []
    for _, row in rows.iterrows():
        ticket = int(row["ticket"])
        points, excess = proposal.best(edition, proposal.now, ticket)
        if abs(excess) > SLIGHT:
            beyond.append(ends(row))
        else:
            mended.append(f"{ends(row)} about {points} instead of {edition.tickets[ticket].points}")
    predicted = "Predicted by scoring these games again:"
    said = [f"{predicted} {listed(mended)}."] if mended else []
    if beyond:
        said.append(f"{'By the same prediction,' if mended else predicted} no points would mend {listed(beyond)}.")
    return f"{' '.join(said)} To prove it on fresh games: {command_line('balance', as_typed(edition))}"
