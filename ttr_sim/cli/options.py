"""Options that several commands share, and their completion in the shell."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from ttr_sim.cli.output import Progress

DEFAULT_SEED = 1
MAX_JOBS = 1_024

Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


class Advanced(click.Option):
    """An option that few users need, listed below the others."""


class GroupedCommand(click.Command):
    """Lists the options of every day first, then the advanced ones."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {"Options": [], "Advanced options": []}
        for parameter in self.get_params(context):
            record = parameter.get_help_record(context)
            if record is not None and isinstance(parameter, click.Option):
                groups["Advanced options" if isinstance(parameter, Advanced) else "Options"].append(record)
        for heading, rows in groups.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


def available_jobs() -> int:
    """Count the cores this process may use."""
    # A container may allow fewer than the machine has; only Linux knows.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_given(context: click.Context, name: str) -> bool:
    """Check whether the user gave an option, rather than its default."""
    return context.get_parameter_source(name) is not ParameterSource.DEFAULT


def completion(with_editions: bool, with_runs: bool) -> Completion:
    """Offer names of editions and run folders, and leave other folders to the shell."""

    def complete(context: click.Context, parameter: click.Parameter, start: str) -> list[CompletionItem]:
        from ttr_sim.edition import edition_names
        from ttr_sim.run.plan import RUNS

        files = [path for pattern in ("*/run.json", f"{RUNS}/*/run.json") for path in Path().glob(pattern)]
        runs = sorted(str(file.parent) for file in files)
        names = [*edition_names()] * with_editions + runs * with_runs
        return [*(CompletionItem(name) for name in names if name.startswith(start)), CompletionItem(start, type="dir")]

    return complete


def complete_bots(context: click.Context, option: click.Parameter, start: str) -> list[CompletionItem]:
    """Offer the styles and Python files after the last comma."""
    from ttr_sim.bots import STYLE_NAMES

    before, comma, last = start.rpartition(",")
    names = (*STYLE_NAMES, *sorted(f"{path}:" for path in Path().glob("*.py")))
    return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(last)]


def split_bots(context: click.Context, option: click.Parameter, text: str | None) -> tuple[str, ...] | None:
    from ttr_sim.bots import split_specs

    if text is None:
        return None
    bots = tuple(split_specs(text))
    if not all(bots):
        raise click.BadParameter("a name is missing; separate names with commas, as in random,random")
    return bots


def split_players(context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...] | None:
    try:
        # A dict keeps the order in which the user named them, each once.
        return None if text is None else tuple(dict.fromkeys(int(piece) for piece in text.split(",")))
    except ValueError:
        raise click.BadParameter(f'"{text}" is not a list of player counts such as 2,3,4') from None


def as_known(context: click.Context, argument: click.Parameter, typed: Any) -> Any:
    """Spell names of editions as they are known."""
    from ttr_sim.edition import known_name

    if isinstance(typed, tuple):
        return tuple(known_name(name) for name in typed)
    return None if typed is None else known_name(typed)


def workers(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --jobs and --cluster to a command, which receives `workers`."""

    @jobs
    @click.option(
        "--cluster",
        cls=Advanced,
        metavar="ADDRESS|local:N",
        envvar="TTR_SIM_CLUSTER",
        help="Play on a Dask cluster, or by N processes of this machine.  [also: TTR_SIM_CLUSTER]",
    )
    @wraps(command)
    def with_workers(*arguments: Any, jobs: int, cluster: str | None, **others: Any) -> Any:
        from ttr_sim.run.cluster import Cluster
        from ttr_sim.run.workers import ThisMachine

        context = click.get_current_context()
        typed = [context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in ("jobs", "cluster")]
        if all(typed):
            raise click.UsageError("--jobs is about this machine, and --cluster plays elsewhere; omit one of them.")
        # --jobs overrides the environment variable of --cluster, since it is nearer.
        workers = context.with_resource(Cluster(cluster)) if cluster and not typed[0] else ThisMachine(jobs)
        return command(*arguments, workers=workers, **others)

    return with_workers


command = partial(click.command, cls=GroupedCommand)

# Arguments.
edition_argument = partial(click.argument, shell_complete=completion(True, False), callback=as_known)
side_argument = partial(click.argument, shell_complete=completion(True, True), callback=as_known)
edition = edition_argument("edition")
run_completion = completion(False, True)
run_folder = partial(click.argument, type=click.Path(path_type=Path), shell_complete=run_completion)

# Options that each command describes itself.
bots = partial(click.option, "--bots", metavar="A,B,..", callback=split_bots, shell_complete=complete_bots)
games = partial(click.option, "--games", type=int, metavar="N", show_default=True)
out = partial(click.option, "--out", type=click.Path(path_type=Path))
report_out = partial(out, cls=Advanced, metavar="DIR")
flag = partial(click.option, is_flag=True)

player_counts = click.option(
    "--players", metavar="2,3,..", callback=split_players, help="Player counts.  [default: all the edition allows]"
)
force = flag("--force", cls=Advanced, help="Replace what is there, though it is not ours or is about something else.")
seed = click.option(
    "--seed", cls=Advanced, type=int, metavar="S", default=DEFAULT_SEED, show_default=True, help="Random seed."
)
jobs = click.option(
    "--jobs",
    cls=Advanced,
    type=click.IntRange(1, MAX_JOBS),
    metavar="J",
    default=available_jobs,
    show_default="all cores",
    help="Games to play at the same time.",
)
json_list = flag("--json", "as_json", help="Print a JSON list.")
json = flag("--json", "as_json", help="Print one JSON object.")
# A command receives a Progress instead of a flag, so that no place can forget to ask the flag.
quiet = flag(
    "-q",
    "--quiet",
    "progress",
    callback=lambda context, option, is_quiet: Progress(is_quiet),
    help="Show no progress, only results and errors.",
)
