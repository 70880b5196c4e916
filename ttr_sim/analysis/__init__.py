"""From the log to small tables with intervals, and from those to findings in sentences.

`analyze(runs)` takes runs of one edition, or their folders, and returns an Analysis: `tables` (name -> DataFrame with
exactly the columns that `tables.TABLES[name]` lists, all names always there), `missing` (name -> one sentence why a
table is empty), `findings`, and `runs` (plan, seed, digests, versions of each). docs/statistics.md says how to read
each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.beside import Beside
    from ttr_sim.run.opened import Run


def analyze(runs: Sequence[str | Path | Run], in_brief: bool = False, beside: Beside | None = None) -> Analysis:
    """Return all tables and findings of one or more runs of one edition; in brief, without those that take long, with
    which a process beside this one can help."""
    from ttr_sim.analysis.analysis import analyze_runs  # pandas and duckdb load here, not with the package
    from ttr_sim.analysis.beside import ALONE

    return analyze_runs(runs, in_brief, beside or ALONE)
