"""Measure how often what `balance` proved fails a second proof, and how often a board that it made gets an edit.

Each repetition balances the edition with another seed, plays original and edited board on deals that neither search nor
proof has seen, and balances the edited board with yet another seed.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from ttr_sim.balance import search
from ttr_sim.balance.bench import STRONG, Bench, Sample, derived_seed
from ttr_sim.balance.outcome import BalanceOutcome, Order, balance
from ttr_sim.edition import load_edition
from ttr_sim.run.backends import ThisMachine
from ttr_sim.run.control import Silence
from ttr_sim.run.plan import all_player_counts


@dataclass(frozen=True, slots=True)
class Repetition:
    edits: int
    missed: tuple[int, int]  # targets on fresh deals, before and after
    proven: int
    failed: int  # of those, in a second proof
    edits_again: int  # that the edited board got


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--edition", default="amsterdam")
    parser.add_argument("--players", type=int, nargs="*", help="player counts; by default all")
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--games", type=int, default=search.GAMES, help="of each player count and board")
    options = parser.parse_args()
    search.GAMES = options.games
    print("seed  edits  missed before  after  proven  failed again  edits of the edited board", flush=True)
    done = []
    for seed in range(1, options.repetitions + 1):
        done.append(found := repetition(options.edition, options.players, seed, options.jobs))
        before, after = found.missed
        shown = f"{seed:4}  {found.edits:5}  {before:13}  {after:5}  {found.proven:6}  {found.failed:12}"
        print(f"{shown}  {found.edits_again:25}", flush=True)
    proven, failed = sum(found.proven for found in done), sum(found.failed for found in done)
    untouched = sum(found.edits_again == 0 for found in done)
    print(f"{failed} of {proven} proven targets failed a second proof")
    print(f"{untouched} of {len(done)} edited boards got no edit")


def repetition(name: str, players: list[int] | None, seed: int, jobs: int) -> Repetition:
    with tempfile.TemporaryDirectory() as home:
        edition = load_edition(name)
        counts = tuple(players or all_player_counts(edition))
        kinds = frozenset(search.KINDS)
        order = Order(edition, counts, kinds, (), 8, None, seed, Path(home) / "edited")
        outcome = balance(order, ThisMachine(jobs), Silence(), "scripts/prove-balance")
        proven, failed = second_proof(outcome, Path(home) / "again", jobs)
        again = 0
        if outcome.out:
            twice = replace(order, edition=load_edition(outcome.out), seed=seed + 1_000, out=Path(home) / "twice")
            again = len(balance(twice, ThisMachine(jobs), Silence(), "scripts/prove-balance").edits)
        missed = len(outcome.proof.before.missed), len(outcome.proof.missed)
        return Repetition(len(outcome.edits), missed, proven, failed, again)


def second_proof(outcome: BalanceOutcome, home: Path, jobs: int) -> tuple[int, int]:
    """Return how many targets the edits met on fresh deals, and how many of those are missed on others."""
    order, proof = outcome.order, outcome.proof
    bench = Bench(
        order.edition, order.wanted, order.players, home, ThisMachine(jobs), Silence(), "scripts/prove-balance"
    )
    sample = Sample(proof.sample.games, derived_seed(order.seed, "a second proof"), STRONG)
    again = bench.board(outcome.edits, sample, "").by_key()
    met = [pair.after.key for pair in proof.pairs if pair.after.met]
    return len(met), sum(again[key].met is False for key in met if key in again)


if __name__ == "__main__":
    main()
