"""`ttr-sim audit`: check a run against the rules, its plan and its checksums."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, FINE
from ttr_sim.cli.output import Progress, counted, print_json
from ttr_sim.errors import UserError
from ttr_sim.referee.audit import AuditResult, audit, batches_of
from ttr_sim.run.read import open_run
from ttr_sim.run.verify import check_files, check_plan
from ttr_sim.run.workers import over_processes

MAX_SHOWN = 50  # problems
FILES = "the checksums and digests of all files"
PLAN = "the plan: each game's deal, block, lineup and players"
WANTS = "what bots published as wanted, on which contention rests"
CHOICES = "that the bots named in the plan chose these moves"
OTHER_ENGINE = "the engine that played it, which is of another version"


@click.command(epilog="Example: ttr-sim audit runs/usa-4p-0a1b2c3d --games 1000")
@options.run_folder("run")
@click.option("--games", type=click.IntRange(1), help="Number of games to audit, evenly spaced.  [default: all]")
@options.jobs
@options.json
@options.quiet
def audit_command(run: Path, games: int | None, jobs: int, as_json: bool, quiet: bool) -> int:
    """Check every card, claim, ticket and score of RUN against the rules, and the run against its plan.

    Follows the games from the log and the edition alone, with an independent implementation of the rules
    that shares no code with the engine. Checks that the run is complete and that nothing foreign is in it: every
    game's deal, block and lineup are recomputed from the plan. Checks the digests. Says what it did not check.
    Exits with 1 when something is wrong.
    """
    from ttr_sim.engine.jit import SOURCE_HASH

    opened = open_run(run)
    batches = batches_of(run, games)
    if opened.record.digest is None:
        raise UserError(f"{run} is not finished; resume it with: {opened.folder.resume_command}")
    damage = check_files(opened, jobs)
    discrepancies = [] if damage else check_plan(opened)
    with Progress(quiet).count(sum(len(batch.games) for batch in batches)) as show:
        try:
            rules = audit(run, batches, show, partial(over_processes, jobs=jobs))
        except Exception:
            if not (damage or discrepancies):
                raise
            rules = AuditResult(0, 0, [])  # nothing can be read in a damaged run

    # A reader must not take anything for checked that is not.
    total = opened.record.size.games
    checked = [FILES] if damage else [FILES, PLAN]
    unchecked = [PLAN] if damage else []
    if rules.games:
        checked.append(f"the rules in {rules.games:,} of {total:,} games")
    if rules.games < total:
        unchecked.append(f"the rules in {total - rules.games:,} of {total:,} games")
    unchecked += [WANTS, CHOICES]
    if opened.plan.kernel != SOURCE_HASH:
        unchecked.append(OTHER_ENGINE)

    if as_json:
        about = {"turn": None, "seat": None, "rule": "plan"}
        unplanned = [{"game": found.game, **about, "message": found.message} for found in discrepancies]
        found = {
            "run": str(opened.path),
            "games": rules.games,
            "turns": rules.turns,
            "violations": [*unplanned, *(violation.as_json() for violation in rules.violations)],
            "digest_ok": not damage,
            "checked": checked,
            "unchecked": unchecked,
        }
        print_json(found, indent=2)
    else:
        problems = [*damage]
        for discrepancy in discrepancies:
            place = "" if discrepancy.game is None else f"game {discrepancy.game:,}: "
            problems.append(f"{place}{discrepancy.message}")
        problems += [violation.sentence() for violation in rules.violations]
        for problem in problems[:MAX_SHOWN]:
            click.echo(problem)
        if len(problems) > MAX_SHOWN:
            click.echo(f"and {len(problems) - MAX_SHOWN:,} more; use --json to list them all")
        click.echo(_verdict(rules, bool(damage), len(discrepancies)))
        click.echo(f"Not checked: {'; '.join(unchecked)}")
    return FINDINGS if rules.violations or damage or discrepancies else FINE


def _verdict(rules: AuditResult, is_damaged: bool, discrepancies: int) -> str:
    verdicts = []
    if rules.violations:
        games = len({violation.game for violation in rules.violations})
        verdicts.append(f"{counted(len(rules.violations), 'violation')} in {games:,} of them")
    elif rules.games:
        verdicts.append("no rule was broken")
    if not is_damaged:
        verdicts.append(f"{discrepancies:,} differences from the plan" if discrepancies else "the plan was followed")
    verdicts.append("the digests do not match" if is_damaged else "the digests match")
    extent = f"{rules.games:,} games with {rules.turns:,} turns" if rules.games else "no game could be read"
    return f"{extent}: {'; '.join(verdicts)}"
