"""`ttr-sim balance`: find the fewest edits that make a board fair, and prove them on fresh deals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, FINE, INTERRUPTED
from ttr_sim.cli.output import Progress, bullet, counted, print_json
from ttr_sim.edition.model import LEAST_MARGIN, MOST_MARGIN
from ttr_sim.errors import typed

if TYPE_CHECKING:
    from ttr_sim.balance.outcome import BalanceOutcome
    from ttr_sim.run.workers import Workers

ALL_KINDS = "tickets,lengths,colors,doubles"
DEFAULT_EDITS = 8
MAX_EDITS = 50


@options.command(short_help="Find the fewest edits that make a board fair, and prove them.")
@options.edition
@options.player_counts
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
    type=click.IntRange(1, MAX_EDITS),
    metavar="K",
    default=DEFAULT_EDITS,
    show_default=True,
    help="Most edits.",
)
@click.option(
    "--margin",
    type=click.FloatRange(LEAST_MARGIN, MOST_MARGIN),
    metavar="PP",
    help="Wins in 100 that a ticket may give or cost beyond tickets as long.  [default: the edition's targets, else 5]",
)
@options.seed
@options.workers
@options.out("Folder for the edited edition.  [default: <edition>-balanced, beside the original]", metavar="FOLDER")
@options.force
@options.json
@options.quiet
def balance_command(
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
    from ttr_sim.balance.outcome import Order, balance, default_out, kinds_of
    from ttr_sim.edition import load_edition
    from ttr_sim.report.balance_page import write_balance
    from ttr_sim.report.folder import REPORTS, changes_to, check_folder
    from ttr_sim.run.plan import all_player_counts

    loaded = load_edition(edition)
    counts, folder = players or all_player_counts(loaded), out or default_out(edition)
    order = Order(loaded, counts, kinds_of(allow), locks, edits, margin, seed, folder)
    order.check()  # a search takes minutes, so locks and folders are refused before it
    page_folder, line = REPORTS / f"{order.out.name}-changes", typed()
    check_folder(page_folder, changes_to(order.edition.name), force)
    try:
        outcome = balance(order, workers, Progress(quiet), line)
    except KeyboardInterrupt:  # while playing, or while the games are measured
        click.echo(f"Interrupted; what was played is kept in {order.work_folder}. Continue with: {line}", err=True)
        return INTERRUPTED
    page = write_balance(outcome, line, page_folder, force)
    if as_json:
        print_json(as_object(outcome))
    else:
        click.echo("\n".join([*as_lines(outcome), "", str(page)]))
    return FINE if outcome.met else FINDINGS


def as_object(outcome: BalanceOutcome) -> dict[str, Any]:
    from ttr_sim.balance.edits import as_rows

    order, proof = outcome.order, outcome.proof
    targets = []
    for pair in proof.pairs:
        after = pair.after
        before = None if pair.before is None else pair.before.value
        target = {"name": after.name, "players": after.players, "before": before, "after": after.value}
        low, high = after.interval
        states = {"state_before": pair.before and pair.before.state, "state_after": after.state}
        targets.append({**target, "low": low, "high": high, "limit": list(after.limit), **states})
    path = [
        {"edits": len(board.edits), "worst": round(board.worst, 4), "missed": len(board.missed)}
        for board in outcome.found.path
    ]
    return {
        "edition": order.edition.name,
        "out": None if outcome.out is None else str(outcome.out),
        "margin": order.wanted.margin,
        "met": outcome.met,
        "edits": as_rows(order.edition, outcome.edits),
        "path": path,
        "targets": targets,
        "proof": {"seed": proof.sample.seed, "games": sum(run.finished_games for run in proof.after.runs)},
        "unmended": [{"name": left.name, "why": left.why} for left in outcome.unfixed],
    }


def as_lines(outcome: BalanceOutcome) -> Iterator[str]:
    from ttr_sim.balance.edits import describe_edit

    edition, proof = outcome.order.edition, outcome.proof
    if outcome.edits:
        yield f"{edition.title}: {counted(len(outcome.edits), 'edit')}, written to {outcome.out}"
        yield from (bullet(describe_edit(edition, edit)) for edit in outcome.edits)
    else:
        yield f"{edition.title}: nothing to change."
    games = sum(run.finished_games for run in proof.after.runs)
    before, after = len(proof.before.missed), len(proof.missed)
    yield ""
    yield f"On {games:,} games with fresh deals: {counted(after, 'target')} missed, {before} before."
    yield from (bullet(f"{left.name}: {left.why}") for left in outcome.unfixed)
    if proof.spot_check:
        yield ""
        yield proof.spot_check.sentence
    if len(outcome.found.path) > 2:
        yield ""
        yield "The path, on the deals of the search:"
        for board in outcome.found.path:
            beyond = f", the worst {board.worst * 100:.0f} % beyond its limit" if board.missed else ""
            yield bullet(f"{counted(len(board.edits), 'edit')}: {counted(len(board.missed), 'target')} missed{beyond}")
