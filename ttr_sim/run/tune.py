"""Tune a style's parameters for a board by paired matches.

It starts from the best of the defaults and of what the official boards are tuned to. Then each step moves a few
parameters and plays old and new values on the same deals, against each other and each alone against strong opponents.
What is better beyond chance, twice, stays. Nothing depends on the number of workers, nor on what the board's bots.toml
held before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ttr_sim.bots import LoadedBots, Parameter, load_bots
from ttr_sim.bots.api import load_style
from ttr_sim.bots.tuning import tuned_of
from ttr_sim.edition import load_edition, official_names
from ttr_sim.edition.model import Edition
from ttr_sim.edition.problems import BOTS_FILE
from ttr_sim.engine.batch import Games, new_control, play_batch
from ttr_sim.engine.board import compile_board
from ttr_sim.errors import UserError
from ttr_sim.log import index_of
from ttr_sim.run.compiling import compile_engine, compiling
from ttr_sim.run.workers import Backend, Control, ProgressListener, TaskError, Work, Workers

OPPONENTS = ("racer", "blocker", "path")  # beside itself
# Places in the table of bots; the opponents follow.
NEW, OLD = 0, 1
OPPONENT_PLACES = range(OLD + 1, OLD + 1 + len(OPPONENTS))
MATCHES = 1 + 2 * len(OPPONENTS)  # at a table of one size
# Players of the larger table, where the edition has so many.
PLENTY = 4
# Deals a step is judged on at first; twice as many more when it looks better.
BLOCKS = 40
FINAL_BLOCKS = 1_000  # fresh deals that the gain is measured on
# First of these deals, beyond all that a search plays on.
FRESH = 10_000_000
# Standard errors a change must be better by, at a glance and in all.
FIRST_LOOK, SECOND_LOOK = 1.0, 2.0
CHANGED = 3  # parameters changed in one step, at most
QUANTILE = 1.96
BLOCKING = "block"  # a matter of style, not of strength: never tuned
# A parameter that an edition without the feature has no use for.
FEATURES: dict[str, Callable[[Edition], bool]] = {
    "tunnel": lambda edition: edition.tunnels is not None,
    "station": lambda edition: edition.stations is not None,
    "passenger": lambda edition: edition.passengers is not None,
    "goods": lambda edition: edition.merchandise is not None,
    BLOCKING: lambda edition: False,
}

Values = NDArray[np.float64]
Show = Callable[[int], None]


@dataclass(frozen=True)
class Match:
    """Bots by place in the table, who play some deals, each in every rotation."""

    number: int
    new: Values
    old: Values
    lineup: tuple[int, ...]
    first_block: int
    blocks: int


@dataclass(frozen=True)
class MatchResult:
    """Win share of the new values, by block."""

    number: int
    shares: Values


MatchBackend = Backend[Match, MatchResult | None]  # None: stopped


class Laboratory:
    """Compare parameter values on one edition."""

    def __init__(self, edition: Edition, style: str, seed: int, backend: MatchBackend) -> None:
        self.edition, self.style, self.seed, self.backend = edition, style, seed, backend
        self.parameters = load_style(style).parameters
        low, high = edition.players
        self.tables = sorted({low, min(high, PLENTY)})

    @property
    def defaults(self) -> Values:
        return np.array([parameter.default for parameter in self.parameters])

    def gain(self, new: Values, old: Values, first_block: int, blocks: int) -> Values:
        """Gain in the share of wins of the new values over the old, by block."""
        matches = [
            Match(number, values, old, lineup, first_block, blocks)
            for number, (values, lineup) in enumerate(
                match for players in self.tables for match in _matches(new, old, players)
            )
        ]
        shares = iter(self._shares(matches))
        gains = [gain for players in self.tables for gain in _gains(players, [next(shares) for _ in range(MATCHES)])]
        mean: Values = np.mean(gains, axis=0)
        return mean

    def _shares(self, matches: list[Match]) -> list[Values]:
        results = []
        for result in self.backend.results(matches):
            if isinstance(result, TaskError):
                raise UserError(result.sentence)
            if result is not None:
                results.append(result)
        return [result.shares for result in sorted(results, key=lambda result: result.number)]


def _matches(new: Values, old: Values, players: int) -> Iterator[tuple[Values, tuple[int, ...]]]:
    """Yield the matches of one table size."""
    yield new, _half(players)
    for opponent in OPPONENT_PLACES:
        for values in (new, old):
            yield values, (NEW, *[opponent] * (players - 1))


def _half(players: int) -> tuple[int, ...]:
    return tuple([NEW, OLD] * players)[:players]


def _gains(players: int, shares: list[Values]) -> list[Values]:
    """Gain of a seat with the new values: at one table, then against others."""
    new_seats = _half(players).count(NEW)
    differences = [one - other for one, other in zip(shares[1::2], shares[2::2], strict=True)]
    return [shares[0] / new_seats - (1 - shares[0]) / (players - new_seats), *differences]


@contextmanager
def open_laboratory(
    edition: Edition, style: str, seed: int, workers: Workers, watch: ProgressListener
) -> Iterator[Laboratory]:
    """Yield a laboratory whose matches the workers play."""
    # Opponents play their defaults: a search must not depend on what an earlier one wrote.
    untuned = replace(edition, files={name: data for name, data in edition.files.items() if name != BOTS_FILE})
    arena = Arena(untuned, style, seed)
    with compiling(watch):
        _loaded(arena)
        compile_engine(edition)
    work = Work(
        task=partial(play_match, arena),
        items=2 * MATCHES,
        in_threads=True,
        prepare=partial(_prepare, arena),
        folder=None,
        describe=lambda match: f"match {match.number} of a step",
        resume_hint="begin again, since nothing was written",
        note=watch.note,
    )
    with workers.backend(work) as backend:
        yield Laboratory(edition, style, seed, backend)


@dataclass(frozen=True)
class Arena:
    """Picklable setup of a match."""

    edition: Edition
    style: str
    seed: int


def play_match(arena: Arena, match: Match, control: Control) -> MatchResult | None:
    """Play a match with parameters put in place of the style's own, unless stopped."""
    board, bots = _loaded(arena)
    parameters = bots.table.parameters.copy()
    parameters[NEW, : len(match.new)], parameters[OLD, : len(match.old)] = match.new, match.old
    players, games = len(match.lineup), _every_rotation(match.lineup, match.first_block, match.blocks)
    table = bots.table._replace(parameters=parameters)
    log = play_batch(board, players, arena.seed, games, table, False, control)
    if log.stopped:
        return None
    if log.failure is not None:
        raise UserError(f"{arena.style} made an illegal choice: {log.failure}")
    rows = log.tables["seats"].numbers
    game, bot, rank = (rows[index_of("seats", name)] for name in ("game", "bot", "rank"))
    winners = np.bincount(game, weights=rank == 1)
    won = np.where((rank == 1) & (bot == NEW), 1.0 / winners[game], 0.0)
    return MatchResult(match.number, np.bincount(game // players, weights=won, minlength=match.blocks) / players)


_loaded_arenas: dict[tuple[str, str], tuple[np.ndarray, LoadedBots]] = {}


def _loaded(arena: Arena) -> tuple[np.ndarray, LoadedBots]:
    """Load once in a process."""
    key = arena.edition.fingerprint, arena.style
    if key not in _loaded_arenas:
        bots = load_bots((arena.style, arena.style, *OPPONENTS), arena.edition)
        _loaded_arenas[key] = compile_board(arena.edition), bots
    return _loaded_arenas[key]


def _prepare(arena: Arena) -> None:
    nothing = np.zeros(0)
    fewest = arena.edition.players[0]
    play_match(arena, Match(0, nothing, nothing, _half(fewest), 0, 1), new_control())


@dataclass(frozen=True)
class Gain:
    """Gain of tuned values over the defaults on fresh deals, in shares of wins."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class TuningResult:
    """What a search found, and what it gained over the defaults on fresh deals."""

    values: dict[str, float]
    gain: Gain


def tune(laboratory: Laboratory, steps: int, show: Show) -> TuningResult:
    """Search for better parameters, reporting each step to `show`."""
    best = _best_start(laboratory)
    for step in range(steps):
        chance = np.random.default_rng((laboratory.seed, step))
        new = _moved(best, laboratory.parameters, _open_places(laboratory), chance)
        if _is_better_twice(laboratory, new, best, 3 * BLOCKS * step + 4 * BLOCKS):
            best = new
        show(step + 1)
    return TuningResult(_by_name(laboratory, best), measure_gain(laboratory, best))


def measure_gain(laboratory: Laboratory, values: Values, blocks: int = FINAL_BLOCKS) -> Gain:
    """Measure the gain over the defaults on fresh deals."""
    gains = laboratory.gain(values, laboratory.defaults, FRESH, blocks)
    mean, error = float(gains.mean()), QUANTILE * float(gains.std(ddof=1)) / len(gains) ** 0.5
    return Gain(*(round(value, 4) for value in (mean, mean - error, mean + error)))


def in_order(laboratory: Laboratory, named: dict[str, float]) -> Values:
    """Values in the order of the style's parameters; missing ones are the defaults."""
    return np.array([named.get(parameter.name, parameter.default) for parameter in laboratory.parameters])


def _best_start(laboratory: Laboratory) -> Values:
    """Best of the defaults and the values of the official boards."""
    tuned = [tuned_of(load_edition(name)).of(laboratory.style, None) for name in official_names()]
    starts = [in_order(laboratory, values) for values in tuned if values]
    gains = [laboratory.gain(start, laboratory.defaults, 0, 4 * BLOCKS) for start in starts]
    better = [place for place, gain in enumerate(gains) if is_better(gain, FIRST_LOOK)]
    return starts[max(better, key=lambda place: float(gains[place].mean()))] if better else laboratory.defaults


def _is_better_twice(laboratory: Laboratory, new: Values, old: Values, first_block: int) -> bool:
    gains = laboratory.gain(new, old, first_block, BLOCKS)
    if not is_better(gains, FIRST_LOOK):
        return False
    more = laboratory.gain(new, old, first_block + BLOCKS, 2 * BLOCKS)
    return is_better(np.concatenate([gains, more]), SECOND_LOOK)


def is_better(gains: Values, errors: float) -> bool:
    return bool(gains.mean() > errors * gains.std() / len(gains) ** 0.5)


def _open_places(laboratory: Laboratory) -> list[int]:
    useless = {name for name, has in FEATURES.items() if not has(laboratory.edition)}
    return [place for place, parameter in enumerate(laboratory.parameters) if parameter.name not in useless]


def _moved(values: Values, parameters: Sequence[Parameter], places: list[int], chance: np.random.Generator) -> Values:
    """Move a few parameters by about a quarter of their size."""
    new = values.copy()
    most = min(CHANGED, len(places))
    for place in chance.choice(places, chance.integers(1, most + 1), replace=False):
        parameter = parameters[place]
        scale = abs(new[place]) + 0.03 * (parameter.high - parameter.low)
        moved = new[place] + 0.3 * scale * chance.standard_normal()
        new[place] = float(f"{np.clip(moved, parameter.low, parameter.high):.3g}")
    return new


def _by_name(laboratory: Laboratory, values: Values) -> dict[str, float]:
    pairs = zip(laboratory.parameters, values, strict=True)
    return {parameter.name: float(value) for parameter, value in pairs if parameter.name != BLOCKING}


def _every_rotation(lineup: Sequence[int], first_block: int, blocks: int) -> Games:
    players = len(lineup)
    turned = (np.arange(players)[None, :] + np.arange(players)[:, None]) % players
    deals = np.repeat(np.arange(first_block, first_block + blocks), players)
    rotations = np.tile(np.arange(players), blocks)
    return Games(deals, rotations, np.tile(np.array(lineup)[turned], (blocks, 1)), np.tile(turned, (blocks, 1)))
