"""What does the board reward? A change of taste, or a simple style, in one seat among strong players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ttr_sim.analysis.columns import chosen_columns, read_columns, with_places
from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, holm, ratio
from ttr_sim.analysis.rows import Rows
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, stack
from ttr_sim.analysis.tables import REWARDS_TABLE
from ttr_sim.analysis.thresholds import ALPHA, REWARD_MARGIN
from ttr_sim.edition.model import Edition
from ttr_sim.run.fields import variants
from ttr_sim.run.opened import Run


@dataclass(frozen=True)
class Won:
    """The seats that the first bot of a lineup held and its wins, by group of blocks; and the number of blocks."""

    held: Floats
    wins: Floats
    blocks: int

    def __add__(self, other: Won) -> Won:
        return Won(self.held + other.held, self.wins + other.wins, self.blocks + other.blocks)


def by_first_bot(rows: Rows) -> Won:
    """Read no more than that takes: lineups are many, with few games each."""
    bots = tuple(dict.fromkeys(rows.run.plan.bots))
    games = read_columns(rows.run, "games", ("game", "block"))
    seats = read_columns(rows.run, "seats", ("game", "bot", "win_share"), {"bot": bots})
    own = with_places(chosen_columns(seats, seats["bot"] == 0), games["game"])
    group = games["block"][own["game"]] % GROUPS
    held, wins = (np.bincount(group, values, GROUPS).astype(float) for values in (None, own["win_share"]))
    return Won(held, wins, len(np.unique(games["block"])))


def sources_of_lineups(runs: Sequence[Run]) -> tuple[Source, ...]:
    """Return one source per player count and bot in the first place of the lineup."""
    games: dict[tuple[int, str], list[Run]] = {}
    for run in runs:
        if run.finished_games:
            games.setdefault((run.plan.players, run.plan.bots[0]), []).append(run)
    return tuple(Source(games[key]) for key in sorted(games))


def win_shares(sources: Sequence[Source]) -> tuple[Estimate, pd.DataFrame]:
    """Return the win share of the first bot of each lineup, with what its row begins with: bot, players, fair share,
    seats held."""
    won = [source.ask(by_first_bot) for source in sources]
    wins, held = (np.column_stack([getattr(one, name) for one in won]) for name in ("wins", "held"))
    share, players = ratio(wins, held), np.array([source.players for source in sources])
    keys = {"bot": [source.runs[0].plan.bots[0] for source in sources], "players": players, "fair": 1 / players}
    at_most_one_a_block = np.minimum(share.trials, [one.blocks for one in won])
    return replace(share, trials=at_most_one_a_block), pd.DataFrame({**keys, "n": share.trials})


def rewards(runs: Sequence[Run]) -> pd.DataFrame:
    """Return the win share of each variant's seat; p is that of its being the fair one."""
    return with_words(measure_rewards(runs), runs[0].edition)


def measure_rewards(runs: Sequence[Run]) -> pd.DataFrame:
    """Return the same with each variant named as its bot is: words come with the styles, and they with Numba, which a
    process beside this one need not load."""
    share, keys = win_shares(sources_of_lineups(runs))
    p = share.p_value(keys["fair"].to_numpy())
    measured = Measured(keys.assign(variant=keys["bot"], p=p), {"win_share": share}, int(share.trials.max()))
    return stack(REWARDS_TABLE, [measured]).assign(p_adjusted=holm(p))


def with_words(rewards: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    words = {spec: name for name, spec in variants(edition).items()}
    return rewards.assign(variant=[words.get(bot, bot) for bot in rewards["bot"]])


def clearly_pay_or_cost(rewards: pd.DataFrame) -> pd.Series:
    """Return which variants surely win more or less than their share, by enough to matter."""
    gap = (rewards["win_share"] - rewards["fair"]).abs()
    return (rewards["p_adjusted"] <= ALPHA) & (gap >= REWARD_MARGIN)
