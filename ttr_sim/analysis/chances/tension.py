"""How open games stay and when they are decided, by each seat's chance to win at the end of every round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ttr_sim.analysis.chances.courses import Floats
from ttr_sim.analysis.chances.interaction import interaction
from ttr_sim.analysis.chances.sample import Rounds
from ttr_sim.analysis.columns import Ints
from ttr_sim.analysis.jackknife import GROUPS, Estimate
from ttr_sim.analysis.sums import AT_LEAST_0, Measured, Sums, stack
from ttr_sim.analysis.tables import SHAPE, SHAPE_CHANCES, SHAPE_COURSE

SURE = 0.9  # a chance from which a game counts as decided
BINS = 10  # of chances, to see how often what they say comes true
PARTS = 10  # of a game

Played = Mapping[int, Rounds]  # by player count


def shape(played: Played) -> pd.DataFrame:
    """Return drama, decisiveness, changes of the lead in chances, and how far claims take what rivals want."""
    return stack(SHAPE, [_measure_shape(rounds) for rounds in played.values()])


def chances(played: Played) -> pd.DataFrame:
    """Return how often seats with about the same chance won: what shows whether chances can be believed."""
    return stack(SHAPE_CHANCES, [_measure_chances(rounds) for rounds in played.values()])


def course(played: Played) -> pd.DataFrame:
    """Return the mean chance of the eventual winner, and of who leads, over the game."""
    return stack(SHAPE_COURSE, [_measure_course(rounds) for rounds in played.values()])


def groups_of(blocks: Ints) -> Ints:
    return np.asarray(blocks % GROUPS)


def _measure_shape(rounds: Rounds) -> Measured:
    courses = rounds.courses
    sums = Sums.of(of_games(rounds).assign(grp=groups_of(courses.blocks), n=1.0), [])
    names = ("drama", "winner_led", "decided_for_good", "chance_lead_changes")
    estimates: dict[str, Estimate] = {name: sums.mean(name) for name in names}
    keys = pd.DataFrame({"players": [courses.players], "n": [courses.games]})
    blocks = len(np.unique(courses.blocks))
    bounds = {"chance_lead_changes": AT_LEAST_0, "interaction": AT_LEAST_0}
    return Measured(keys, estimates | interaction(courses), blocks, bounds)


def of_games(rounds: Rounds) -> pd.DataFrame:
    """Return the measures of tension of each game."""
    game, chances, wins = rounds.game, rounds.chances, rounds.wins
    top = chances.max(axis=1)
    behind = (wins * (top[:, None] - chances)).sum(axis=1)
    led = (wins * (chances == top[:, None])).sum(axis=1)
    frame = pd.DataFrame({"drama": behind, "winner_led": led}).groupby(game).mean()
    return frame.assign(
        decided_for_good=_decided(rounds), chance_lead_changes=_lead_changes(game, chances.argmax(axis=1))
    )


def _decided(rounds: Rounds) -> Floats:
    """Return the part of each game after which the winner's chance stays sure; 1 when only the last turns decide."""
    sure = (rounds.wins == 1).any(axis=1) & ((rounds.wins * rounds.chances).sum(axis=1) >= SURE)
    courses = rounds.courses
    part = courses.turns_taken[rounds.steps] / (courses.lengths - 1)[rounds.game]
    last_unsure = np.full(courses.games, -1)
    np.maximum.at(last_unsure, rounds.game[~sure], np.flatnonzero(~sure))
    first = np.searchsorted(rounds.game, np.arange(courses.games))
    end = np.searchsorted(rounds.game, np.arange(courses.games), side="right")
    since = np.maximum(last_unsure + 1, first)
    return np.where(since < end, part[np.minimum(since, len(part) - 1)], 1.0)


def _lead_changes(game: Ints, leader: Ints) -> Floats:
    changed = (leader[1:] != leader[:-1]) & (game[1:] == game[:-1])
    return np.bincount(game[1:][changed], minlength=int(game.max()) + 1).astype(float)


def _measure_chances(rounds: Rounds) -> Measured:
    """Count by bins of the chance; each seat of each round is one case."""
    bins = np.minimum((rounds.chances * BINS).astype(np.int64), BINS - 1)
    seen = pd.DataFrame(
        {
            "grp": np.repeat(groups_of(rounds.courses.blocks[rounds.game]), rounds.courses.players),
            "bin": bins.ravel(),
            "game": np.repeat(rounds.game, rounds.courses.players),
            "n": 1.0,
            "chance": rounds.chances.ravel(),
            "won": rounds.wins.ravel(),
        }
    )
    sums = Sums.of(seen.drop(columns="game"), ["bin"])
    games = seen.groupby("bin")["game"].nunique().to_numpy()
    keys = sums.keys.assign(players=rounds.courses.players, n=games, chance=sums.total("chance") / sums.total("n"))
    keys = keys.assign(low=keys["bin"] / BINS, high=(keys["bin"] + 1) / BINS)
    return Measured(keys, {"won": sums.mean("won")}, len(np.unique(rounds.courses.blocks)))


def _measure_course(rounds: Rounds) -> Measured:
    courses = rounds.courses
    part = np.round(PARTS * courses.turns_taken[rounds.steps] / (courses.lengths - 1)[rounds.game]) / PARTS
    seen = pd.DataFrame(
        {
            "grp": groups_of(courses.blocks[rounds.game]),
            "part": part,
            "n": 1.0,
            "winner": (rounds.wins * rounds.chances).sum(axis=1),
            "leader": rounds.chances.max(axis=1),
        }
    )
    sums = Sums.of(seen, ["part"])
    keys = sums.keys.assign(players=courses.players, n=sums.total("n"))
    estimates = {name: sums.mean(name) for name in ("winner", "leader")}
    return Measured(keys, estimates, len(np.unique(courses.blocks)))


def by_players(found: Sequence[Rounds | None]) -> dict[int, Rounds]:
    return {rounds.courses.players: rounds for rounds in found if rounds is not None}
