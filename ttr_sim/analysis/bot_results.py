"""Results of the bots of one run: the few numbers that `run` prints at its end, read without loading pandas."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.parquet as pq

from ttr_sim.analysis.jackknife import GROUPS, ratio

if TYPE_CHECKING:
    from ttr_sim.run.read import Run


@dataclass(frozen=True, slots=True)
class BotResult:
    """Means over the seats a bot held. None means "no estimate" (too few blocks, or never drawn)."""

    bot: str
    place: int  # position in `--bots`, of the first of its name; a key of `run --json`
    seats: int
    win_share: float | None
    low: float | None
    high: float | None
    score: float | None


@dataclass(frozen=True, slots=True)
class RunOutcome:
    bots: tuple[BotResult, ...]
    stalled: int
    capped: int


def outcome(run: Run) -> RunOutcome:
    """Sum up a finished run, part by part to save memory."""
    names = list(dict.fromkeys(run.plan.bots))
    held, wins, scores = np.zeros((3, GROUPS * len(names)))
    ends: Counter[str] = Counter()
    for games_file, seats_file in zip(run.files("games"), run.files("seats"), strict=True):
        games = pq.read_table(games_file, columns=["block", "end"])
        ends.update(games["end"].to_pylist())
        seats = pq.read_table(seats_file, columns=["bot", "win_share", "score"])
        group = np.repeat(games["block"].to_numpy() % GROUPS, run.plan.players)  # seats stand game by game
        bots = seats["bot"].combine_chunks()
        numbers = np.array([names.index(name) for name in bots.dictionary.to_pylist()])
        key = group * len(names) + numbers[bots.indices.to_numpy()]
        held += np.bincount(key, minlength=held.size)
        wins += np.bincount(key, seats["win_share"].to_numpy(), held.size)
        scores += np.bincount(key, seats["score"].to_numpy(), held.size)
    by_group = (GROUPS, len(names))
    share = ratio(wins.reshape(by_group), held.reshape(by_group))
    low, high = share.bounded_interval(run.record.size.blocks)
    score = ratio(scores.reshape(by_group), held.reshape(by_group)).value
    results = []
    for number, name in enumerate(names):
        estimates = (float(numbers[number]) for numbers in (share.value, low, high, score))
        known = [None if np.isnan(estimate) else estimate for estimate in estimates]
        seats_held = int(held.reshape(by_group)[:, number].sum())
        results.append(BotResult(name, run.plan.bots.index(name), seats_held, *known))
    return RunOutcome(tuple(results), ends["stalled"], ends["capped"])
