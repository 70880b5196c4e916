"""`ttr-sim run`: play many games and log them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import INTERRUPTED, damaged_runs_explained
from ttr_sim.cli.output import Progress, duration, file_size, print_json
from ttr_sim.errors import Interrupted, command_line, no_run, typed

if TYPE_CHECKING:
    from ttr_sim.analysis.bot_results import RunOutcome
    from ttr_sim.run.plan import Plan, Request
    from ttr_sim.run.read import Run
    from ttr_sim.run.workers import Workers

DEFAULT_GAMES = 10_000
BAR = 34  # characters of a bar for all games
DEFAULT_BOTS = ("planner",)
PLAN_OPTIONS = {"edition": "EDITION", "settings": "--set", "dry_run": "--dry-run"} | {
    name: f"--{name}" for name in ("players", "bots", "seed", "log", "out")
}


@options.command(short_help="Play many games and log them.")
@click.argument("edition", required=False, shell_complete=options.complete_editions, callback=options.as_known)
@click.option("--players", type=int, metavar="N", help="Players in a game.")
@options.bots("Bots that play; with more or fewer bots than players, lineups are drawn at random.  [default: planner]")
@options.games(DEFAULT_GAMES, "Games to play, rounded up to whole blocks; with --resume, the run's new total.")
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
@options.out("Folder for the run.  [default: runs/<edition>-<players>p-<plan hash>]", metavar="DIR")
@click.option(
    "--set", "settings", cls=options.Advanced, multiple=True, metavar="KEY=TOML", help="Change a rule, as in trains=40."
)
@click.option("--dry-run", is_flag=True, help="Estimate time and disk, then exit.")
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    shell_complete=options.complete_runs,
    metavar="RUN",
    help="Continue an interrupted run.",
)
@click.option(
    "--trust-bots", cls=options.Advanced, is_flag=True, help="With --resume: run the bot files that came with RUN."
)
@options.json
@options.quiet
@click.pass_context
def run_command(context: click.Context, /, workers: Workers, as_json: bool, quiet: bool, **values: Any) -> int | None:
    """Play many games of an EDITION (a name or a folder) and log every turn.

    The same command gives the same games, bit for bit, and continues where it was interrupted.

    \b
    ttr-sim run usa --players 4 --bots planner,racer,path,random --games 100000
    ttr-sim run my-map --players 2 --bots planner,racer --set trains=40
    ttr-sim run --resume runs/usa-4p-1a2b3c4d
    ttr-sim run --resume runs/usa-4p-1a2b3c4d --games 200000
    """
    from ttr_sim.analysis.bot_results import outcome
    from ttr_sim.cli.verdict import print_lines

    progress = Progress(quiet)
    try:
        if values["resume"]:
            run = _resume(context, values, workers, progress)
        else:
            request, plan = _plan(values, progress)
            if values["dry_run"]:
                _print_cost(request, plan, workers, progress, as_json)
                return None
            from ttr_sim.run.play import play_plan

            run = play_plan(request, plan, values["out"] or plan.default_folder, workers, progress, typed())
    except Interrupted as stop:
        click.echo(stop, err=True)
        return INTERRUPTED
    with damaged_runs_explained(run.path):
        found = outcome(run)
    if as_json:
        print_json(as_object(run, found))
    else:
        print_lines(as_lines(run, found))
    return None


def _plan(values: dict[str, Any], progress: Progress) -> tuple[Request, Plan]:
    from ttr_sim.edition import load_edition
    from ttr_sim.edition.rules import overrides_of
    from ttr_sim.run.plan import Request, make_plans

    for name, argument in (("edition", "EDITION"), ("players", "--players")):
        if values[name] is None:
            raise click.UsageError(f"{argument} is missing; try: {command_line('run', 'usa', '--players', 2)}")
    edition = load_edition(values["edition"], overrides_of(values["settings"]))
    # Rules set for one run are part of its plan: the same command with other rules is another run.
    kept = {name: values[name] for name in ("games", "seed", "log", "settings")}
    request = Request(edition, (values["players"],), bots=values["bots"] or DEFAULT_BOTS, **kept)
    (plan,) = make_plans(request, progress)
    return request, plan


def _resume(context: click.Context, values: dict[str, Any], workers: Workers, progress: Progress) -> Run:
    from ttr_sim.run.play import resume

    given = [flag for name, flag in PLAN_OPTIONS.items() if options.is_given(context, name)]
    if given:
        raise click.UsageError(f"--resume uses the run's own plan; omit {', '.join(given)}.")
    path: Path = values["resume"]
    if not path.is_dir():
        raise no_run(path)

    def is_trusted(files: str) -> bool:
        """Ask on the terminal, where there is one."""
        if values["trust_bots"]:
            return True
        if not (sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty()):
            return False
        question = f"{path} came with bot files, which are programs: {files}. Do you trust them and want to run them?"
        return click.confirm(question, err=True)

    return resume(path, workers, progress, is_trusted, values["games"] if options.is_given(context, "games") else None)


def _print_cost(request: Request, plan: Plan, workers: Workers, progress: Progress, as_json: bool) -> None:
    from ttr_sim.run.play import estimate_cost

    cost = estimate_cost(request, plan, workers.jobs, progress)
    size = cost.size
    if as_json:
        print_json({**asdict(size), "bytes": cost.bytes, "seconds": round(cost.seconds, 1), "jobs": workers.jobs})
        return
    click.echo(
        f"{size.games:,} games in {size.blocks:,} blocks and {size.parts:,} parts: about {file_size(cost.bytes)} "
        f"on disk and {duration(cost.seconds)} with {workers.jobs} jobs"
    )


def as_object(run: Run, outcome: RunOutcome) -> dict[str, object]:
    record, plan = run.record, run.plan
    return {
        "run": str(run.path),
        "edition": plan.edition,
        "fingerprint": plan.fingerprint,
        "players": plan.players,
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
    from ttr_sim.analysis.verdict import ODD
    from ttr_sim.cli.verdict import next_step, symbol
    from ttr_sim.run.plan import FULL

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
        share, half = ("", "") if bot.win_share is None else (f"{bot.win_share * 100:.1f}", "")
        if bot.low is not None and bot.high is not None:
            half = f"±{(bot.high - bot.low) * 50:.1f}"
        bar = "█" * round((bot.win_share or 0.0) * BAR)
        score = "–" if bot.score is None else f"{bot.score:.1f}"
        yield f"  {bot.bot:<{room}}{bot.seats:>9,}   {share:>5} {half:<6} {bar:<{BAR}}{score:>12}"
    yield ""
    if outcome.stalled:
        yield f"  {symbol(ODD)} {outcome.stalled:,} games stalled: nobody could move"
    if outcome.capped:
        yield f"  {symbol(ODD)} {outcome.capped:,} games were cut off after too many turns"
    yield next_step("NEXT", command_line("report", run.path), "the report of these games")
    if run.plan.log == FULL:
        yield next_step("", command_line("replay", run.path, 0), "a game, turn by turn")
    yield ""
    yield str(run.path)
