"""`ttr-sim audit`: check the games of a run with an independent implementation of the rules."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ttr_sim.cli.completion import runs
from ttr_sim.cli.main import FINDINGS
from ttr_sim.cli.options import jobs_option, json_option, quiet_option
from ttr_sim.cli.progress import Progress
from ttr_sim.cli.text import counted
from ttr_sim.errors import UserError
from ttr_sim.referee.audit import AuditResult, audit, batches_of
from ttr_sim.run.digest import check_digests
from ttr_sim.run.folder import RunFolder

SHOWN_VIOLATIONS = 50


@click.command(epilog="Example: ttr-sim audit runs/usa-4p-0a1b2c3d --games 1000")
@click.argument("run", type=click.Path(path_type=Path), shell_complete=runs)
@click.option("--games", type=click.IntRange(1), help="Number of games to audit, evenly spaced.  [default: all]")
@jobs_option
@json_option
@quiet_option
@click.pass_context
def command(context: click.Context, run: Path, games: int | None, jobs: int, as_json: bool, quiet: bool) -> None:
    """Check every card, claim, ticket and score of RUN against the rules.

    Replays the games from the log and the edition alone, with an independent implementation of the rules
    that shares no code with the engine, and checks the digests. Exits with 1 when something is wrong.
    """
    batches = batches_of(run, games)
    _refuse_unfinished(RunFolder(run))
    with Progress(quiet).count(sum(len(batch.games) for batch in batches)) as show:
        result = audit(run, batches, jobs, show)
    problems = check_digests(run, jobs)
    click.echo(_json(run, result, problems) if as_json else _text(result, problems))
    if result.violations or problems:
        context.exit(FINDINGS)


def _refuse_unfinished(folder: RunFolder) -> None:
    if folder.read().digest is None:
        raise UserError(f"{folder.path} is not finished; resume it with: {folder.resume_command}")


def _json(run: Path, result: AuditResult, problems: tuple[str, ...]) -> str:
    found = {
        "run": str(run),
        "games": result.games,
        "turns": result.turns,
        "violations": [violation.as_json() for violation in result.violations],
        "digest_ok": not problems,
    }
    return json.dumps(found, ensure_ascii=False, indent=2)


def _text(result: AuditResult, problems: tuple[str, ...]) -> str:
    lines = [*problems, *(violation.sentence() for violation in result.violations[:SHOWN_VIOLATIONS])]
    hidden = len(result.violations) - SHOWN_VIOLATIONS
    if hidden > 0:
        lines.append(f"and {hidden:,} more; use --json to list them all")
    games = len({violation.game for violation in result.violations})
    violations = counted(len(result.violations), "violation")
    verdict = f"{violations} in {games:,} of them" if games else "no rule was broken"
    digests = "the digests do not match" if problems else "the digests match"
    return "\n".join([*lines, f"{result.games:,} games with {result.turns:,} turns: {verdict}; {digests}"])
