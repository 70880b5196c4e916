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
    from ttr_sim.run.read import Run

    Named = Sequence[str | Path | Run]


def analyze(runs: Named, in_brief: bool = False) -> Analysis:
    """Make all tables and findings of runs of one edition. In brief, without those that take long."""
    from ttr_sim.analysis.analysis import analyze_runs  # pandas and duckdb load here, not with the package

    return analyze_runs(runs, in_brief)
