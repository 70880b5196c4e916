"""`ttr-sim audit`: check the games of a run with an independent implementation of the rules."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ttr_sim.cli.main import FINDINGS
from ttr_sim.cli.options import jobs_option, json_option, quiet_option
from ttr_sim.cli.progress import Progress
from ttr_sim.errors import UserError
from ttr_sim.referee.audit import Tally, audit, pieces_of
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.run_digest import check_digests

SHOWN_FINDINGS = 50


@click.command(epilog="Example: ttr-sim audit runs/usa-4p-0a1b2c3d --games 1000")
@click.argument("run", type=click.Path(path_type=Path))
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
    pieces = pieces_of(run, games)
    _refuse_unfinished(RunFolder(run))
    with Progress(quiet).count(sum(len(piece.games) for piece in pieces)) as show:
        tally = audit(run, pieces, jobs, show)
    problems = check_digests(run, jobs)
    click.echo(_json(run, tally, problems) if as_json else _text(tally, problems))
    if tally.findings or problems:
        context.exit(FINDINGS)


def _refuse_unfinished(folder: RunFolder) -> None:
    if folder.read().digest is None:
        raise UserError(f"{folder.path} is not finished; resume it with: {folder.resume_command}")


def _json(run: Path, tally: Tally, problems: tuple[str, ...]) -> str:
    found = {
        "run": str(run),
        "games": tally.games,
        "turns": tally.turns,
        "violations": [finding.as_json() for finding in tally.findings],
        "digest_ok": not problems,
    }
    return json.dumps(found, ensure_ascii=False, indent=2)


def _text(tally: Tally, problems: tuple[str, ...]) -> str:
    lines = [*problems, *(finding.sentence() for finding in tally.findings[:SHOWN_FINDINGS])]
    hidden = len(tally.findings) - SHOWN_FINDINGS
    if hidden > 0:
        lines.append(f"and {hidden:,} more; use --json to list them all")
    games = len({finding.game for finding in tally.findings})
    findings = "1 finding" if len(tally.findings) == 1 else f"{len(tally.findings):,} findings"
    verdict = f"{findings} in {games:,} of them" if games else "no rule was broken"
    digests = "the digests do not match" if problems else "the digests match"
    return "\n".join([*lines, f"{tally.games:,} games with {tally.turns:,} turns: {verdict}; {digests}"])
