"""Search for a style's best parameters on a board, by the cross-entropy method on shared deals.

One seat plays each member of a generation among rivals, and the mean moves to the best quarter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ttr_sim.bots import LoadedBots, load_bots
from ttr_sim.bots.api import load_style
from ttr_sim.bots.tuning import tuned_of
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import BOTS_FILE
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.play import Games, play_batch
from ttr_sim.errors import UserError
from ttr_sim.log import index_of
from ttr_sim.run.processes import compile_engine, compiling
from ttr_sim.run.workers import Control, Pool, ProgressListener, Work, Workers

MEMBERS, BEST = 24, 6  # of a generation
STEP = 0.5  # part of the way to the best that mean and spread go
LEAD_WEIGHT = 0.002  # of a point of lead, in shares of the fair number of wins: cuts noise
GAMES = 240  # of a member at each player count
FINAL_GAMES = 4_000  # on fresh deals, at each player count
MOST_PLAYERS = 5
ROUNDS = 3  # after each, the rivals play as well as was found
# First of the fresh deals, beyond all that a search plays on.
FRESH = 10_000_000
QUANTILE = 1.96

# Places in the table of bots. Other styles sit at a table of their own: a search against itself alone may forget them.
MEMBER, RIVAL = 0, 1
OTHERS = ("racer", "blocker", "path")
OTHERS_TABLE = (MEMBER, *range(RIVAL + 1, RIVAL + 1 + len(OTHERS)))

NEVER_TUNED = ("block", "lottery")  # a matter of style, not of strength
# A parameter that an edition without the feature has no use for.
FEATURES: dict[str, Callable[[Edition], bool]] = {
    "tunnel": lambda edition: edition.tunnels is not None,
    "station": lambda edition: edition.stations is not None,
    "passenger": lambda edition: edition.passengers is not None,
    "goods": lambda edition: edition.merchandise is not None,
    "sight": lambda edition: edition.attractions is not None,
    "district": lambda edition: edition.districts is not None,
    "loop": lambda edition: edition.mandala is not None,
}

Values = NDArray[np.float64]
Lineup = tuple[int, ...]
Show = Callable[[int], None]


@dataclass(frozen=True)
class Match:
    """One seat with the member's values at a table, in every rotation of some deals."""

    number: int
    member: Values
    rival: Values
    lineup: Lineup
    deals: range


class MatchResult(NamedTuple):
    """The member's win share and its lead over the best rival, by deal."""

    number: int
    wins: Values
    lead: Values


class Laboratory:
    """Plays members of a generation on one edition."""

    def __init__(self, edition: Edition, style: str, seed: int, pool: Pool[Match, MatchResult | None]) -> None:
        self.edition, self.style, self.seed, self.pool = edition, style, seed, pool
        self.parameters = load_style(style).parameters
        useless = {*NEVER_TUNED, *(name for name, has in FEATURES.items() if not has(edition))}
        self.places = [place for place, each in enumerate(self.parameters) if each.name not in useless]
        fewest, most = edition.players
        self.tables = [among(players) for players in range(fewest, min(most, MOST_PLAYERS) + 1)]
        if most >= len(OTHERS_TABLE):
            self.tables.append(OTHERS_TABLE)
        self.defaults = self.values({})

    def values(self, named: dict[str, float]) -> Values:
        """Values in the order of the style's parameters, defaults where not named."""
        return np.array([named.get(parameter.name, parameter.default) for parameter in self.parameters])

    def named(self, values: Values) -> dict[str, float]:
        pairs = zip(self.parameters, values, strict=True)
        return {parameter.name: float(value) for parameter, value in pairs if parameter.name not in NEVER_TUNED}

    def play(
        self, members: Sequence[Values], rival: Values, lineups: Sequence[Lineup], first_deal: int, games: int
    ) -> list[list[MatchResult]]:
        """Play each member at each table, all on the same deals."""
        matches = list[Match]()
        for member in members:
            for lineup in lineups:
                deals = range(first_deal, first_deal + -(-games // len(lineup)))
                matches.append(Match(len(matches), member, rival, lineup, deals))
        results = sorted(result for result in self.pool.results(matches) if result is not None)
        tables = len(lineups)
        return [results[start : start + tables] for start in range(0, len(results), tables)]

    def fitness(self, members: Sequence[Values], rival: Values, lineups: Sequence[Lineup], first_deal: int) -> Values:
        """Wins of each member in units of the fair share, over all tables, with a little of its lead."""
        fitness = []
        for results in self.play(members, rival, lineups, first_deal, GAMES):
            tables = zip(results, lineups, strict=True)
            scores = [each.wins.mean() * len(lineup) + LEAD_WEIGHT * each.lead.mean() for each, lineup in tables]
            fitness.append(np.mean(scores))
        return np.array(fitness)


def among(players: int) -> Lineup:
    """One member among rivals."""
    return (MEMBER, *[RIVAL] * (players - 1))


@contextmanager
def open_laboratory(
    edition: Edition, style: str, seed: int, workers: Workers, watch: ProgressListener
) -> Iterator[Laboratory]:
    """Yield a laboratory on these workers."""
    # Other styles play their defaults: a search must not depend on what an earlier one wrote.
    untuned = replace(edition, files={name: data for name, data in edition.files.items() if name != BOTS_FILE})
    with compiling(watch):
        load_arena(untuned, style)
        compile_engine(edition)
    work = Work(
        task=partial(play_match, untuned, style, seed),
        items=MEMBERS,
        in_threads=True,
        folder=None,
        describe=lambda match: f"match {match.number} of a generation",
        describe_hang=lambda at: f"match {at.item.number} has not finished turn {at.turn} in a minute",
        resume_hint="begin again, since nothing was written",
        note=watch.note,
    )
    with workers.pool(work) as pool:
        yield Laboratory(untuned, style, seed, pool)


def play_match(edition: Edition, style: str, seed: int, match: Match, control: Control) -> MatchResult | None:
    """Play a match with parameters put in place of the style's own, unless stopped."""
    board, bots = load_arena(edition, style)
    drivers = bots.table.copy()
    parameters = drivers["parameters"]
    parameters[MEMBER, : len(match.member)], parameters[RIVAL, : len(match.rival)] = match.member, match.rival
    players, deals = len(match.lineup), np.array(match.deals)
    turned = (np.arange(players)[None, :] + np.arange(players)[:, None]) % players
    games = Games(
        np.repeat(deals, players),
        np.tile(np.arange(players), len(deals)),
        np.tile(np.array(match.lineup)[turned], (len(deals), 1)),
        np.tile(turned, (len(deals), 1)),
    )
    log = play_batch(board, players, seed, games, drivers, False, control)
    if log.stopped:
        return None
    if log.failure is not None:
        raise UserError(f"{style} made an illegal choice: {log.failure}")
    seats = log.tables["seats"].numbers
    bot, rank, score = (seats[index_of("seats", name)].reshape(-1, players) for name in ("bot", "rank", "score"))
    won, is_member = (rank == 1) / (rank == 1).sum(axis=1, keepdims=True), bot == MEMBER
    best_rival = np.where(is_member, np.iinfo(np.int64).min, score).max(axis=1)
    wins, leads = (each.reshape(-1, players).mean(axis=1) for each in (won[is_member], score[is_member] - best_rival))
    return MatchResult(match.number, wins, leads)


_loaded_arenas: dict[tuple[str, str], tuple[np.ndarray, LoadedBots]] = {}


def load_arena(edition: Edition, style: str) -> tuple[np.ndarray, LoadedBots]:
    """Load board and bots once in a process."""
    key = edition.fingerprint, style
    if key not in _loaded_arenas:
        _loaded_arenas[key] = compile_board(edition), load_bots((style, style, *OTHERS), edition)
    return _loaded_arenas[key]


def evolve(
    laboratory: Laboratory, start: Values, rival: Values, lineups: Sequence[Lineup], generations: range, show: Show
) -> Values:
    """Move the start toward a best response to the rival."""
    places, parameters = laboratory.places, laboratory.parameters
    low = np.array([parameters[place].low for place in places])
    high = np.array([parameters[place].high for place in places])
    mean = start[places]
    # In thirty dimensions wide steps meet nothing but worse members.
    spread = 0.12 * np.abs(mean) + 0.006 * (high - low)
    least = 0.001 * (high - low)
    for generation in generations:
        chance = np.random.default_rng((laboratory.seed, generation))
        sample = np.clip(mean + spread * chance.standard_normal((MEMBERS, len(places))), low, high)
        sample[0] = mean
        members = np.tile(start, (MEMBERS, 1))
        members[:, places] = sample
        best = sample[np.argsort(-laboratory.fitness([*members], rival, lineups, generation * GAMES))[:BEST]]
        mean = (1 - STEP) * mean + STEP * best.mean(axis=0)
        spread = np.maximum((1 - STEP) * spread + STEP * best.std(axis=0), least)
        show(generation + 1)
    found = start.copy()
    found[places] = [float(f"{value:.3g}") for value in mean]
    return found


class Gain(NamedTuple):
    """Gain of a change on fresh deals, in shares of wins beyond the fair one."""

    mean: float
    low: float
    high: float


def tune(laboratory: Laboratory, generations: int, show: Show) -> Values:
    """Search for values that beat the defaults, other styles, and the values found so far."""
    # The best of the defaults and of the values of the official boards.
    tuned = [tuned_of(load_edition(name)).of(laboratory.style, None) for name in official_names()]
    starts = [laboratory.defaults, *(laboratory.values(values) for values in tuned if values)]
    fitness = laboratory.fitness(starts, laboratory.defaults, laboratory.tables, FRESH // 2)
    start = best = starts[int(np.argmax(fitness))]
    for number in range(ROUNDS):
        of_round = range(generations * number // ROUNDS, generations * (number + 1) // ROUNDS)
        best = evolve(laboratory, best, best, laboratory.tables, of_round, show)
    fewest, most = laboratory.edition.players
    gains = [measure(laboratory, best, start, players).mean * players for players in range(fewest, most + 1)]
    return best if sum(gains) > 0 else start


def measure(laboratory: Laboratory, values: Values, rival: Values, players: int, games: int = FINAL_GAMES) -> Gain:
    """Measure the wins of one seat among rivals on fresh deals, beyond its fair share."""
    ((result,),) = laboratory.play([values], rival, [among(players)], FRESH, games)
    mean = float(result.wins.mean()) - 1 / players
    error = QUANTILE * float(result.wins.std(ddof=1)) / len(result.wins) ** 0.5
    return Gain(mean, mean - error, mean + error)
