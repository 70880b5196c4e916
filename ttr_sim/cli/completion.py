"""Shell completion."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from ttr_sim.edition import official_names, variants


def editions(context: click.Context, argument: click.Parameter, begun: str) -> list[CompletionItem]:
    """Offer the names of editions, and folders as the shell finds them."""
    names = [CompletionItem(name) for name in (*official_names(), *variants()) if name.startswith(begun)]
    return [*names, CompletionItem(begun, type="dir")]
