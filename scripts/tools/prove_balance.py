"""Measure how often targets proved by `balance` fail a second proof, and how often its boards get an edit again.

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
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from unittest.mock import patch

from ttr_sim.analysis.targets import MET, MISSED, TICKET
from ttr_sim.balance import search
from ttr_sim.balance.edits import edited, points_edit
from ttr_sim.balance.evaluate import STRONG_BOTS, Evaluator, Sample, derived_seed
from ttr_sim.balance.outcome import BalanceOutcome, Order, balance
from ttr_sim.cli.output import Progress
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.run.plan import all_player_counts
from ttr_sim.run.workers import ThisMachine

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
    done = []
    with no_styles, no_spot_check:  # neither decides anything: no edit is made for styles
        headings = [heading.name.replace("_", " ") for heading in fields(Repetition)]
        print("| " + " | ".join(headings) + " |\n" + "|---" * len(headings) + "|", flush=True)
        for found in repetitions(options):
            print("| " + " | ".join(map(str, astuple(found))) + " |", flush=True)
            done.append(found)
    proven, failed = sum(found.proven for found in done), sum(found.failed for found in done)
    tickets, failed_tickets = sum(found.proven_tickets for found in done), sum(found.failed_tickets for found in done)
    fair = [found for found in done if not found.missed_after]
    print(f"\n{failed} of {proven} proven targets failed a second proof.")
    print(f"{failed_tickets} of {tickets} proven tickets failed a second proof.")
    print(f"{sum(found.edits_again == 0 for found in fair)} of {len(fair)} boards that balance made fair got no edit.")
    return int(failed > MOST_FAILED * proven)


def repetitions(options: argparse.Namespace) -> Iterator[Repetition]:
    """Yield the results that the file has, and play the others."""
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


def repetition(options: argparse.Namespace, seed: int) -> Repetition:
    with tempfile.TemporaryDirectory() as folder:
        home, workers = Path(folder), ThisMachine(options.jobs)
        edition = spoiled(load_edition(options.edition), seed, options.spoil, home / "spoiled")
        counts = tuple(options.players or all_player_counts(edition))
        order = Order(edition, counts, frozenset(search.KINDS), (), 8, options.margin, seed, home / "edited")
        outcome = balance(order, workers, Progress(quiet=True), COMMAND)
        proven, failed = second_proof(outcome, home / "again", options.jobs)
        made = replace(order, edition=load_edition(outcome.out) if outcome.out else edition)
        again = balance(replace(made, seed=seed + 1_000, out=home / "twice"), workers, Progress(quiet=True), COMMAND)
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
    """Measures of the targets met on fresh deals, and of the ones missed on others."""
    order, proof = outcome.order, outcome.proof
    table = Evaluator(
        order.edition, order.wanted, order.players, home, ThisMachine(jobs), Progress(quiet=True), COMMAND
    )
    sample = Sample(proof.sample.games, derived_seed(order.seed, "a second proof"), STRONG_BOTS)
    again = {target.key: target for target in table.evaluate(outcome.edits, sample, "").targets}
    met = [pair.after for pair in proof.pairs if pair.after.state == MET]
    failed = [target for target in met if target.key in again and again[target.key].state == MISSED]
    return [target.measure for target in met], [target.measure for target in failed]


if __name__ == "__main__":
    sys.exit(main())
