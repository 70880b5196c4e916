"""Shell completion of editions, bots and run folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from ttr_sim.edition import edition_names


def editions(context: click.Context, argument: click.Parameter, begun: str) -> list[CompletionItem]:
    """Offer the names of editions, and folders as the shell finds them."""
    return [*_beginning(edition_names(), begun), CompletionItem(begun, type="dir")]


def runs(context: click.Context, argument: click.Parameter, begun: str) -> list[CompletionItem]:
    """Offer the run folders of this folder and of `runs`, and folders as the shell finds them."""
    return [*_beginning(_run_folders(), begun), CompletionItem(begun, type="dir")]


def editions_and_runs(context: click.Context, argument: click.Parameter, begun: str) -> list[CompletionItem]:
    return [*_beginning((*edition_names(), *_run_folders()), begun), CompletionItem(begun, type="dir")]


def bots(context: click.Context, option: click.Parameter, begun: str) -> list[CompletionItem]:
    """Offer the styles after the last comma, and Python files, each with what is typed before it."""
    from ttr_sim.bots import STYLE_NAMES

    before, comma, last = begun.rpartition(",")
    files = sorted(f"{path}:" for path in Path().glob("*.py"))
    return [CompletionItem(f"{before}{comma}{item.value}") for item in _beginning((*STYLE_NAMES, *files), last)]


def _beginning(names: Sequence[str], begun: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(begun)]


def _run_folders() -> list[str]:
    from ttr_sim.run.plan import RUNS

    return sorted(str(path.parent) for pattern in ("*/run.json", f"{RUNS}/*/run.json") for path in Path().glob(pattern))
