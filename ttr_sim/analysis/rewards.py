"""What does the board reward? A change of taste, or a simple style, in one seat among strong players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from ttr_sim.analysis.jackknife import holm
from ttr_sim.analysis.rows import Rows
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, Sums, every, stack, tally
from ttr_sim.analysis.tables import REWARDS_TABLE
from ttr_sim.analysis.thresholds import ALPHA, REWARD_MARGIN
from ttr_sim.edition.model import Edition
from ttr_sim.run.fields import variants
from ttr_sim.run.opened import Run


def by_bot(rows: Rows) -> Sums:
    seats = rows.seats
    return tally(every(bot=rows.bots), seats.grp, seats["bot"], n=None, wins=seats["win_share"])


def sources_of_lineups(runs: Sequence[Run]) -> tuple[Source, ...]:
    """Return one source per player count and bot in the first place of the lineup."""
    games: dict[tuple[int, str], list[Run]] = {}
    for run in runs:
        if run.finished_games:
            games.setdefault((run.plan.players, run.plan.bots[0]), []).append(run)
    return tuple(Source(games[key]) for key in sorted(games))


def rewards(runs: Sequence[Run]) -> pd.DataFrame:
    """Return the win share of each variant's seat; p is that of its being the fair one."""
    return with_words(measure_rewards(runs), runs[0].edition)


def measure_rewards(runs: Sequence[Run]) -> pd.DataFrame:
    """Return the same with each variant named as its bot is: words come with the styles, and they with Numba, which a
    process beside this one need not load."""
    table = stack(REWARDS_TABLE, list(_measured(sources_of_lineups(runs))))
    return table.assign(p_adjusted=holm(table["p"]))


def with_words(rewards: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    words = {spec: name for name, spec in variants(edition).items()}
    return rewards.assign(variant=[words.get(bot, bot) for bot in rewards["bot"]])


def clearly_pay_or_cost(rewards: pd.DataFrame) -> pd.Series:
    """Return which variants surely win more or less than their share, by enough to matter."""
    gap = (rewards["win_share"] - rewards["fair"]).abs()
    return (rewards["p_adjusted"] <= ALPHA) & (gap >= REWARD_MARGIN)


def _measured(sources: Sequence[Source]) -> Iterator[Measured]:
    for source in sources:
        sums = source.ask(by_bot)
        bot = source.runs[0].plan.bots[0]
        win_share = sums.mean("wins").pick((sums.keys["bot"] == bot).to_numpy().nonzero()[0])
        fair = 1 / source.players
        keys = pd.DataFrame({"variant": [bot], "bot": [bot], "n": win_share.trials, "p": win_share.p_value(fair)})
        keys = keys.assign(players=source.players, fair=fair)
        yield Measured(keys, {"win_share": win_share}, source.blocks)
