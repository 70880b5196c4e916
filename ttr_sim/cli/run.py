"""`ttr-sim run` and `ttr-sim audit`: play many games and log them, and check them against the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, FINE, damaged_runs_explained
from ttr_sim.cli.output import Progress, counted, duration, file_size, next_step, print_json, print_lines, symbol
from ttr_sim.edition import load_edition
from ttr_sim.edition.rules import overrides_of
from ttr_sim.errors import UserError, command_line, no_run, typed
from ttr_sim.run.plan import FULL, Request, make_plans

if TYPE_CHECKING:
    from ttr_sim.analysis.bot_results import RunOutcome
    from ttr_sim.referee.audit import AuditResult
    from ttr_sim.run.read import Run
    from ttr_sim.run.workers import Workers

DEFAULT_GAMES = 10_000
BAR = 34  # characters of a bar for all games
DEFAULT_BOTS = ("planner",)
PLAN_OPTIONS = {"edition": "EDITION", "settings": "--set", "dry_run": "--dry-run"} | {
    name: f"--{name}" for name in ("players", "bots", "seed", "log", "out")
}
MAX_SHOWN = 50  # problems
PLAN = "the plan: each game's deal, block, lineup and players"


@options.command(short_help="Play many games and log them.")
@options.edition_argument("edition", required=False)
@click.option("--players", type=int, metavar="N", help="Players in a game.")
@options.bots(
    help="Bots that play; with more or fewer bots than players, lineups are drawn at random.  [default: planner]"
)
@options.games(
    default=DEFAULT_GAMES, help="Games to play, rounded up to whole blocks; with --resume, the run's new total."
)
@options.seed
@options.workers
@click.option(
    "--log",
    cls=options.Advanced,
    type=click.Choice(["full", "results"]),
    default="full",
    show_default=True,
    help="results omits the turns: smaller files, but no audit, replay or route statistics.",
)
@options.report_out(help="Folder for the run.  [default: runs/<edition>-<players>p-<plan hash>]")
@click.option(
    "--set", "settings", cls=options.Advanced, multiple=True, metavar="KEY=TOML", help="Change a rule, as in trains=40."
)
@options.flag("--dry-run", help="Estimate time and disk, then exit.")
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    shell_complete=options.run_completion,
    metavar="RUN",
    help="Continue an interrupted run.",
)
@options.flag("--trust-bots", cls=options.Advanced, help="With --resume: run the bot files that came with RUN.")
@options.json
@options.quiet
@click.pass_context
def run_command(context: click.Context, /, workers: Workers, as_json: bool, progress: Progress, **values: Any) -> None:
    """Play many games of an EDITION (a name or a folder) and log every turn.

    The same command gives the same games, bit for bit, and continues where it was interrupted.

    \b
    ttr-sim run usa --players 4 --bots planner,racer,path,random --games 100000
    ttr-sim run my-map --players 2 --bots planner,racer --set trains=40
    ttr-sim run --resume runs/usa-4p-1a2b3c4d
    ttr-sim run --resume runs/usa-4p-1a2b3c4d --games 200000
    """
    from ttr_sim.analysis.bot_results import outcome

    if values["resume"]:
        run = resume_run(context, workers, progress)
    else:
        for name, argument in (("edition", "EDITION"), ("players", "--players")):
            if values[name] is None:
                raise click.UsageError(f"{argument} is missing; try: {command_line('run', 'usa', '--players', 2)}")
        edition = load_edition(values["edition"], overrides_of(values["settings"]))
        # Rules set for one run are part of its plan: the same command with other rules is another run.
        kept = {name: values[name] for name in ("games", "seed", "log", "settings")}
        request = Request(edition, (values["players"],), bots=values["bots"] or DEFAULT_BOTS, **kept)
        (plan,) = make_plans(request, progress)
        if values["dry_run"]:
            from ttr_sim.run.play import estimate_cost

            cost, jobs = estimate_cost(request, plan, workers.jobs, progress), workers.jobs
            size = cost.size
            if as_json:
                found = {"bytes": cost.bytes, "seconds": round(cost.seconds, 1), "jobs": jobs}
                print_json(asdict(size) | found)
            else:
                click.echo(
                    f"{size.games:,} games in {size.blocks:,} blocks and {size.parts:,} parts: about "
                    f"{file_size(cost.bytes)} on disk and {duration(cost.seconds)} with {jobs} jobs"
                )
            return
        # Numba loads here, after the request was checked.
        from ttr_sim.run.play import play_plan

        run = play_plan(request, plan, values["out"] or plan.default_folder, workers, progress, typed())
    with damaged_runs_explained(run.path):
        result = outcome(run)
    if as_json:
        print_json(as_object(run, result))
    else:
        print_lines(as_lines(run, result))


def resume_run(context: click.Context, workers: Workers, progress: Progress) -> Run:
    """Continue the run of --resume by its own plan, perhaps with more games."""
    from ttr_sim.run.play import resume

    given = [flag for name, flag in PLAN_OPTIONS.items() if options.is_given(context, name)]
    if given:
        raise click.UsageError(f"--resume uses the run's own plan; omit {', '.join(given)}.")
    path: Path = context.params["resume"]
    if not path.is_dir():
        raise no_run(path)

    def is_trusted(files: str) -> bool:
        """Ask on the terminal, where there is one."""
        if context.params["trust_bots"]:
            return True
        if not (sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty()):
            return False
        question = f"{path} came with bot files, which are programs: {files}. Do you trust them and want to run them?"
        return click.confirm(question, err=True)

    games = context.params["games"] if options.is_given(context, "games") else None
    return resume(path, workers, progress, is_trusted, games)


def as_object(run: Run, outcome: RunOutcome) -> dict[str, object]:
    record = run.record
    return {
        "run": str(run.path),
        **{name: getattr(run.plan, name) for name in ("edition", "fingerprint", "players")},
        "games": record.size.games,
        "blocks": record.size.blocks,
        "seconds": round(record.seconds, 3),
        "games_per_second": round(record.games_per_second, 1),
        "digest": record.digest,
        "digest_turns": record.digest_turns,
        "stalled": outcome.stalled,
        "capped": outcome.capped,
        "bots": [asdict(bot) for bot in outcome.bots],
    }


def as_lines(run: Run, outcome: RunOutcome) -> Iterator[str]:
    record, players = run.record, run.plan.players
    yield (
        f"{run.edition.title} · {record.size.games:,} games with {players} players · {duration(record.seconds)}, "
        f"{record.games_per_second:,.0f} games a second"
    )
    yield ""
    room = max(10, *(len(bot.bot) for bot in outcome.bots)) + 2
    heading = f"wins per 100 games, {100 / players:.1f} is a fair share"
    yield f"  {'BOTS':<{room}}{'seats':>9}   {heading:<50}score"
    for bot in sorted(outcome.bots, key=lambda bot: -(bot.win_share or 0.0)):
        share = "" if bot.win_share is None else f"{bot.win_share * 100:.1f}"
        half = "" if bot.low is None or bot.high is None else f"±{(bot.high - bot.low) * 50:.1f}"
        bar = "█" * round((bot.win_share or 0.0) * BAR)
        score = "–" if bot.score is None else f"{bot.score:.1f}"
        yield f"  {bot.bot:<{room}}{bot.seats:>9,}   {share:>5} {half:<6} {bar:<{BAR}}{score:>12}"
    yield ""
    if outcome.stalled:
        yield f"  {symbol('odd')} {outcome.stalled:,} games stalled: nobody could move"
    if outcome.capped:
        yield f"  {symbol('odd')} {outcome.capped:,} games were cut off after too many turns"
    yield next_step("NEXT", command_line("report", run.path), "the report of these games")
    if run.plan.log == FULL:
        yield next_step("", command_line("replay", run.path, 0), "a game, turn by turn")
    yield ""
    yield str(run.path)


@options.command(epilog="Example: ttr-sim audit runs/usa-4p-0a1b2c3d --games 1000")
@options.run_folder("run")
@click.option("--games", type=click.IntRange(1), help="Number of games to audit, evenly spaced.  [default: all]")
@options.jobs
@options.json
@options.quiet
def audit_command(run: Path, games: int | None, jobs: int, as_json: bool, progress: Progress) -> int:
    """Check every card, claim, ticket and score of RUN against the rules, and the run against its plan.

    Follows the games from the log and the edition alone, with an independent implementation of the rules
    that shares no code with the engine. Checks that the run is complete and that nothing foreign is in it: every
    game's deal, block and lineup are recomputed from the plan. Checks the digests. Says what it did not check.
    Exits with 1 when something is wrong.
    """
    from ttr_sim.engine.jit import SOURCE_HASH
    from ttr_sim.referee.audit import AuditResult, audit, batches_of
    from ttr_sim.run.processes import over_processes
    from ttr_sim.run.read import check_files, check_plan, open_run

    opened = open_run(run)
    batches = batches_of(run, games)
    if opened.record.digest is None:
        raise UserError(f"{run} is not finished; resume it with: {opened.folder.resume_command}")
    damage = check_files(opened, jobs)
    discrepancies = [] if damage else check_plan(opened)
    with progress.count(sum(len(batch.games) for batch in batches)) as show:
        try:
            rules = audit(run, batches, show, partial(over_processes, jobs=jobs))
        except Exception:
            if not (damage or discrepancies):
                raise
            rules = AuditResult(0, 0, [])  # nothing can be read in a damaged run

    # A reader must not take anything for checked that is not.
    total = opened.record.size.games
    checked, unchecked = ["the checksums and digests of all files"], list[str]()
    (unchecked if damage else checked).append(PLAN)
    if rules.games:
        checked.append(f"the rules in {rules.games:,} of {total:,} games")
    if rules.games < total:
        unchecked.append(f"the rules in {total - rules.games:,} of {total:,} games")
    unchecked.append("what bots published as wanted, on which contention rests")
    unchecked.append("that the bots named in the plan chose these moves")
    if opened.plan.kernel != SOURCE_HASH:
        unchecked.append("the engine that played it, which is of another version")
    if as_json:
        about = {"turn": None, "seat": None, "rule": "plan"}
        violations: list[object] = [{"game": each.game, **about, "message": each.message} for each in discrepancies]
        violations += [violation.as_json() for violation in rules.violations]
        result = {"run": str(opened.path), "games": rules.games, "turns": rules.turns, "violations": violations}
        print_json({**result, "digest_ok": not damage, "checked": checked, "unchecked": unchecked}, indent=2)
    else:
        problems = [*damage]
        for discrepancy in discrepancies:
            place = "" if discrepancy.game is None else f"game {discrepancy.game:,}: "
            problems.append(f"{place}{discrepancy.message}")
        problems += [violation.sentence() for violation in rules.violations]
        verdict = audit_verdict(rules, bool(damage), len(discrepancies))
        lines = [f"{symbol('missed' if problems else 'met')} {verdict}"]
        lines += [f"  {problem}" for problem in problems[:MAX_SHOWN]]
        if len(problems) > MAX_SHOWN:
            lines.append(f"  and {len(problems) - MAX_SHOWN:,} more; use --json to list them all")
        print_lines([*lines, f"Not checked: {'; '.join(unchecked)}"])
    return FINDINGS if rules.violations or damage or discrepancies else FINE


def audit_verdict(rules: AuditResult, is_damaged: bool, discrepancies: int) -> str:
    """Summarize rules, plan and digests in a line."""
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
