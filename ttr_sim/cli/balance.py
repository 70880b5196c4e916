"""`ttr-sim balance`: find the fewest edits that make a board fair, and prove them on fresh deals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttr_sim.cli import completion
from ttr_sim.cli.main import FINDINGS, FINE, INTERRUPTED
from ttr_sim.cli.options import (
    force_option,
    json_option,
    player_counts_option,
    quiet_option,
    seed_option,
    workers_option,
)
from ttr_sim.cli.progress import Progress
from ttr_sim.edition.rules import LEAST_MARGIN, MOST_MARGIN
from ttr_sim.errors import typed

if TYPE_CHECKING:
    from ttr_sim.balance.outcome import Order
    from ttr_sim.run.backends import Workers

ALL_KINDS = "tickets,lengths,colors,doubles"
DEFAULT_EDITS = 8
MOST_EDITS = 50


@click.command(short_help="Find the fewest edits that make a board fair, and prove them.")
@click.argument("edition", shell_complete=completion.editions)
@player_counts_option
@click.option("--allow", metavar="KINDS", default=ALL_KINDS, show_default=True, help="What may be changed.")
@click.option(
    "--lock",
    "locks",
    multiple=True,
    metavar="NAME",
    help="Leave this as it is: a deck, or A–B for the tickets and routes there; repeatable.",
)
@click.option(
    "--edits",
    type=click.IntRange(1, MOST_EDITS),
    metavar="K",
    default=DEFAULT_EDITS,
    show_default=True,
    help="Most edits.",
)
@click.option(
    "--margin",
    type=click.FloatRange(LEAST_MARGIN, MOST_MARGIN),
    metavar="PP",
    help="Wins in 100 that a ticket may give or cost beyond its class.  [default: the edition's targets, else 5]",
)
@seed_option
@workers_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Folder for the edited edition.  [default: <edition>-balanced, beside the original]",
)
@force_option
@json_option
@quiet_option
def command(
    *,
    edition: str,
    players: tuple[int, ...] | None,
    allow: str,
    locks: tuple[str, ...],
    edits: int,
    margin: float | None,
    seed: int,
    workers: Workers,
    out: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find the fewest edits that make the board of EDITION fair, prove them on fresh deals, and write the edited board
    into a new folder, with a page that says what to change and why.

    Points of tickets are moved first, then lengths, colors and doubles of routes. What `[targets]` in edition.toml or
    --lock names stays as it is. Exit code 1 when a target is still missed on fresh deals.

    \b
    ttr-sim balance my-map
    ttr-sim balance my-map --allow tickets --edits 3
    ttr-sim balance europe --lock long --lock "Brest–Petrograd"
    """
    from ttr_sim.balance.outcome import balance
    from ttr_sim.cli.balance_text import as_object, as_text
    from ttr_sim.report.balance_page import write_balance
    from ttr_sim.report.folder import REPORTS, changes_to, check_folder

    order = _order(edition, players, allow, locks, edits, margin, seed, out)
    page_folder, line = REPORTS / f"{order.out.name}-changes", typed()
    check_folder(page_folder, changes_to(order.edition.name), force)
    try:
        outcome = balance(order, workers, Progress(quiet), line)
    except KeyboardInterrupt:  # while playing, or while what was played is measured
        click.echo(f"Interrupted; what was played is kept in {order.work_folder}. Continue with: {line}", err=True)
        return INTERRUPTED
    page = write_balance(outcome, line, page_folder, force)
    click.echo(json.dumps(as_object(outcome), ensure_ascii=False) if as_json else f"{as_text(outcome)}\n\n{page}")
    return FINE if outcome.met else FINDINGS


def _order(
    edition: str,
    players: tuple[int, ...] | None,
    allow: str,
    locks: tuple[str, ...],
    edits: int,
    margin: float | None,
    seed: int,
    out: Path | None,
) -> Order:
    """Return what is asked for, checked before anything is played."""
    from ttr_sim.balance.outcome import Order, default_out, kinds_of
    from ttr_sim.balance.search import KINDS
    from ttr_sim.edition import load_edition
    from ttr_sim.run.plan import all_player_counts

    loaded = load_edition(edition)
    folder = out or default_out(edition)
    counts = players or all_player_counts(loaded)
    order = Order(loaded, counts, kinds_of(allow, KINDS), locks, edits, margin, seed, folder)
    order.check()
    return order
