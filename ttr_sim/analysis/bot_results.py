"""Results of the bots of one run: the few numbers that `run` prints at its end, read without loading pandas."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

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
    """Sum up a finished run, part by part, so that memory does not grow with it."""
    names = list(dict.fromkeys(run.plan.bots))
    sums = np.zeros((3, GROUPS, len(names)))
    ends: Counter[str] = Counter()
    for games_file, seats_file in zip(run.files("games"), run.files("seats"), strict=True):
        games = pq.read_table(games_file, columns=["block", "end"])
        ends.update(games["end"].to_pylist())
        groups = np.repeat(games["block"].to_numpy() % GROUPS, run.plan.players)
        sums += _sums_by_group(pq.read_table(seats_file, columns=["bot", "win_share", "score"]), groups, names)
    return RunOutcome(_bot_results(run, names, sums), ends["stalled"], ends["capped"])


def _sums_by_group(seats: pa.Table, groups: NDArray[np.int64], names: list[str]) -> NDArray[np.float64]:
    """Seats held, win shares and scores by group of blocks and bot, of seats in the order of games."""
    bots = seats["bot"].combine_chunks()
    numbers = np.array([names.index(name) for name in bots.dictionary.to_pylist()])
    keys = groups * len(names) + numbers[bots.indices.to_numpy()]
    weights = (None, seats["win_share"].to_numpy(), seats["score"].to_numpy())
    size = GROUPS * len(names)
    return np.array([np.bincount(keys, weight, size).reshape(GROUPS, -1) for weight in weights])


def _bot_results(run: Run, names: list[str], sums: NDArray[np.float64]) -> tuple[BotResult, ...]:
    seats, wins, scores = sums
    share = ratio(wins, seats)
    low, high = share.share_interval(run.record.size.blocks)
    score = ratio(scores, seats).value
    return tuple(
        BotResult(
            name,
            run.plan.bots.index(name),
            int(seats[:, key].sum()),
            *(_or_none(numbers[key]) for numbers in (share.value, low, high, score)),
        )
        for key, name in enumerate(names)
    )


def _or_none(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
