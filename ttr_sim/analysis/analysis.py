"""Everything an analysis says about a set of runs, as one value."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ttr_sim.analysis import (
    contention,
    experience,
    oddities,
    rewards,
    seats,
    shape,
    strategies,
    tickets,
)
from ttr_sim.analysis.expectation import strata
from ttr_sim.analysis.fields import Fields, main_field
from ttr_sim.analysis.findings import Finding, find
from ttr_sim.analysis.source import Question, Source, by_group, played
from ttr_sim.analysis.tables import OVERVIEW, TABLES
from ttr_sim.analysis.words import Summary
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError, command_line
from ttr_sim.run.opened import Run, open_run

Tables = dict[str, pd.DataFrame]
Games = tuple[Run, ...]
Elsewhere = Mapping[str, Tables]  # by field
DealsOfFields = Mapping[str, Sequence[tickets.Deals]]
Questions = Mapping[str, Callable[[Sequence[Source]], pd.DataFrame]]

OF_GAMES: Questions = {
    "seats": seats.seats,
    "scores": shape.scores,
    "pace": shape.pace,
    "distributions": shape.distributions,
    "tickets": tickets.tickets,
    "oddities": oddities.oddities,
}

WHY_EMPTY = {
    "rewards": "No run had a variant among strong players.",
    "matchups": "Only one style played, so there is nothing to compare.",
    **experience.WHY_EMPTY,
}


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What is known of one run; `field` is who sat together, `record` all of its run.json."""

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
    """Tables by the names of `tables.TABLES`; `missing` says in a sentence why a table is empty."""

    edition: Edition
    runs: tuple[RunInfo, ...]
    tables: Mapping[str, pd.DataFrame]
    missing: Mapping[str, str]
    findings: tuple[Finding, ...]

    @property
    def main_runs(self) -> tuple[RunInfo, ...]:
        """Return the runs with games that findings about the board rest on."""
        played = [run for run in self.runs if run.games]
        main = main_field({run.field for run in played})
        return tuple(run for run in played if run.field == main)

    def _sentences(self) -> list[str]:
        return [finding.sentence for finding in self.findings]

    def _heading(self) -> str:
        games, runs = sum(run.games for run in self.runs), len(self.runs)
        return f"Analysis of {self.edition.title}: {games:,} games in {runs} run{'s' if runs > 1 else ''}"


def analyze_runs(named: Sequence[str | Path | Run], in_brief: bool) -> Analysis:
    """Make all tables, in the order of a report, and the findings from them; in brief, without those that take long."""
    runs = open_runs(named)
    fields = Fields.of(runs)
    sources = fields.main
    _ask(fields)
    bots = {bot for run in fields.runs for bot in run.plan.bots}
    deals = {name: [tickets.Deals(source) for source in played] for name, played in fields.sources.items()}
    elsewhere = {name: _tables_elsewhere(played, deals[name], bots) for name, played in fields.elsewhere.items()}
    made = _make_tables(fields, deals, elsewhere) if sources else {}
    made |= {name: make(games) for name, make, games in _aside(fields, in_brief)}
    if fields.rewards:
        made["rewards"] = rewards.with_words(made["rewards"], fields.rewards[0].edition)
    if not in_brief:
        made |= experience.make_tables(fields, made.get("connections")) | experience.of_courses(runs)
    tables = {name: made.get(name, pd.DataFrame(columns=table.column_names)) for name, table in TABLES.items()}
    missing = {
        name: _why_empty(name, sources, in_brief) for name, table in tables.items() if table.empty and name != "cycles"
    }
    edition = runs[0].edition
    findings = tuple(find(edition, fields.runs, tables, elsewhere))
    return Analysis(edition, tuple(map(run_info, runs)), tables, missing, findings)


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


def _ask(fields: Fields) -> None:
    """Ask the sources of all fields: each game is read twice, the second time for residuals of the first's means."""
    for source in (source for sources in fields.sources.values() for source in sources):
        source.answer(_first_questions(source, fields))
        source.answer(_second_questions(source, fields))


def _first_questions(source: Source, fields: Fields) -> list[Question[Any]]:
    """Return what is asked about games and seats."""
    found: list[Question[Any]] = [strata(by_mix=False), strata(source.edition.ticket_rules.mix), played, by_group]
    found += [seats.by_bot_and_seat, shape.by_measure, shape.by_value]
    if source in fields.styles:
        found += [strategies.by_style, strategies.by_pair]
    if source in fields.main:
        found += [shape.by_score] if source.edition.is_race else [shape.by_score, shape.by_part]
    return found


def _second_questions(source: Source, fields: Fields) -> list[Question[Any]]:
    """Return what is asked about tickets and turns, of which there are many: they are read once, when what a seat may
    expect is known."""
    _, dealt, by_stratum = tickets.questions_of_deals(source)
    found: list[Question[Any]] = [tickets.by_ticket_offered, dealt, by_stratum]
    if source.has_turns:
        found += contention.questions_of_claims(source)
    if source in fields.main:
        found.append(oddities.StrangeGames(source.has_turns))
        if source.has_turns:
            found.append(shape.by_action)
    return found


def _make_tables(fields: Fields, deals: DealsOfFields, elsewhere: Elsewhere) -> Tables:
    main = fields.main
    tables = {"overview": _overview(fields)}
    if main:
        tables |= {name: question(main) for name, question in OF_GAMES.items()} | _make_tables_of_styles(fields.styles)
        if not main[0].edition.is_race:
            tables["score_parts"] = shape.score_parts(main)
        if with_turns := [source for source in main if source.has_turns]:
            tables |= {"actions": shape.actions(with_turns)} | _make_tables_of_claims(with_turns)
        tables |= _make_tables_of_deals(fields, deals, elsewhere)
    return tables


def _aside(fields: Fields, in_brief: bool) -> Iterator[tuple[str, Callable[[Sequence[Run]], pd.DataFrame], Games]]:
    """Yield the tables that rest on games of their own, and on them alone."""
    if fields.rewards:
        yield "rewards", rewards.measure_rewards, fields.rewards


def _make_tables_of_deals(fields: Fields, deals: DealsOfFields, elsewhere: Elsewhere) -> Tables:
    others = {name: found["ticket_value"] for name, found in elsewhere.items()}
    return {
        "ticket_value": tickets.ticket_value(deals[fields.main_name], others),
        "ticket_value_by_bot": tickets.ticket_value_by_bot(deals[fields.name_of_styles]),
    }


def _make_tables_of_styles(sources: Sequence[Source]) -> Tables:
    matchups = strategies.matchups(sources)
    return {
        "matchups": matchups,
        "seats_by_bot": seats.seats_by_bot(sources),
        "strategies": strategies.strategies(sources, matchups),
        "cycles": strategies.cycles(matchups),
    }


def _make_tables_of_claims(sources: Sequence[Source]) -> Tables:
    claims = [contention.Claims(source) for source in sources]
    return {
        "routes": contention.routes(claims),
        "connections": contention.connections(claims),
        "cities": contention.cities(claims),
    }


def _tables_elsewhere(sources: Sequence[Source], deals: Sequence[tickets.Deals], bots: Collection[str]) -> Tables:
    """Return what says how far a finding holds in another field: what tickets are worth to the same bots, and the rest
    of all."""
    found = {
        "ticket_value": tickets.ticket_excess([dealt.of(bots, tickets.OF_WINS) for dealt in deals]),
        "tickets": tickets.tickets(sources),
        "seats": seats.seats(sources),
        "pace": shape.pace(sources),
    }
    with_turns = [source for source in sources if source.has_turns]
    return found | (_make_tables_of_claims(with_turns) if with_turns else {})


def _overview(fields: Fields) -> pd.DataFrame:
    rows = [
        (
            source.players,
            field,
            len(source.runs),
            source.games,
            source.blocks,
            ", ".join(sorted({bot for run in source.runs for bot in run.plan.bots})),
            "full" if source.has_turns else "results",
        )
        for field, sources in fields.sources.items()
        for source in sources
    ]
    return pd.DataFrame(rows, columns=OVERVIEW.column_names)


def _why_empty(name: str, sources: Sequence[Source], in_brief: bool) -> str:
    if not sources:
        return "No game is finished yet."
    if in_brief and name in experience.WHY_EMPTY:
        return experience.IN_BRIEF
    if TABLES[name].needs_turns and not any(source.has_turns for source in sources):
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
