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
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ttr_sim.balance import search, spot_check
from ttr_sim.balance.bench import STRONG, Bench, Sample, derived_seed
from ttr_sim.balance.edits import Edit, edited, points
from ttr_sim.balance.outcome import BalanceOutcome, Order, balance
from ttr_sim.balance.targets import TICKET
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.run.backends import ThisMachine
from ttr_sim.run.control import Silence
from ttr_sim.run.plan import all_player_counts

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
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--games", type=int, help="of each player count and board; by default as balance chooses")
    parser.add_argument("--results", type=Path, help="a file to go on from, a line for each repetition")
    options = parser.parse_args()
    if options.games:
        search.GAMES = search.MOST_GAMES = options.games
    spot_check.GAMES = 0  # decides nothing here
    print("| " + " | ".join(HEADINGS.values()) + " |\n" + "|---" * len(HEADINGS) + "|", flush=True)
    done = []
    for found in repetitions(options):
        done.append(found)
        print("| " + " | ".join(str(getattr(found, name)) for name in HEADINGS) + " |", flush=True)
    print("\n" + "\n".join(summary(done)))
    return int(sum(found.failed for found in done) > MOST_FAILED * sum(found.proven for found in done))


def repetitions(options: argparse.Namespace) -> Iterator[Repetition]:
    """Yield what is in the file of results, then what is still to be played."""
    known = options.results.read_text("utf-8").splitlines() if options.results and options.results.exists() else []
    for seed in range(1, options.repetitions + 1):
        if seed <= len(known):
            yield Repetition(**json.loads(known[seed - 1]))
            continue
        found = repetition(options.edition, options.players, seed, options.jobs, options.spoil)
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
    untouched = sum(found.edits_again == 0 for found in done)
    yield f"{untouched} of {len(done)} boards that balance made got no edit."


def repetition(name: str, players: list[int] | None, seed: int, jobs: int, spoil: int) -> Repetition:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        edition = spoiled(load_edition(name), seed, spoil, home / "spoiled")
        counts = tuple(players or all_player_counts(edition))
        order = Order(edition, counts, frozenset(search.KINDS), (), 8, None, seed, home / "edited")
        outcome = balance(order, ThisMachine(jobs), Silence(), COMMAND)
        proven, failed = second_proof(outcome, home / "again", jobs)
        again: tuple[Edit, ...] = ()
        if outcome.out:
            twice = replace(order, edition=load_edition(outcome.out), seed=seed + 1_000, out=home / "twice")
            again = balance(twice, ThisMachine(jobs), Silence(), COMMAND).edits
        missed = len(outcome.proof.before.missed), len(outcome.proof.missed)
        return Repetition(seed, len(outcome.edits), *missed, *_interleaved(proven, failed), len(again))


def spoiled(edition: Edition, seed: int, tickets: int, folder: Path) -> Edition:
    """Move the points of some tickets up or down, but not below 1."""
    chance = random.Random(seed)
    rows = chance.sample(range(len(edition.tickets)), 0 if edition.is_race else tickets)
    moved = {row: edition.tickets[row].points + chance.choice((-STEP, STEP)) for row in rows}
    edits = [points(row, value if value >= 1 else edition.tickets[row].points + STEP) for row, value in moved.items()]
    return edited(edition, edits, folder) if edits else edition


def second_proof(outcome: BalanceOutcome, home: Path, jobs: int) -> tuple[list[str], list[str]]:
    """Return the measures of the targets that the edits met on fresh deals, and of those that are missed on others."""
    order, proof = outcome.order, outcome.proof
    bench = Bench(order.edition, order.wanted, order.players, home, ThisMachine(jobs), Silence(), COMMAND)
    sample = Sample(proof.sample.games, derived_seed(order.seed, "a second proof"), STRONG)
    again = bench.board_with_styles(outcome.edits, sample, "").by_key()
    met = [pair.after for pair in proof.pairs if pair.after.met and pair.after.limit != (None, None)]
    failed = [target for target in met if target.key in again and again[target.key].met is False]
    return [target.measure for target in met], [target.measure for target in failed]


def _interleaved(proven: list[str], failed: list[str]) -> tuple[int, int, int, int]:
    """Return how many are proven and failed, of all and of tickets."""
    return len(proven), len(failed), proven.count(TICKET), failed.count(TICKET)


if __name__ == "__main__":
    sys.exit(main())
