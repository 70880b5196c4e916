"""`ttr-sim run`: play many games and log them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli.completion import editions, runs
from ttr_sim.cli.main import INTERRUPTED
from ttr_sim.cli.options import (
    bots_option,
    games_option,
    json_option,
    out_option,
    quiet_option,
    seed_option,
    workers_option,
)
from ttr_sim.cli.progress import Progress
from ttr_sim.cli.strange_rows import strange_rows_explained
from ttr_sim.errors import Interrupted, command_line, no_run, typed

if TYPE_CHECKING:
    from ttr_sim.run.backends import Workers
    from ttr_sim.run.opened import Run
    from ttr_sim.run.plan import Plan, Request

DEFAULT_GAMES = 10_000
DEFAULT_BOTS = ("planner",)
LEFT_TO_THE_PLAN = {"edition": "EDITION", "settings": "--set", "dry_run": "--dry-run"} | {
    name: f"--{name}" for name in ("players", "bots", "seed", "log", "out")
}


@click.command(short_help="Play many games and log them.")
@click.argument("edition", required=False, shell_complete=editions)
@click.option("--players", type=int, metavar="N", help="Players in a game.")
@bots_option("Bots that play; with more or fewer bots than players, lineups are drawn at random.  [default: planner]")
@games_option(DEFAULT_GAMES, "Games to play, rounded up to whole blocks; with --resume, the run's new total.")
@seed_option
@workers_option
@click.option(
    "--log",
    type=click.Choice(["full", "results"]),
    default="full",
    show_default=True,
    help="results omits the turns: smaller files, but no audit, replay or route statistics.",
)
@out_option("the run", "runs/<edition>-<players>p-<plan hash>")
@click.option("--set", "settings", multiple=True, metavar="KEY=TOML", help="Change a rule, as in trains=40.")
@click.option("--dry-run", is_flag=True, help="Estimate time and disk, then exit.")
@click.option(
    "--resume", type=click.Path(path_type=Path), shell_complete=runs, metavar="RUN", help="Continue an interrupted run."
)
@click.option("--trust-bots", is_flag=True, help="With --resume: run the bot files that came with RUN.")
@json_option
@quiet_option
@click.pass_context
def command(context: click.Context, /, workers: Workers, as_json: bool, quiet: bool, **wish: Any) -> int | None:
    """Play many games of an EDITION (a name or a folder) and log every turn.

    The same command gives the same games, bit for bit, and continues where it was interrupted.

    \b
    ttr-sim run usa --players 4 --bots planner,racer,path,random --games 100000
    ttr-sim run my-map --players 2 --bots planner,racer --set trains=40
    ttr-sim run --resume runs/usa-4p-1a2b3c4d
    ttr-sim run --resume runs/usa-4p-1a2b3c4d --games 200000
    """
    _check_use(context, wish)
    progress = Progress(quiet)
    try:
        if wish["resume"]:
            run = _resume(wish["resume"], workers, progress, wish["trust_bots"], _new_total(context, wish))
        else:
            request, plan = _plan(wish, progress)
            if wish["dry_run"]:
                _dry_run(request, plan, workers, progress, as_json)
                return None
            run = _start(request, plan, wish, workers, progress)
    except Interrupted as stop:
        click.echo(stop, err=True)
        return INTERRUPTED
    _print_result(run, as_json)
    return None


def _check_use(context: click.Context, wish: dict[str, Any]) -> None:
    if wish["resume"]:
        given = [
            flag
            for name, flag in LEFT_TO_THE_PLAN.items()
            if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
        ]
        if given:
            raise click.UsageError(f"--resume uses the run's own plan; omit {', '.join(given)}.")
        return
    for name in ("edition", "players"):
        if wish[name] is None:
            what = "EDITION" if name == "edition" else f"--{name}"
            raise click.UsageError(f"{what} is missing; try: {command_line('run', 'usa', '--players', 2)}")


def _plan(wish: dict[str, Any], progress: Progress) -> tuple[Request, Plan]:
    from ttr_sim.edition import load_edition
    from ttr_sim.edition.rules import overrides_of
    from ttr_sim.run.plan import Request, make_plans

    edition = load_edition(wish["edition"], overrides_of(wish["settings"]))
    names = ("games", "seed", "log", "settings")
    bots = wish["bots"] or DEFAULT_BOTS
    request = Request(edition, (wish["players"],), bots=bots, **{name: wish[name] for name in names})
    (plan,) = make_plans(request, progress)
    return request, plan


def _start(request: Request, plan: Plan, wish: dict[str, Any], workers: Workers, progress: Progress) -> Run:
    from ttr_sim.run.play import play_plan

    return play_plan(request, plan, wish["out"] or plan.default_folder, workers, progress, typed())


def _names_games(context: click.Context) -> bool:
    return context.get_parameter_source("games") is not click.core.ParameterSource.DEFAULT


def _new_total(context: click.Context, wish: dict[str, Any]) -> int | None:
    return wish["games"] if _names_games(context) else None


def _resume(path: Path, workers: Workers, progress: Progress, trust_bots: bool, games: int | None) -> Run:
    from ttr_sim.run.play import resume

    if not path.is_dir():
        raise no_run(path)
    return resume(path, workers, progress, lambda files: trust_bots or _asked(path, files), games)


def _asked(path: Path, files: str) -> bool:
    """Return whether the user, asked on the terminal, trusts the bot files."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty()):
        return False
    question = f"{path} came with bot files, which are programs: {files}. Do you trust them and want to run them?"
    return click.confirm(question, err=True)


def _dry_run(request: Request, plan: Plan, workers: Workers, progress: Progress, as_json: bool) -> None:
    from ttr_sim.cli.run_summary import print_cost
    from ttr_sim.run.probe import estimate_cost

    print_cost(estimate_cost(request, plan, workers.jobs, progress), workers.jobs, as_json)


def _print_result(run: Run, as_json: bool) -> None:
    from ttr_sim.analysis.bot_results import outcome
    from ttr_sim.cli.run_summary import print_outcome

    with strange_rows_explained(run.path):
        found = outcome(run)
    print_outcome(run, found, as_json)
