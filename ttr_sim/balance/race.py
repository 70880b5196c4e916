"""Candidates side by side on the same deals: losers drop out early, by a bound that stays valid however often one
looks, and those that are left play twice as many deals."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from scipy import special

from ttr_sim.analysis.jackknife import Estimate
from ttr_sim.analysis.thresholds import ALPHA
from ttr_sim.balance.bench import Bench, Sample
from ttr_sim.balance.edits import Edit, words
from ttr_sim.balance.measure import MeasuredBoard, estimates, gain

LOOKS = (8, 4, 2)  # parts of the sample's games


@dataclass(frozen=True, slots=True)
class Contender:
    """A candidate still in the race, and what it surely gains: how much less all targets are beyond their limits."""

    edit: Edit
    value: float
    low: float
    high: float


def race(bench: Bench, board: MeasuredBoard, candidates: Collection[Edit], sample: Sample) -> Edit | None:
    """Return the candidate that brings the board nearest to its limits, all in all, if one surely does."""
    left = list(candidates)
    lanes: list[Contender] = []
    for look, part in enumerate(LOOKS, start=1):
        smaller = Sample(sample.games // part, sample.seed, sample.bots)
        before = estimates(
            bench.play(board.edits, smaller, f"race, look {look} of {len(LOOKS)}: the board as it is so far"),
            board.targets,
        )
        lanes = []
        for edit in left:
            runs = bench.play((*board.edits, edit), smaller, f"race: {words(bench.original, edit)}")
            gained = gain(before, estimates(runs, board.targets), board.targets)
            lanes.append(_lane(edit, gained, spent(look, len(candidates))))
        best = max((lane.low for lane in lanes), default=0.0)
        left = [lane.edit for lane in lanes if lane.high > max(best, 0.0)]
        if not left:
            return None
    winner = max((lane for lane in lanes if lane.edit in left), key=lambda lane: (lane.value, lane.edit))
    return winner.edit if winner.low > 0 else None


def spent(look: int, candidates: int) -> float:
    """Return the chance of a mistake that one look at one candidate may have; all looks there could be make ALPHA."""
    return ALPHA / (look * (look + 1)) / candidates


def _lane(edit: Edit, gained: Estimate, chance: float) -> Contender:
    value, error = float(gained.value[0]), float(gained.error[0])
    half = float(-special.ndtri(chance / 2)) * error
    return Contender(edit, value, value - half, value + half)
