"""Measure how often what `balance` proved fails a second proof, and how often a board that it made gets an edit.

Each repetition spoils the points of some tickets, balances the board with a seed of its own, plays the edited board on
deals that neither search nor proof has seen, and balances it again with yet another seed. With --results, a call goes
on after the repetitions that are in the file. It ends with 1 when more proven targets fail than may.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from unittest.mock import patch

from ttr_sim.analysis.targets import MET, MISSED, TICKET
from ttr_sim.balance import search
from ttr_sim.balance.edits import edited, points_edit
from ttr_sim.balance.evaluate import STRONG_BOTS, Evaluator, Sample, derived_seed
from ttr_sim.balance.outcome import BalanceOutcome, Order, balance
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.run.plan import all_player_counts
from ttr_sim.run.workers import SilentListener, ThisMachine

COMMAND = "scripts/prove-balance"
STEP = 6  # points that a spoiled ticket gains or loses
MOST_FAILED = 0.05  # of the proven targets


@dataclass(frozen=True, slots=True)
class Repetition:
    seed: int
    edits: int
    missed_before: int  # targets on fresh deals
    missed_after: int
    proven: int  # targets that the edited board met; seats, which have no limit, are not counted
    failed: int  # of those, in a second proof
    proven_tickets: int
    failed_tickets: int
    edits_again: int  # that the edited board got


HEADINGS = {
    "seed": "seed",
    "edits": "edits",
    "missed_before": "missed before",
    "missed_after": "after",
    "proven": "proven",
    "failed": "failed again",
    "proven_tickets": "tickets proven",
    "failed_tickets": "failed again",
    "edits_again": "edits of the edited board",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--edition", default="amsterdam")
    parser.add_argument("--players", type=int, nargs="*", help="player counts; by default all")
    parser.add_argument("--spoil", type=int, default=3, help=f"tickets moved by {STEP} points, by the seed")
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="seed of the first repetition")
    parser.add_argument("--margin", type=float, help="as in balance")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--games", type=int, help="of each player count and board; by default as balance chooses")
    parser.add_argument("--results", type=Path, help="a file to go on from, a line for each repetition")
    options = parser.parse_args()
    if options.games:
        search.GAMES = search.MOST_GAMES = options.games
    no_styles = patch.object(Evaluator, "play_styles", return_value=())
    no_spot_check = patch("ttr_sim.balance.outcome.spot_check", return_value=None)
    with no_styles, no_spot_check:  # neither decides anything: no edit is made for styles
        done = list(printed(repetitions(options)))
    print("\n" + "\n".join(summary(done)))
    return int(sum(found.failed for found in done) > MOST_FAILED * sum(found.proven for found in done))


def printed(found: Iterable[Repetition]) -> Iterator[Repetition]:
    """Print each as a row of a table, as soon as it is done."""
    print("| " + " | ".join(HEADINGS.values()) + " |\n" + "|---" * len(HEADINGS) + "|", flush=True)
    for each in found:
        print("| " + " | ".join(str(getattr(each, name)) for name in HEADINGS) + " |", flush=True)
        yield each


def repetitions(options: argparse.Namespace) -> Iterator[Repetition]:
    """Yield what is in the file of results, and play what is not."""
    lines = options.results.read_text("utf-8").splitlines() if options.results and options.results.exists() else []
    known = {found.seed: found for found in (Repetition(**json.loads(line)) for line in lines)}
    for seed in range(options.first, options.first + options.repetitions):
        if seed in known:
            yield known[seed]
            continue
        found = repetition(options, seed)
        if options.results:
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(found)) + "\n")
        yield found


def summary(done: list[Repetition]) -> Iterator[str]:
    for words, proven, failed in (
        ("targets", sum(found.proven for found in done), sum(found.failed for found in done)),
        ("tickets", sum(found.proven_tickets for found in done), sum(found.failed_tickets for found in done)),
    ):
        yield f"{failed} of {proven} proven {words} failed a second proof."
    fair = [found for found in done if not found.missed_after]
    yield f"{sum(found.edits_again == 0 for found in fair)} of {len(fair)} boards that balance made fair got no edit."


def repetition(options: argparse.Namespace, seed: int) -> Repetition:
    with tempfile.TemporaryDirectory() as folder:
        home, workers = Path(folder), ThisMachine(options.jobs)
        edition = spoiled(load_edition(options.edition), seed, options.spoil, home / "spoiled")
        counts = tuple(options.players or all_player_counts(edition))
        order = Order(edition, counts, frozenset(search.KINDS), (), 8, options.margin, seed, home / "edited")
        outcome = balance(order, workers, SilentListener(), COMMAND)
        proven, failed = second_proof(outcome, home / "again", options.jobs)
        made = replace(order, edition=load_edition(outcome.out) if outcome.out else edition)
        again = balance(replace(made, seed=seed + 1_000, out=home / "twice"), workers, SilentListener(), COMMAND)
        return Repetition(
            seed,
            len(outcome.edits),
            len(outcome.proof.before.missed),
            len(outcome.proof.missed),
            len(proven),
            len(failed),
            proven.count(TICKET),
            failed.count(TICKET),
            len(again.edits),
        )


def spoiled(edition: Edition, seed: int, tickets: int, folder: Path) -> Edition:
    """Move the points of some tickets up or down, but not below 1."""
    chance = random.Random(seed)
    rows = chance.sample(range(len(edition.tickets)), 0 if edition.is_race else tickets)
    moved = {row: edition.tickets[row].points + chance.choice((-STEP, STEP)) for row in rows}
    moved = {row: value if value >= 1 else edition.tickets[row].points + STEP for row, value in moved.items()}
    edits = [points_edit(row, value) for row, value in moved.items()]
    return edited(edition, edits, folder) if edits else edition


def second_proof(outcome: BalanceOutcome, home: Path, jobs: int) -> tuple[list[str], list[str]]:
    """Return the measures of the targets that the edits met on fresh deals, and of those that are missed on others."""
    order, proof = outcome.order, outcome.proof
    table = Evaluator(order.edition, order.wanted, order.players, home, ThisMachine(jobs), SilentListener(), COMMAND)
    sample = Sample(proof.sample.games, derived_seed(order.seed, "a second proof"), STRONG_BOTS)
    again = {target.key: target for target in table.evaluate(outcome.edits, sample, "").targets}
    met = [pair.after for pair in proof.pairs if pair.after.state == MET]
    failed = [target for target in met if target.key in again and again[target.key].state == MISSED]
    return [target.measure for target in met], [target.measure for target in failed]


if __name__ == "__main__":
    sys.exit(main())
