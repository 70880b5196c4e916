"""`ttr-sim audit`: check a run against the rules, its plan and its checksums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, FINE
from ttr_sim.cli.output import Progress, counted, print_json
from ttr_sim.errors import UserError
from ttr_sim.referee.audit import AuditResult, audit, batches_of
from ttr_sim.run.processes import over_processes
from ttr_sim.run.read import Run, open_run
from ttr_sim.run.verify import Discrepancy, check_files, check_plan

MAX_SHOWN = 50  # problems
PLAN = "the plan: each game's deal, block, lineup and players"
WANTS = "what bots published as wanted, on which contention rests"
CHOICES = "that the bots named in the plan chose these moves"


@click.command(epilog="Example: ttr-sim audit runs/usa-4p-0a1b2c3d --games 1000")
@options.run_folder("run")
@click.option("--games", type=click.IntRange(1), help="Number of games to audit, evenly spaced.  [default: all]")
@options.jobs
@options.json
@options.quiet
def command(run: Path, games: int | None, jobs: int, as_json: bool, quiet: bool) -> int:
    """Check every card, claim, ticket and score of RUN against the rules, and the run against its plan.

    Follows the games from the log and the edition alone, with an independent implementation of the rules
    that shares no code with the engine. Checks that the run is complete and that nothing foreign is in it: every
    game's deal, block and lineup are recomputed from the plan. Checks the digests. Says what it did not check.
    Exits with 1 when something is wrong.
    """
    opened = open_run(run)
    batches = batches_of(run, games)
    if opened.record.digest is None:
        raise UserError(f"{run} is not finished; resume it with: {opened.folder.resume_command}")
    files = check_files(opened, jobs)
    plan = [] if files else check_plan(opened)
    with Progress(quiet).count(sum(len(batch.games) for batch in batches)) as show:
        try:
            rules = audit(run, batches, show, partial(over_processes, jobs=jobs))
        except Exception:
            if not (files or plan):
                raise
            rules = AuditResult(0, 0, [])  # nothing can be read in a damaged run
    found = RunAudit(opened, rules, files, plan)
    if as_json:
        print_json(found.as_object(), indent=2)
    else:
        click.echo(found.as_text())
    return FINDINGS if rules.violations or files or plan else FINE


@dataclass(frozen=True, slots=True)
class RunAudit:
    """Problems that an audit found: damaged files, differences from the plan, broken rules."""

    run: Run
    rules: AuditResult
    files: Sequence[str]
    plan: Sequence[Discrepancy]

    def checked(self) -> list[str]:
        """List the checks that were made."""
        scope = ["the checksums and digests of all files"]
        if not self.files:
            scope.append(PLAN)
        if self.rules.games:
            scope.append(f"the rules in {self.rules.games:,} of {self.run.record.size.games:,} games")
        return scope

    def unchecked(self) -> list[str]:
        """List everything that a reader could take for checked, and is not."""
        from ttr_sim.engine.jit import SOURCE_HASH

        total = self.run.record.size.games
        scope = [PLAN] if self.files else []
        if self.rules.games < total:
            scope.append(f"the rules in {total - self.rules.games:,} of {total:,} games")
        scope += [WANTS, CHOICES]
        if self.run.plan.kernel != SOURCE_HASH:
            scope.append("the engine that played it, which is of another version")
        return scope

    def as_object(self) -> dict[str, Any]:
        about = {"turn": None, "seat": None, "rule": "plan"}
        unplanned = [{"game": found.game, **about, "message": found.message} for found in self.plan]
        return {
            "run": str(self.run.path),
            "games": self.rules.games,
            "turns": self.rules.turns,
            "violations": [*unplanned, *(violation.as_json() for violation in self.rules.violations)],
            "digest_ok": not self.files,
            "checked": self.checked(),
            "unchecked": self.unchecked(),
        }

    def as_text(self) -> str:
        rules, plan = self.rules, self.plan
        problems = [*self.files]
        problems += [f"{'' if found.game is None else f'game {found.game:,}: '}{found.message}" for found in plan]
        problems += [violation.sentence() for violation in rules.violations]
        lines = problems[:MAX_SHOWN]
        if len(problems) > MAX_SHOWN:
            lines.append(f"and {len(problems) - MAX_SHOWN:,} more; use --json to list them all")
        verdicts = []
        if rules.violations:
            games = len({violation.game for violation in rules.violations})
            verdicts.append(f"{counted(len(rules.violations), 'violation')} in {games:,} of them")
        elif rules.games:
            verdicts.append("no rule was broken")
        if not self.files:
            verdicts.append(f"{len(plan):,} differences from the plan" if plan else "the plan was followed")
        verdicts.append("the digests do not match" if self.files else "the digests match")
        extent = f"{rules.games:,} games with {rules.turns:,} turns" if rules.games else "no game could be read"
        return "\n".join([*lines, f"{extent}: {'; '.join(verdicts)}", f"Not checked: {'; '.join(self.unchecked())}"])
