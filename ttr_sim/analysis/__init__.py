"""From the log to small tables with intervals, and from those to findings in sentences.

`analyze(runs)` takes runs of one edition, or their folders, and returns an Analysis: `tables` (name -> DataFrame with
exactly the columns that `tables.TABLES[name]` lists, all names always there), `missing` (name -> one sentence why a
table is empty), `findings`, and `runs` (plan, seed, digests, versions of each). docs/statistics.md says how to read
each.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.beside import Beside
    from ttr_sim.analysis.chances.sample import Models
    from ttr_sim.run.opened import Run

    Named = Sequence[str | Path | Run]


def analyze(runs: Named, in_brief: bool = False, beside: Beside | None = None) -> Analysis:
    """Return all tables and findings of one or more runs of one edition; in brief, without those that take long, with
    which a process beside this one can help."""
    from ttr_sim.analysis.analysis import analyze_runs  # pandas and duckdb load here, not with the package
    from ttr_sim.analysis.beside import ALONE

    return analyze_runs(runs, in_brief, beside or ALONE)


@contextmanager
def helped(runs: Named, wanted: bool = True) -> Iterator[Beside]:
    """Start a second process, if it is wanted, on what takes longest in an analysis of these runs: it need not wait
    until this one has loaded what it needs."""
    from ttr_sim.analysis.beside import second_process

    with second_process(wanted) as beside:
        beside.begin_ahead(measure_courses, list(runs))
        yield beside


def measure_courses(runs: Named) -> tuple[dict[str, pd.DataFrame], Models]:
    """Return what the courses of games show: tables, and models of the chance to win. The runs are not checked."""
    from ttr_sim.analysis.analysis import opened
    from ttr_sim.analysis.experience import of_courses

    return of_courses(tuple(opened(runs)))
