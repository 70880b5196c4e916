"""`ttr-sim balance`: find the fewest edits that make a board fair, and prove them on fresh deals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.analysis.text import decimal, listed
from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, FINE, continued_by
from ttr_sim.cli.output import Progress, aligned, counted, next_step, paragraph, print_json, print_lines, symbol
from ttr_sim.edition import as_typed, load_edition
from ttr_sim.edition.model import LEAST_MARGIN, MOST_MARGIN
from ttr_sim.errors import command_line, typed
from ttr_sim.report.folder import REPORTS, changes_to, check_folder
from ttr_sim.run.plan import all_player_counts

if TYPE_CHECKING:
    from ttr_sim.balance.edits import Edit
    from ttr_sim.balance.outcome import BalanceOutcome
    from ttr_sim.run.workers import Workers

ALL_KINDS = "tickets,lengths,colors,doubles"
MAX_EDITS = 50
MAX_SHOWN = 8  # of what stays


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
    "--edits", type=click.IntRange(1, MAX_EDITS), metavar="K", default=8, show_default=True, help="Most edits."
)
@click.option(
    "--margin",
    type=click.FloatRange(LEAST_MARGIN, MOST_MARGIN),
    metavar="PP",
    help="Wins in 100 that a ticket may give or cost beyond tickets as long.  [default: the edition's targets, else 5]",
)
@options.seed
@options.workers
@options.report_out(
    metavar="FOLDER", help="Folder for the edited edition.  [default: <edition>-balanced, beside the original]"
)
@options.force
@options.json
@options.quiet
def balance_command(
    edition: str, out: Path | None, workers: Workers, force: bool, as_json: bool, progress: Progress, **values: Any
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
    from ttr_sim.report.balance_page import write_balance

    loaded = load_edition(edition)
    counts, kinds = values["players"] or all_player_counts(loaded), kinds_of(values["allow"])
    locks, edits, margin, seed = (values[name] for name in ("locks", "edits", "margin", "seed"))
    order = Order(loaded, counts, kinds, locks, edits, margin, seed, out or default_out(edition))
    order.check()  # a search takes minutes, so locks and folders are refused before it
    page_folder, line = REPORTS / f"{order.out.name}-changes", typed()
    check_folder(page_folder, changes_to(order.edition.name), force)
    with continued_by(f"Interrupted; what was played is kept in {order.work_folder}. Continue with: {line}"):
        outcome = balance(order, workers, progress, line)
    page = write_balance(outcome, line, page_folder, force)
    if as_json:
        print_json(as_object(outcome))
    else:
        print_lines(as_lines(outcome, page))
    return FINE if outcome.met else FINDINGS


def as_object(outcome: BalanceOutcome) -> dict[str, Any]:
    from ttr_sim.balance.edits import as_rows

    order, proof = outcome.order, outcome.proof
    targets, path = [], []
    for pair in proof.pairs:
        before, after = pair.before, pair.after
        low, high = after.interval
        target = {"name": after.name, "players": after.players, "before": before.value if before else None}
        target |= {"after": after.value, "low": low, "high": high, "limit": list(after.limit)}
        targets.append(target | {"state_before": before and before.state, "state_after": after.state})
    for board in outcome.found.path:
        path.append({"edits": len(board.edits), "worst": round(board.worst, 4), "missed": len(board.missed)})
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


def as_lines(outcome: BalanceOutcome, page: Path) -> Iterator[str]:
    """Yield the result, the changes, missed targets that stay, and the next commands."""
    from ttr_sim.analysis.verdict import describe
    from ttr_sim.balance.edits import name_and_change

    edition, proof, edits = outcome.order.edition, outcome.proof, outcome.edits
    games = sum(run.finished_games for run in proof.after.runs)
    before, after = len(proof.before.missed), len(proof.missed)
    players = listed(map(str, outcome.order.players))
    deals = " with fresh deals" if edits else ""
    yield f"{edition.title} · balance with {players} players · {games:,} games{deals}"
    yield ""
    with_edits = f"with {counted(len(edits), 'edit')}"
    if edits and not after:
        yield f"  {symbol('met')} no target is missed {with_edits}, {before} before"
    elif edits:
        yield f"  {symbol('missed')} {counted(after, 'target')} still missed {with_edits}, {before} before"
    elif after:
        it = "it" if after == 1 else "one"
        yield f"  {symbol('missed')} {counted(after, 'target')} missed, and no edit fixes {it}"
    else:
        yield f"  {symbol('met')} no target is surely missed: nothing to change"
    if edits:
        rows = [(*name_and_change(edition, edit), effect_of(outcome, edit)) for edit in edits]
        yield "\n  CHANGES"
        for line in aligned(("", "", ""), rows).splitlines()[1:]:
            yield f"    {line}"
    if outcome.unfixed:
        yield "\n  STAYS"
    for left in outcome.unfixed[:MAX_SHOWN]:
        state = symbol("open" if left.target is None else str(left.target.state))
        name = left.name if left.target is None else describe(edition, left.target)
        yield f"  {state} {paragraph(f'{name}: {left.why}', '    ', '      ').lstrip()}"
    if len(outcome.unfixed) > MAX_SHOWN:
        yield f"    and {len(outcome.unfixed) - MAX_SHOWN} more, on the page"
    yield ""
    if outcome.out is not None:
        yield next_step("NEXT", command_line("study", outcome.out), "the verdict on the edited board")
        yield next_step("", command_line("compare", as_typed(edition), outcome.out), "all that the edits changed")
        yield next_step("", command_line("open", page.parent), "each target before and after")
    else:
        yield next_step("NEXT", command_line("open", page.parent), "each target, and what was asked")
    yield f"\n  {page.resolve().as_uri()}"


def effect_of(outcome: BalanceOutcome, edit: Edit) -> str:
    """Write the numbers that an edit moves, before and after."""
    from ttr_sim.analysis.targets import TICKET
    from ttr_sim.analysis.verdict import WHAT
    from ttr_sim.report.balance_page import moved_pair

    pair = moved_pair(outcome, edit)
    if pair is None or pair.before is None:
        return ""
    before, after = pair.before, pair.after
    plus = "+" if before.measure == TICKET else ""
    old, new = (decimal(target.value * 100, plus=plus) for target in (before, after))
    if before.measure == TICKET:
        return f"{old} → {new} wins per 100 games beyond tickets as long"
    return f"{WHAT[before.measure].format(f'{old} → {new}')} with {before.players} players"
