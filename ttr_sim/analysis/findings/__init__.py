"""Findings: sentences chosen by rules from the tables, each with its number and interval.

One topic a file; a topic with nothing to tell says so. The numbers that decide are all in `thresholds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import pandas as pd

from ttr_sim.analysis.findings import limits, routes, seats, shape, strangeness, styles, tickets
from ttr_sim.analysis.findings.finding import Finding
from ttr_sim.analysis.reader import Run
from ttr_sim.edition.model import Edition

__all__ = ["Finding", "find"]

Tables = Mapping[str, pd.DataFrame]
TOPICS: Sequence[Callable[[Edition, Tables], Iterator[Finding]]] = (
    styles.find,
    seats.find,
    tickets.find,
    routes.find,
    shape.find,
    strangeness.find,
)


def find(edition: Edition, runs: Sequence[Run], tables: Tables) -> Iterator[Finding]:
    """What stands out, topic by topic; then what these runs cannot tell."""
    if len(tables["overview"]):
        for topic in TOPICS:
            yield from topic(edition, tables)
    yield from limits.find(runs, tables)
