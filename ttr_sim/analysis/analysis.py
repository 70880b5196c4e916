"""Everything an analysis says about a set of runs, as one value."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ttr_sim.analysis import rewards, routes, seats, shape, strategies, tickets
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.findings import Finding, find
from ttr_sim.analysis.robustness import Fields, main_field
from ttr_sim.analysis.tables import TABLES
from ttr_sim.analysis.text import Summary
from ttr_sim.analysis.win_probability import RoundChances, shape_tables
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError, command_line
from ttr_sim.run.read import Run, open_run

MadeTables = dict[str, pd.DataFrame]

WHY_EMPTY = {
    "rewards": "No run had a variant among strong players.",
    "matchups": "Only one style played, so there is nothing to compare.",
    "shape_loads": "No connection was played on.",
    **dict.fromkeys(("shape", "shape_course", "shape_chances"), "Too few games for a model of the chance to win."),
}
SLOW = ("shape", "shape_course", "shape_chances", "shape_loads")  # a page in brief has none of these


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Facts about one run: `field` names the kind of players, `record` holds all of its run.json."""

    path: Path
    players: int
    games: int
    planned_games: int
    blocks: int
    seed: int
    bots: tuple[str, ...]
    log: str
    field: str
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(Summary):
    """Tables by the names of `tables.TABLES`, and in `missing` a sentence on why a table is empty."""

    edition: Edition
    runs: tuple[RunInfo, ...]
    tables: Mapping[str, pd.DataFrame]
    missing: Mapping[str, str]
    findings: tuple[Finding, ...]

    @property
    def main_runs(self) -> tuple[RunInfo, ...]:
        """The runs with games that findings about the board rest on."""
        played = [run for run in self.runs if run.games]
        main = main_field({run.field for run in played})
        return tuple(run for run in played if run.field == main)

    def _sentences(self) -> list[str]:
        return [finding.sentence for finding in self.findings]

    def _heading(self) -> str:
        games, runs = sum(run.games for run in self.runs), len(self.runs)
        return f"Analysis of {self.edition.title}: {games:,} games in {runs} run{'s' if runs > 1 else ''}"


def analyze_runs(named: Sequence[str | Path | Run], in_brief: bool) -> Analysis:
    """Make all tables and findings, in brief without the slow ones."""
    runs = open_runs(named)
    fields = Fields.of(runs)
    bots = {bot for run in fields.all_main for bot in run.plan.bots}
    made, others = _tables_of_fields(fields, bots)
    if fields.rewards:
        made["rewards"] = rewards.rewards(fields.rewards)
    if not in_brief:
        made |= _tables_of_experience(fields, made.get("connections"))
    tables = {name: made.get(name, pd.DataFrame(columns=table.column_names)) for name, table in TABLES.items()}
    with_turns = len(tables["actions"]) > 0
    missing = {
        name: _why_empty(name, bool(fields.runs), with_turns, in_brief)
        for name, table in tables.items()
        if table.empty and name != "cycles"
    }
    findings = tuple(find(runs[0].edition, fields.all_main, tables, others))
    return Analysis(runs[0].edition, tuple(map(run_info, runs)), tables, missing, findings)


def open_runs(named: Sequence[str | Path | Run]) -> tuple[Run, ...]:
    """Open runs that can be analyzed together: all of one and the same edition and rules, none named twice."""
    if not named:
        raise UserError("no run was named")
    runs = []
    for run in opened(named):
        run.check()
        runs.append(run)
    first = runs[0]
    for run in runs[1:]:
        if run.edition.fingerprint != first.edition.fingerprint:
            raise UserError(
                f"{first.path} and {run.path} were played on different editions or rules; "
                f"report each by itself, or put them side by side with: {command_line('compare', first.path, run.path)}"
            )
    _refuse_twins(runs)
    return tuple(runs)


def opened(named: Sequence[str | Path | Run]) -> Iterator[Run]:
    """Yield runs of the same edition, as a rule, which then is read once."""
    edition = None
    for run in named:
        yield (found := run if isinstance(run, Run) else open_run(run, edition))
        edition = edition or found.edition


def _refuse_twins(runs: Sequence[Run]) -> None:
    seen: dict[str, Run] = {}
    for run in runs:
        twin = seen.setdefault(run.plan.hash, run)
        if twin is not run:
            raise UserError(f"{twin.path} and {run.path} hold the same games; name one of them")


def _tables_of_fields(fields: Fields, bots: Collection[str]) -> tuple[MadeTables, dict[str, MadeTables]]:
    """Make the main tables, and per field the tables for robustness checks.

    One field is open at a time, which bounds the memory.
    """
    made: MadeTables = {}
    others: dict[str, MadeTables] = {}
    overviews = []
    for field in [*fields.others, *(field for field in fields.runs if field not in fields.others)]:
        with Database(fields.runs[field]) as games:
            overviews.append(_overview(field, games))
            if field == fields.styles:
                made |= _tables_of_styles(games)
            if field in fields.others:
                others[field] = _comparable_tables(games, bots)
            if field == fields.main:
                made |= _tables_of_board(games, {name: found["ticket_value"] for name, found in others.items()})
    if overviews:
        overview = pd.concat(overviews).set_index("field")
        made["overview"] = overview.loc[list(fields.runs)].reset_index()[TABLES["overview"].column_names]
    return made, others


def _tables_of_board(games: Database, values_elsewhere: Mapping[str, pd.DataFrame]) -> MadeTables:
    tables = {
        "seats": seats.seats(games),
        "scores": shape.scores(games),
        "pace": shape.pace(games),
        "distributions": shape.distributions(games),
        "tickets": tickets.tickets(games),
        "ticket_value": tickets.ticket_value(tickets.Deals(games), values_elsewhere),
        "oddities": shape.oddities(games),
    }
    if not games.edition.is_race:
        tables["score_parts"] = shape.score_parts(games)
    if games.counts_with_turns:
        tables |= {"actions": shape.actions(games)} | routes.tables_of_claims(games)
    return tables


def _tables_of_styles(games: Database) -> MadeTables:
    matchups = strategies.matchups(games)
    return {
        "matchups": matchups,
        "seats_by_bot": seats.seats_by_bot(games),
        "strategies": strategies.strategies(games, matchups),
        "cycles": strategies.cycles(matchups),
        "ticket_value_by_bot": tickets.ticket_value_by_bot(games),
    }


def _comparable_tables(games: Database, bots: Collection[str]) -> MadeTables:
    """Tables that show how far a finding holds, with the worth of tickets to the main field's bots."""
    bots = set(bots) & {bot for run in games.runs for bot in run.plan.bots}
    tables = {"tickets": tickets.tickets(games), "seats": seats.seats(games), "pace": shape.pace(games)}
    tables["ticket_value"] = tickets.ticket_excess(tickets.Deals(games, bots or {""}))
    return tables | (routes.tables_of_claims(games) if games.counts_with_turns else {})


def _tables_of_experience(fields: Fields, connections: pd.DataFrame | None) -> MadeTables:
    """Tables about the experience of a game: from win probabilities, and the board on paper beside the board in play.

    Win probabilities are those of the longest run with turns of each player count.
    """
    longest: dict[int, Run] = {}
    for run in sorted(fields.runs.get(fields.main, ()), key=lambda run: run.finished_games):
        if "turns" in run.plan.tables:
            longest[run.plan.players] = run
    measured = [RoundChances.of(longest[players]) for players in sorted(longest)]
    made = shape_tables([rounds for rounds in measured if rounds is not None])
    if connections is not None:
        made["shape_loads"] = routes.loads(fields.all_main[0].edition, connections)
    return made


def _overview(field: str, games: Database) -> pd.DataFrame:
    rows = []
    for players in games.counts:
        runs = [run for run in games.runs if run.plan.players == players]
        played = games.played.loc[players]
        bots = ", ".join(sorted({bot for run in runs for bot in run.plan.bots}))
        log = "full" if players in games.counts_with_turns else "results"
        rows.append((players, field, len(runs), played["games"], played["blocks"], bots, log))
    return pd.DataFrame(rows, columns=TABLES["overview"].column_names)


def _why_empty(name: str, played: bool, with_turns: bool, in_brief: bool) -> str:
    if not played:
        return "No game is finished yet."
    if in_brief and name in SLOW:
        return "A short page omits this; the complete page of a study has it."
    if TABLES[name].needs_turns and not with_turns:
        return "The games were logged with --log results, which omits the turns."
    return WHY_EMPTY.get(name, "The edition scores no points.")


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
        run.field,
        run.record.to_json(),
    )
