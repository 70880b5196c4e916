"""Measure whether verdicts last: states of few games against states of many, and remedies replayed on other deals.

It ends with 1 when a state changed that few games had called sure, to numbers that their interval excludes, or when
a remedy fails. A sure state that becomes open while both intervals overlap is chance, and is listed.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ttr_sim.analysis.targets import MISSED, OPEN, Target
from ttr_sim.analysis.tickets import yardstick_of
from ttr_sim.balance.edits import points_edit
from ttr_sim.balance.evaluate import Evaluator, MeasuredBoard, Sample, derived_seed
from ttr_sim.balance.remedies import GAMES, Remedies, RemedyFinder
from ttr_sim.cli import options
from ttr_sim.cli.output import Progress
from ttr_sim.edition import load_edition
from ttr_sim.run.plan import all_player_counts
from ttr_sim.run.workers import Workers

COMMAND = "scripts/prove-verdict"


@click.command(help=__doc__)
@click.argument("boards", nargs=-1, required=True)
@click.option("--few", default=2_000, show_default=True, help="Games at each player count.")
@click.option("--many", default=20_000, show_default=True)
@options.seed
@options.workers
def main(boards: tuple[str, ...], few: int, many: int, seed: int, workers: Workers) -> None:
    failed = 0
    for name in boards:
        with tempfile.TemporaryDirectory() as folder:
            edition = load_edition(name)
            counts = tuple(all_player_counts(edition))
            silent = Progress(quiet=True)
            board = Evaluator(edition, edition.targets, counts, Path(folder), workers, silent, COMMAND)
            small = board.evaluate((), Sample(few, seed), "few games", with_styles=True)
            large = board.evaluate((), Sample(many, seed), "many games", with_styles=True)
            click.echo(f"{edition.title}: {few:,} and {many:,} games with each of {counts} players, seed {seed}")
            failed += _print_states(small, large)
            board.yardstick = yardstick_of(edition, large.ticket_value)
            remedies = RemedyFinder(board, large.targets, seed).find()
            failed += _print_remedies(board, remedies, Sample(GAMES, derived_seed(seed, "other deals")))
    sys.exit(int(failed > 0))


def _print_states(small: MeasuredBoard, large: MeasuredBoard) -> int:
    """Print how states change with more games, giving the number of those that should not have."""
    later = {target.key: target for target in large.targets}
    pairs = [(target, later[target.key]) for target in small.targets if target.key in later]
    changes = Counter(f"{old.state} to {new.state}" for old, new in pairs if old.state != new.state)
    changed = [(old, new) for old, new in pairs if old.state != new.state and not may_change(old)]
    surprises = [(old, new) for old, new in changed if new.low > old.high or new.high < old.low]
    click.echo(f"  {len(pairs)} targets: " + (", ".join(f"{n} {name}" for name, n in changes.items()) or "no change"))
    for old, new in changed:
        sign = "✗" if (old, new) in surprises else "~"
        name = f"{old.name} {old.measure} {old.players}"
        click.echo(f"  {sign} {name}: {old.state} {_numbers(old)}, then {_numbers(new)}")
    return len(surprises)


def may_change(target: Target) -> bool:
    """Whether the interval holds a limit, or is too wide to call a target met that lies within."""
    holds = any(target.low <= end <= target.high for end in target.limit if end is not None)
    return holds or math.isnan(target.low) or (target.state == OPEN and not target.beyond)


def _print_remedies(board: Evaluator, remedies: Remedies, sample: Sample) -> int:
    """Replay each remedy on other deals, and all together, giving the number of failures."""
    helpful = {remedy.ticket: remedy.points for remedy in remedies.each if remedy.points is not None}
    printed = board.evaluate((), sample, "the board as it is").targets if helpful else ()
    within = {target.key for target in printed if not target.beyond}
    failed = 0
    for points in _replays(helpful, remedies.hold_together):
        edits = [points_edit(ticket, value) for ticket, value in points.items()]
        after = board.evaluate(edits, sample, "a remedy")
        excess = [after.ticket_values[ticket] for ticket in points]
        new = [target for target in after.missed if target.key in within]
        # One remedy must come within the margin. Of many at once, some lie beyond it by chance.
        limit = board.wanted.margin / 100 if len(points) == 1 else math.inf
        is_within = all(abs(value) <= limit for value in excess) and not points.keys() & after.missed_tickets.keys()
        failed += int(new != [] or not is_within)
        names = ", ".join(f"{_name(board, ticket)} {value}" for ticket, value in points.items())
        shown = ", ".join(f"{100 * value:+.1f}" for value in excess)
        click.echo(f"  {'✓' if is_within and not new else '✗'} {names}: {shown}{_spoiled(new)}")
    without = sum(remedy.points is None for remedy in remedies.each)
    click.echo(f"  {len(helpful)} remedies, {without} tickets that no points mend, {failed} failures")
    return failed


def _replays(helpful: dict[int, int], together: bool) -> Iterator[dict[int, int]]:
    for ticket, points in helpful.items():
        yield {ticket: points}
    if together and len(helpful) > 1:
        yield helpful


def _name(board: Evaluator, ticket: int) -> str:
    return f"{board.original.tickets[ticket].a}–{board.original.tickets[ticket].b}"


def _numbers(target: Target) -> str:
    return f"{100 * target.value:.1f} ({100 * target.low:.1f} to {100 * target.high:.1f})"


def _spoiled(new: Sequence[Target]) -> str:
    return f"; newly {MISSED}: " + ", ".join(target.name for target in new) if new else ""


if __name__ == "__main__":
    main(prog_name=COMMAND)
