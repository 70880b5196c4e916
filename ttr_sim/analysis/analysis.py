"""Everything an analysis says about a set of runs, as one value."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ttr_sim.analysis import routes, shape, standings, tickets, win_probability
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.findings import Finding, find
from ttr_sim.analysis.official import official_ranges
from ttr_sim.analysis.tables import TABLES
from ttr_sim.analysis.targets import TICKET, Target, find_targets
from ttr_sim.analysis.text import Summary
from ttr_sim.analysis.tickets import Yardstick
from ttr_sim.analysis.verdict import Verdict
from ttr_sim.edition.model import Edition, Targets
from ttr_sim.errors import UserError, command_line
from ttr_sim.run.lineups import ALL, MIXES, OWN, REWARDS, RIVALS, STRONG
from ttr_sim.run.read import Run, open_run

MadeTables = dict[str, pd.DataFrame]

MAIN = (STRONG, OWN, RIVALS, ALL, REWARDS, MIXES)  # the first that was played is the field the board is judged by
ROBUSTNESS_FIELDS = (RIVALS, ALL)  # show how far a finding holds
STYLES = (ALL, RIVALS)  # likewise for the section on styles, else the main field

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

    @classmethod
    def of(cls, run: Run) -> RunInfo:
        plan, size = run.plan, run.record.size
        counts = plan.players, run.finished_games, size.games, size.blocks
        return cls(run.path, *counts, plan.seed, plan.bots, plan.log, run.field, run.record.to_json())


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(Summary):
    """Tables by the names of TABLES, and in `missing` a sentence on why a table is empty."""

    edition: Edition
    runs: tuple[RunInfo, ...]
    tables: Mapping[str, pd.DataFrame]
    missing: Mapping[str, str]
    findings: tuple[Finding, ...]
    verdict: Verdict

    @property
    def main_runs(self) -> tuple[RunInfo, ...]:
        """The runs with games that findings about the board rest on."""
        played = [run for run in self.runs if run.games]
        main = _first(MAIN, {run.field for run in played})
        return tuple(run for run in played if run.field == main)

    def _sentences(self) -> list[str]:
        return [finding.sentence for finding in self.findings]

    def _heading(self) -> str:
        games, runs = sum(run.games for run in self.runs), len(self.runs)
        return f"Analysis of {self.edition.title}: {games:,} games in {runs} run{'s' if runs > 1 else ''}"


def analyze(named: Sequence[str | Path | Run], in_brief: bool = False, yardstick: Yardstick | None = None) -> Analysis:
    """Make all tables, the verdict and findings of runs of one edition.

    Every name of TABLES has its table, with exactly the declared columns, if need be empty. A board that was edited is
    judged by the yardstick of the unedited one.
    """
    runs = open_runs(named)
    edition = runs[0].edition
    fields = {field: tuple(run for run in runs if run.field == field) for field in MAIN}
    played = {field: tuple(run for run in fields[field] if run.finished_games) for field in MAIN}
    played = {field: found for field, found in played.items() if found}
    main = _first(MAIN, played) or STRONG
    all_main = fields[main] or runs  # with unfinished ones
    rewards = played.pop(REWARDS, ())
    if main == REWARDS:  # and nothing else was played
        played, rewards, main = {OWN: rewards}, (), OWN
    made, others = _tables_of_fields(played, main, {bot for run in all_main for bot in run.plan.bots}, yardstick)
    if rewards:
        made["rewards"] = standings.rewards(rewards)
    if not in_brief:
        made |= win_probability.of_runs(played.get(main, ()))
        if "connections" in made:
            made["shape_loads"] = routes.loads(edition, made["connections"])
    tables = {name: made.get(name, pd.DataFrame(columns=table.column_names)) for name, table in TABLES.items()}
    missing = {}
    for name, table in tables.items():
        if not table.empty or name == "cycles":
            continue
        if not played:
            missing[name] = "No game is finished yet."
        elif in_brief and name in SLOW:
            missing[name] = "A short page omits this; the complete page of a study has it."
        elif TABLES[name].needs_turns and tables["actions"].empty:
            missing[name] = "The games were logged with --log results, which omits the turns."
        else:
            missing[name] = WHY_EMPTY.get(name, "The edition scores no points.")
    verdict = Verdict.of(edition, tables, official_ranges(edition))
    # The targets' states go into the rows of all player counts together.
    value = tables["ticket_value"]
    of_ticket = {target.row: target for target in verdict.targets if target.measure == TICKET}
    for name in ("state", "side"):
        values = [getattr(of_ticket.get(ticket), name, None) or "" for ticket in value["ticket"]]
        value = value.assign(**{name: np.where(value["players"] == value["players"].min(), values, "")})
    tables["ticket_value"] = value
    findings = tuple(find(edition, all_main, tables, others))
    return Analysis(edition, tuple(map(RunInfo.of, runs)), tables, missing, findings, verdict)


def judge(
    runs: Sequence[Run],
    wanted: Targets | None = None,
    yardstick: Yardstick | None = None,
    bots: Collection[str] = (),
    rewards: Sequence[Run] = (),
) -> tuple[list[Target], pd.DataFrame]:
    """Find the targets of runs, and their table of tickets.

    A whole analysis would take most of a search's time.
    """
    tables = {name: pd.DataFrame(columns=table.column_names) for name, table in TABLES.items()}
    others, mixes = tickets.split_mixes(runs)
    with Database(others) as games:
        tables["ticket_value"] = tickets.ticket_value(tickets.deals_of(games, mixes, bots), yardstick)
        tables["seats"] = standings.seats(games)
        tables |= routes.of_board(games)
    if rewards:
        tables["rewards"] = standings.rewards(rewards)
    return find_targets(runs[0].edition, tables, wanted), tables["ticket_value"]


def _first(preferred: Sequence[str], played: Collection[str]) -> str:
    return next((field for field in preferred if field in played), "")


def open_runs(named: Sequence[str | Path | Run]) -> tuple[Run, ...]:
    """Open runs of one edition and the same rules, none named twice."""
    if not named:
        raise UserError("no run was named")
    runs: list[Run] = []
    by_plan: dict[str, Run] = {}
    for each in named:
        # Runs of the same edition, as a rule, which then is read once.
        run = each if isinstance(each, Run) else open_run(each, runs[0].edition if runs else None)
        run.check()
        runs.append(run)
        first = runs[0]
        if run.edition.fingerprint != first.edition.fingerprint:
            raise UserError(
                f"{first.path} and {run.path} were played on different editions or rules; "
                f"report each by itself, or put them side by side with: {command_line('compare', first.path, run.path)}"
            )
        twin = by_plan.setdefault(run.plan.hash, run)
        if twin is not run:
            raise UserError(f"{twin.path} and {run.path} hold the same games; name one of them")
    return tuple(runs)


def _tables_of_fields(
    fields: Mapping[str, tuple[Run, ...]], main: str, bots: set[str], yardstick: Yardstick | None
) -> tuple[MadeTables, dict[str, MadeTables]]:
    made: MadeTables = {}
    others: dict[str, MadeTables] = {}
    same_style, other_styles = dict[str, pd.DataFrame](), dict[str, pd.DataFrame]()
    overviews = []
    for field, runs in fields.items():
        # One field is open at a time, which bounds the memory.
        with Database(runs) as games:
            played_bots = {bot for run in games.runs for bot in run.plan.bots}
            for players, played in games.played.iterrows():
                of_count = [run for run in games.runs if run.plan.players == players]
                all_bots = ", ".join(sorted({bot for run in of_count for bot in run.plan.bots}))
                log = "full" if players in games.counts_with_turns else "results"
                overviews.append((players, field, len(of_count), played["games"], played["blocks"], all_bots, log))
            if field == main:
                made |= shape.of_board(games) | routes.of_board(games)
                made |= {"seats": standings.seats(games), "tickets": tickets.tickets(games)}
                mixes = fields.get(MIXES, ()) if main == STRONG else ()
                made["ticket_value"] = tickets.ticket_value(tickets.deals_of(games, mixes), yardstick)
            elif field in ROBUSTNESS_FIELDS:
                tables = {"tickets": tickets.tickets(games), "seats": standings.seats(games), "pace": shape.pace(games)}
                others[field] = tables | routes.of_board(games)
            # The worth of tickets to the main field's bots, and to each other style, by a yardstick of its own.
            if field == RIVALS != main:
                same_style[field] = tickets.ticket_value(tickets.Deals(games, played_bots & bots or {""}))
            if field == ALL != main:
                for bot in sorted(played_bots - bots):
                    other_styles[bot] = tickets.ticket_value(tickets.Deals(games, {bot}))
            if field == (_first(STYLES, fields) or main):
                made |= standings.of_styles(games) | tickets.of_styles(games)
    if made:
        made["overview"] = pd.DataFrame(overviews, columns=TABLES["overview"].column_names)
        holds = tickets.holds(made["ticket_value"], same_style | other_styles)
        made["ticket_value"] = made["ticket_value"].assign(holds=holds)
    return made, others
