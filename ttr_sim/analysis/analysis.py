"""Everything an analysis says about a set of runs, as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ttr_sim.analysis import contention, oddities, seats, shape, strategies, tickets
from ttr_sim.analysis.findings import Finding, find
from ttr_sim.analysis.source import Source, sources_of
from ttr_sim.analysis.tables import OVERVIEW, TABLES
from ttr_sim.analysis.words import Summary
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.run.fields import ALL, OWN, REWARDS, RIVALS, STRONG
from ttr_sim.run.opened import Run, open_run

Tables = dict[str, pd.DataFrame]
Questions = Mapping[str, Callable[[Sequence[Source]], pd.DataFrame]]

OF_GAMES: Questions = {
    "matchups": strategies.matchups,
    "seats": seats.seats,
    "seats_by_bot": seats.seats_by_bot,
    "scores": shape.scores,
    "pace": shape.pace,
    "distributions": shape.distributions,
    "tickets": tickets.tickets,
    "oddities": oddities.oddities,
}


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What is known of one run; `record` is all of its run.json."""

    path: Path
    players: int
    games: int
    planned_games: int
    blocks: int
    seed: int
    bots: tuple[str, ...]
    log: str
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(Summary):
    """Tables by the names of `tables.TABLES`; `missing` says in a sentence why a table is empty."""

    edition: Edition
    runs: tuple[RunInfo, ...]
    tables: Mapping[str, pd.DataFrame]
    missing: Mapping[str, str]
    findings: tuple[Finding, ...]

    def _sentences(self) -> list[str]:
        return [finding.sentence for finding in self.findings]

    def _heading(self) -> str:
        games, runs = sum(run.games for run in self.runs), len(self.runs)
        return f"Analysis of {self.edition.title}: {games:,} games in {runs} run{'s' if runs > 1 else ''}"


def analyze_runs(named: Sequence[str | Path | Run]) -> Analysis:
    """Make all tables, in the order of a report, and the findings from them."""
    runs = open_runs(named)
    main = _main_field(runs)
    sources = sources_of(main)
    made = _make_tables(sources) if sources else {}
    tables = {name: made.get(name, pd.DataFrame(columns=table.column_names)) for name, table in TABLES.items()}
    missing = {name: _why_empty(name, sources) for name, table in tables.items() if table.empty and name != "cycles"}
    edition = runs[0].edition
    return Analysis(edition, tuple(map(run_info, runs)), tables, missing, tuple(find(edition, main, tables)))


def open_runs(named: Sequence[str | Path | Run]) -> tuple[Run, ...]:
    """Open runs that can be analyzed together: all of one and the same edition and rules, none named twice."""
    if not named:
        raise UserError("no run was named")
    runs = tuple(run if isinstance(run, Run) else open_run(run) for run in named)
    for run in runs:
        run.check()
    first = runs[0]
    for run in runs[1:]:
        if run.edition.fingerprint != first.edition.fingerprint:
            raise UserError(
                f"{first.path} and {run.path} were played on different editions or rules; "
                "report each by itself, or put them side by side with `ttr-sim compare`"
            )
    _refuse_twins(runs)
    return runs


def _main_field(runs: Sequence[Run]) -> list[Run]:
    """Return the runs that the page rests on: of strong players, if there are any."""
    played = {run.field for run in runs}
    main = next(field for field in (STRONG, OWN, RIVALS, ALL, REWARDS) if field in played)
    return [run for run in runs if run.field == main]


def _refuse_twins(runs: Sequence[Run]) -> None:
    seen: dict[str, Run] = {}
    for run in runs:
        twin = seen.setdefault(run.plan.hash, run)
        if twin is not run:
            raise UserError(f"{twin.path} and {run.path} hold the same games; name one of them")


def _make_tables(sources: Sequence[Source]) -> Tables:
    tables = {"overview": _overview(sources)}
    tables |= {name: question(sources) for name, question in OF_GAMES.items()}
    deals = [tickets.Deals(source) for source in sources]
    tables["ticket_value"] = tickets.ticket_value(deals)
    tables["ticket_value_by_bot"] = tickets.ticket_value_by_bot(deals)
    tables["strategies"] = strategies.strategies(sources, tables["matchups"])
    tables["cycles"] = strategies.cycles(tables["matchups"])
    if not sources[0].edition.is_race:
        tables["score_parts"] = shape.score_parts(sources)
    with_turns = [source for source in sources if source.has_turns]
    return tables | (_make_tables_of_turns(with_turns) if with_turns else {})


def _make_tables_of_turns(sources: Sequence[Source]) -> Tables:
    claims = [contention.Claims(source) for source in sources]
    return {
        "actions": shape.actions(sources),
        "routes": contention.routes(claims),
        "connections": contention.connections(claims),
        "cities": contention.cities(claims),
    }


def _overview(sources: Sequence[Source]) -> pd.DataFrame:
    rows = [
        (
            source.players,
            len(source.runs),
            source.games,
            source.blocks,
            ", ".join(sorted({bot for run in source.runs for bot in run.plan.bots})),
            "full" if source.has_turns else "results",
        )
        for source in sources
    ]
    return pd.DataFrame(rows, columns=OVERVIEW.column_names)


def _why_empty(name: str, sources: Sequence[Source]) -> str:
    if not sources:
        return "No game is finished yet."
    if TABLES[name].needs_turns:
        return "The games were logged with --log results, which leaves out the turns."
    if name == "matchups":
        return "Only one style played, so there is nothing to compare it with."
    return "The edition scores no points."


def run_info(run: Run) -> RunInfo:
    plan, size = run.plan, run.record.size
    return RunInfo(
        run.path,
        plan.players,
        run.finished_games,
        size.games,
        size.blocks,
        plan.seed,
        plan.bots,
        plan.log,
        run.record.to_json(),
    )
