"""From the log to small tables with intervals, and from those to findings in sentences.

`analyze(runs)` takes run folders of one edition and gives an Analysis: `tables` (name -> DataFrame with exactly the
columns that `tables.TABLES[name]` tells, all names always there), `missing` (name -> one sentence why a table is
empty), `findings`, and `runs` (plan, seed, digests, versions of each). docs/statistics.md tells how to read each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ttr_sim.analysis.analysis import Analysis


def analyze(runs: Sequence[str | Path]) -> Analysis:
    """All tables and findings of one or more runs of one edition."""
    from ttr_sim.analysis.analysis import analyze_runs  # pandas and duckdb load here, not with the package

    return analyze_runs(runs)
