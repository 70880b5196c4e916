"""`ttr-sim audit`: check that a run is its plan carried out, and its games with an independent implementation of the
rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from ttr_sim.cli.completion import runs
from ttr_sim.cli.main import FINDINGS
from ttr_sim.cli.options import jobs_option, json_option, quiet_option
from ttr_sim.cli.progress import Progress
from ttr_sim.errors import UserError
from ttr_sim.referee.audit import AuditBatch, AuditResult, audit, batches_of
from ttr_sim.run.opened import Run, open_run
from ttr_sim.run.verify import Discrepancy, check_files, check_plan
from ttr_sim.run.worker_process import over_processes

SHOWN_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Findings:
    """What the checks of a run found."""

    run: Run
    rules: AuditResult
    files: tuple[str, ...]
    plan: list[Discrepancy]

    @property
    def is_clean(self) -> bool:
        return not (self.rules.violations or self.files or self.plan)


@click.command(epilog="Example: ttr-sim audit runs/usa-4p-0a1b2c3d --games 1000")
@click.argument("run", type=click.Path(path_type=Path), shell_complete=runs)
@click.option("--games", type=click.IntRange(1), help="Number of games to audit, evenly spaced.  [default: all]")
@jobs_option
@json_option
@quiet_option
@click.pass_context
def command(
    context: click.Context,
    run: Path,
    games: int | None,
    jobs: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check every card, claim, ticket and score of RUN against the rules, and the run against its plan.

    Follows the games from the log and the edition alone, with an independent implementation of the rules
    that shares no code with the engine. Checks that the run is complete and that nothing foreign is in it: every
    game's deal, block and lineup are recomputed from the plan. Checks the digests. Exits with 1 when something
    is wrong.
    """
    opened = open_run(run)
    batches = batches_of(run, games)
    _refuse_unfinished(opened)
    progress = Progress(quiet)
    files = check_files(opened, jobs)
    plan = [] if files else check_plan(opened)
    with progress.count(sum(len(batch.games) for batch in batches)) as show:
        rules = _audited(run, batches, jobs, show, bool(files or plan))
    findings = Findings(opened, rules, files, plan)
    click.echo(_json(findings) if as_json else _text(findings))
    if not findings.is_clean:
        context.exit(FINDINGS)


def _audited(
    run: Path, batches: Sequence[AuditBatch], jobs: int, show: Callable[[int], None], is_damaged: bool
) -> AuditResult:
    """Audit the games; those of a damaged run only if anything can be read there."""
    try:
        return audit(run, batches, show, partial(over_processes, jobs=jobs))
    except Exception:
        if is_damaged:
            return AuditResult(0, 0, [])
        raise


def _refuse_unfinished(run: Run) -> None:
    if run.record.digest is None:
        raise UserError(f"{run.path} is not finished; resume it with: {run.folder.resume_command}")


def _json(findings: Findings) -> str:
    by_plan = [
        {"game": found.game, "turn": None, "seat": None, "rule": "plan", "message": found.message}
        for found in findings.plan
    ]
    found = {
        "run": str(findings.run.path),
        "games": findings.rules.games,
        "turns": findings.rules.turns,
        "violations": [*by_plan, *(violation.as_json() for violation in findings.rules.violations)],
        "digest_ok": not findings.files,
    }
    return json.dumps(found, ensure_ascii=False, indent=2)


def _text(findings: Findings) -> str:
    rules = findings.rules
    problems = [*findings.files, *(_sentence(found) for found in findings.plan)]
    problems += [violation.sentence() for violation in rules.violations]
    lines = problems[:SHOWN_PROBLEMS]
    if len(problems) > SHOWN_PROBLEMS:
        lines.append(f"and {len(problems) - SHOWN_PROBLEMS:,} more; use --json to list them all")
    games = len({violation.game for violation in rules.violations})
    violations = "1 violation" if len(rules.violations) == 1 else f"{len(rules.violations):,} violations"
    verdicts = [
        *([f"{violations} in {games:,} of them" if games else "no rule was broken"] if rules.games else []),
        *([f"{len(findings.plan):,} differences from the plan"] if findings.plan else []),
        "the digests do not match" if findings.files else "the digests match",
    ]
    counts = f"{rules.games:,} games with {rules.turns:,} turns" if rules.games else "no game could be read"
    return "\n".join([*lines, f"{counts}: {'; '.join(verdicts)}"])


def _sentence(found: Discrepancy) -> str:
    return f"{'' if found.game is None else f'game {found.game:,}: '}{found.message}"
