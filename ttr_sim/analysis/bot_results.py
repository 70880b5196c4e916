"""How the bots of one run fared: the few numbers that `run` prints at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ttr_sim.analysis.jackknife import GROUPS, ratio

if TYPE_CHECKING:
    from ttr_sim.run.opened import Run


@dataclass(frozen=True, slots=True)
class BotResult:
    """Means over the seats a bot held; None is "cannot be said" (too few blocks, or never drawn)."""

    bot: str
    place: int  # in `--bots`, the first of its name
    seats: int
    win_share: float | None
    low: float | None
    high: float | None
    score: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    bots: tuple[BotResult, ...]
    stalled: int
    capped: int


def outcome(run: Run) -> Outcome:
    """Of a finished run, by two passes over its small tables."""
    import duckdb

    games, seats = ([str(file) for file in run.files(table)] for table in ("games", "seats"))
    with duckdb.connect() as database:
        database.execute("SET threads = 1")  # sums of fractions in one order: the same to the last bit every time
        ends = dict(database.execute('SELECT "end", count(*) FROM read_parquet($1) GROUP BY 1', [games]).fetchall())
        sums = database.execute(
            f"""SELECT bot, block % {GROUPS}, count(*), sum(win_share), sum(score)
                FROM read_parquet($1) JOIN (SELECT game, block FROM read_parquet($2)) USING (game)
                GROUP BY 1, 2""",
            [seats, games],
        ).fetchall()
    return Outcome(_bot_results(run, sums), ends.get("stalled", 0), ends.get("capped", 0))


def _bot_results(run: Run, sums: Sequence[tuple[str, int, int, float, int]]) -> tuple[BotResult, ...]:
    names = list(dict.fromkeys(run.plan.bots))
    seats, wins, scores = (np.zeros((GROUPS, len(names))) for _ in range(3))
    for bot, group, held, won, scored in sums:
        key = group, names.index(bot)
        seats[key], wins[key], scores[key] = held, won, scored
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
