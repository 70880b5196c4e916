"""Everything an analysis says about a set of runs, as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.edition.model import Edition


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence chosen by a rule. `table` and `row` (its index label there) say where the number stands;
    `notable` is False for "nothing notable"."""

    rule: str
    players: int
    sentence: str
    notable: bool
    table: str
    row: int | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What run.json tells of one run."""

    path: Path
    players: int
    games: int
    planned_games: int
    blocks: int
    seed: int
    bots: tuple[str, ...]
    log: str
    record: Mapping[str, Any]  # all of run.json: plan, plan hash, command, versions, timings, digests, every --set


@dataclass(frozen=True, slots=True)
class Analysis:
    """Tables by the names of `tables.TABLES`; `missing` tells in a sentence why a table is empty."""

    edition: Edition
    runs: tuple[RunInfo, ...]
    tables: Mapping[str, pd.DataFrame]
    missing: Mapping[str, str]
    findings: tuple[Finding, ...]


def analyze_runs(runs: Sequence[str | Path]) -> Analysis:
    raise NotImplementedError
