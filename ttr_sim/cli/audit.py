"""`ttr-sim audit`: check a run against the rules, its plan and its checksums."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from ttr_sim.cli.main import FINDINGS, FINE
from ttr_sim.cli.options import complete_runs, jobs_option, json_option, quiet_option
from ttr_sim.cli.output import Progress, print_json
from ttr_sim.errors import UserError
from ttr_sim.referee.audit import AuditResult, audit, batches_of
from ttr_sim.run.opened import Run, open_run
from ttr_sim.run.verify import Discrepancy, check_files, check_plan
from ttr_sim.run.worker_process import over_processes

MAX_SHOWN = 50  # problems
WANTS = "what bots published as wanted, on which contention rests"
CHOICES = "that the bots named in the plan chose these moves"


@click.command(epilog="Example: ttr-sim audit runs/usa-4p-0a1b2c3d --games 1000")
@click.argument("run", type=click.Path(path_type=Path), shell_complete=complete_runs)
@click.option("--games", type=click.IntRange(1), help="Number of games to audit, evenly spaced.  [default: all]")
@jobs_option
@json_option
@quiet_option
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
    checked, unchecked = _scope(opened, rules, is_readable=not files)
    if as_json:
        print_json(_as_object(run, rules, files, plan, checked, unchecked), indent=2)
    else:
        click.echo(_as_text(rules, files, plan, unchecked))
    return FINDINGS if rules.violations or files or plan else FINE


def _scope(run: Run, rules: AuditResult, is_readable: bool) -> tuple[list[str], list[str]]:
    """List the things that were checked, and those that were not."""
    from ttr_sim.engine.jit import SOURCE_HASH

    total = run.record.size.games
    checked, unchecked = ["the checksums and digests of all files"], []
    if rules.games:
        checked.append(f"the rules in {rules.games:,} of {total:,} games")
    if rules.games < total:
        unchecked.append(f"the rules in {total - rules.games:,} of {total:,} games")
    (checked if is_readable else unchecked).append("the plan: each game's deal, block, lineup and players")
    unchecked += [WANTS, CHOICES]
    if run.plan.kernel != SOURCE_HASH:
        unchecked.append("the engine that played it, which is of another version")
    return checked, unchecked


def _as_object(
    run: Path,
    rules: AuditResult,
    files: tuple[str, ...],
    plan: list[Discrepancy],
    checked: list[str],
    unchecked: list[str],
) -> dict[str, Any]:
    unplanned = [
        {"game": found.game, "turn": None, "seat": None, "rule": "plan", "message": found.message} for found in plan
    ]
    return {
        "run": str(run),
        "games": rules.games,
        "turns": rules.turns,
        "violations": [*unplanned, *(violation.as_json() for violation in rules.violations)],
        "digest_ok": not files,
        "checked": checked,
        "unchecked": unchecked,
    }


def _as_text(rules: AuditResult, files: tuple[str, ...], plan: list[Discrepancy], unchecked: list[str]) -> str:
    problems = [*files]
    problems += [f"{'' if found.game is None else f'game {found.game:,}: '}{found.message}" for found in plan]
    problems += [violation.sentence() for violation in rules.violations]
    lines = problems[:MAX_SHOWN]
    if len(problems) > MAX_SHOWN:
        lines.append(f"and {len(problems) - MAX_SHOWN:,} more; use --json to list them all")
    verdicts = []
    if rules.games:
        broken = len(rules.violations)
        games = len({violation.game for violation in rules.violations})
        violations = f"{broken:,} violation{'' if broken == 1 else 's'} in {games:,} of them"
        verdicts.append(violations if broken else "no rule was broken")
    if not files:
        verdicts.append(f"{len(plan):,} differences from the plan" if plan else "the plan was followed")
    verdicts.append("the digests do not match" if files else "the digests match")
    extent = f"{rules.games:,} games with {rules.turns:,} turns" if rules.games else "no game could be read"
    return "\n".join([*lines, f"{extent}: {'; '.join(verdicts)}", f"Not checked: {'; '.join(unchecked)}"])
