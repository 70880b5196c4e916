"""Shell completion."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from ttr_sim.edition import edition_names


def editions(context: click.Context, argument: click.Parameter, begun: str) -> list[CompletionItem]:
    """Offer the names of editions, and folders as the shell finds them."""
    names = [CompletionItem(name) for name in edition_names() if name.startswith(begun)]
    return [*names, CompletionItem(begun, type="dir")]
