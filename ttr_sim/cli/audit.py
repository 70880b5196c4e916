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
from ttr_sim.cli.legal_choices import compare_choices
from ttr_sim.cli.main import FINDINGS
from ttr_sim.cli.options import jobs_option, json_option, quiet_option
from ttr_sim.cli.progress import Progress
from ttr_sim.errors import UserError
from ttr_sim.referee.audit import AuditBatch, AuditResult, audit, batches_of
from ttr_sim.run.opened import Run, open_run
from ttr_sim.run.verify import Discrepancy, Replayed, check_files, check_plan, replay, sample_size
from ttr_sim.run.worker_process import over_processes

SHOWN_PROBLEMS = 50


ALL_BLOCKS = -1


def _block_count(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    if value is None or value.isdecimal():
        return None if value is None else int(value)
    if value == "all":
        return ALL_BLOCKS
    raise click.BadParameter(f'"{value}" is neither a number of blocks nor all')


@dataclass(frozen=True, slots=True)
class Findings:
    """What the checks of a run found."""

    run: Run
    rules: AuditResult
    files: tuple[str, ...]
    plan: list[Discrepancy]
    replayed: Replayed

    @property
    def discrepancies(self) -> list[Discrepancy]:
        return self.plan + self.replayed.found

    @property
    def is_clean(self) -> bool:
        return not (self.rules.violations or self.files or self.discrepancies)


@click.command(epilog="Example: ttr-sim audit runs/usa-4p-0a1b2c3d --games 1000 --replay all")
@click.argument("run", type=click.Path(path_type=Path), shell_complete=runs)
@click.option("--games", type=click.IntRange(1), help="Number of games to audit, evenly spaced.  [default: all]")
@click.option(
    "--replay",
    "blocks",
    metavar="N|all",
    callback=_block_count,
    help="Number of blocks to play again.  [default: a sample of 40]",
)
@click.option("--trust-bots", is_flag=True, help="Run the bot files in RUN to play its blocks again.")
@jobs_option
@json_option
@quiet_option
@click.pass_context
def command(
    context: click.Context,
    run: Path,
    games: int | None,
    blocks: int | None,
    trust_bots: bool,
    jobs: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check every card, claim, ticket and score of RUN against the rules, and the run against its plan.

    Follows the games from the log and the edition alone, with an independent implementation of the rules
    that shares no code with the engine; in a few games it also compares what each of the two lets a player
    choose. Checks that the run is complete and that nothing foreign is in it, checks the digests, and plays a
    sample of its blocks again. Exits with 1 when something is wrong.
    """
    opened = open_run(run)
    batches = batches_of(run, games)
    _refuse_unfinished(opened)
    progress = Progress(quiet)
    files = check_files(opened, jobs)
    plan = [] if files else check_plan(opened)
    with progress.count(sum(len(batch.games) for batch in batches)) as show:
        rules = _audited(run, batches, jobs, show, bool(files or plan))
    if not (files or plan or rules.violations):
        plan = compare_choices(opened)
    count = _blocks_to_replay(opened, blocks)
    with progress.count(count) as show:
        replayed = Replayed(0, []) if files or plan else replay(opened, count, trust_bots, show, jobs)
    findings = Findings(opened, rules, files, plan, replayed)
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


def _blocks_to_replay(run: Run, wanted: int | None) -> int:
    every = run.record.size.blocks
    return sample_size(run) if wanted is None else every if wanted == ALL_BLOCKS else min(wanted, every)


def _refuse_unfinished(run: Run) -> None:
    if run.record.digest is None:
        raise UserError(f"{run.path} is not finished; resume it with: {run.folder.resume_command}")


def _json(findings: Findings) -> str:
    by_plan = [
        {"game": found.game, "turn": None, "seat": None, "rule": found.rule, "message": found.message}
        for found in findings.discrepancies
    ]
    found = {
        "run": str(findings.run.path),
        "games": findings.rules.games,
        "turns": findings.rules.turns,
        "violations": [*by_plan, *(violation.as_json() for violation in findings.rules.violations)],
        "digest_ok": not findings.files,
        "replayed": findings.replayed.blocks,
    }
    return json.dumps(found, ensure_ascii=False, indent=2)


def _text(findings: Findings) -> str:
    rules, replayed = findings.rules, findings.replayed
    problems = [*findings.files, *(_sentence(found) for found in findings.discrepancies)]
    problems += [violation.sentence() for violation in rules.violations]
    lines = problems[:SHOWN_PROBLEMS]
    if len(problems) > SHOWN_PROBLEMS:
        lines.append(f"and {len(problems) - SHOWN_PROBLEMS:,} more; use --json to list them all")
    if replayed.note:
        lines.append(replayed.note)
    games = len({violation.game for violation in rules.violations})
    violations = "1 violation" if len(rules.violations) == 1 else f"{len(rules.violations):,} violations"
    verdicts = [
        *([f"{violations} in {games:,} of them" if games else "no rule was broken"] if rules.games else []),
        *([f"{len(findings.plan):,} differences from the plan or the legal choices"] if findings.plan else []),
        _replay_verdict(findings),
        "the digests do not match" if findings.files else "the digests match",
    ]
    counts = f"{rules.games:,} games with {rules.turns:,} turns" if rules.games else "no game could be read"
    return "\n".join([*lines, f"{counts}: {'; '.join(verdicts)}"])


def _sentence(found: Discrepancy) -> str:
    return f"{'' if found.game is None else f'game {found.game:,}: '}{found.message}"


def _replay_verdict(findings: Findings) -> str:
    replayed = findings.replayed
    of_all = f"{replayed.blocks:,} of {findings.run.record.size.blocks:,} blocks were played again"
    return f"{of_all}{', and differ' if replayed.found else ', and are the same' if replayed.blocks else ''}"
