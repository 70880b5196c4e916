"""Tune a style for an edition: a seeded search over paired games, its result stored as data.

    scripts/tune usa                        the planner on the USA board, from its tuned values on
    scripts/tune my-map --steps 300         a board of your own
    scripts/tune usa --check                what the tuned values gain over the defaults, on fresh deals

Each step changes a few parameters by chance and plays old and new values on the same deals, against every
opponent alone and against each other. What is better beyond chance, twice, stays.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ttr_sim.bots import load_bots
from ttr_sim.bots.style import Parameter, load_style
from ttr_sim.bots.tuned import tuned_of, write_tuned
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.engine.batch import Games, new_control, play_batch
from ttr_sim.engine.board import compile_board
from ttr_sim.log import index_of

OPPONENTS = ("path", "longroute", "hungry", "racer")
NEW, OLD = 0, 1  # places in the table of bots; the opponents follow
PLENTY = 4  # players of the larger table, where the edition has so many
FIRST_LOOK, SECOND_LOOK = 1.0, 2.0  # standard errors a change must be better by, at a glance and in all
CHANGED = 3  # parameters changed in one step, at most
SPITE = "block"  # a matter of style, not of strength: never stored
FEATURES: dict[str, Callable[[Edition], bool]] = {  # a parameter that an edition without the feature has no use for
    "tunnel": lambda edition: edition.tunnels is not None,
    "station": lambda edition: edition.stations is not None,
    "passenger": lambda edition: edition.passengers is not None,
    "goods": lambda edition: edition.merchandise is not None,
    "curiosity": lambda edition: False,  # a planner that never draws a ticket tells nothing about tickets
    SPITE: lambda edition: False,
}

Values = NDArray[np.float64]


@dataclass
class Laboratory:
    """Plays one edition with parameters put in place of the style's own."""

    edition: Edition
    style: str
    seed: int

    def __post_init__(self) -> None:
        self.board = compile_board(self.edition)
        self.bots = load_bots((self.style, self.style, *OPPONENTS), self.edition)
        low, high = self.edition.players
        self.tables = sorted({low, min(high, PLENTY)})

    def gain(self, new: Values, old: Values, first_block: int, blocks: int) -> Values:
        """By block: how much larger a share of wins the new values have than the old ones."""
        gains = []
        for players in self.tables:
            half = [NEW, OLD] * players
            gains.append(2 * (self.shares(new, old, half[:players], first_block, blocks) * 2 - 1))
            for opponent in range(OLD + 1, OLD + 1 + len(OPPONENTS)):
                lineup = [NEW] + [opponent] * (players - 1)
                shares = [self.shares(values, old, lineup, first_block, blocks) for values in (new, old)]
                gains.append(shares[0] - shares[1])
        mean: Values = np.mean(gains, axis=0)
        return mean

    def shares(self, new: Values, old: Values, lineup: list[int], first_block: int, blocks: int) -> Values:
        """By block: the wins of all seats with the new values."""
        parameters = self.bots.table.parameters.copy()
        parameters[NEW, : len(new)], parameters[OLD, : len(old)] = new, old
        games = every_rotation(lineup, first_block, blocks)
        table = self.bots.table._replace(parameters=parameters)
        log = play_batch(self.board, len(lineup), self.seed, games, table, False, new_control())
        if log.failure is not None:
            raise SystemExit(f"an illegal choice: {log.failure}")
        rows = log.tables["seats"].numbers
        game, bot, rank = (rows[index_of("seats", name)] for name in ("game", "bot", "rank"))
        winners = np.bincount(game, weights=rank == 1)
        won = np.where((rank == 1) & (bot == NEW), 1.0 / winners[game], 0.0)
        return np.bincount(game // len(lineup), weights=won, minlength=blocks) / len(lineup)


def every_rotation(lineup: list[int], first_block: int, blocks: int) -> Games:
    players = len(lineup)
    turned = (np.arange(players)[None, :] + np.arange(players)[:, None]) % players
    deals = np.repeat(np.arange(first_block, first_block + blocks), players)
    rotations = np.tile(np.arange(players), blocks)
    return Games(deals, rotations, np.tile(np.array(lineup)[turned], (blocks, 1)), np.tile(turned, (blocks, 1)))


def changed(values: Values, parameters: list[Parameter], open_places: list[int], chance: np.random.Generator) -> Values:
    """A few parameters moved by about a quarter of their size."""
    new = values.copy()
    for place in chance.choice(open_places, chance.integers(1, CHANGED + 1), replace=False):
        parameter = parameters[place]
        scale = abs(new[place]) + 0.03 * (parameter.high - parameter.low)
        moved = new[place] + 0.3 * scale * chance.standard_normal()
        new[place] = float(f"{np.clip(moved, parameter.low, parameter.high):.3g}")
    return new


def is_better(gains: Values, errors: float) -> bool:
    return bool(gains.mean() > errors * gains.std() / len(gains) ** 0.5)


def search(laboratory: Laboratory, start: Values, steps: int, blocks: int) -> Values:
    parameters = list(load_style(laboratory.style).parameters)
    known = {name for name, has in FEATURES.items() if not has(laboratory.edition)}
    open_places = [place for place, parameter in enumerate(parameters) if parameter.name not in known]
    best = start
    for step in range(steps):
        new = changed(best, parameters, open_places, np.random.default_rng((laboratory.seed, step)))
        first_block = 3 * blocks * step
        gains = laboratory.gain(new, best, first_block, blocks)
        if is_better(gains, FIRST_LOOK):
            gains = np.concatenate([gains, laboratory.gain(new, best, first_block + blocks, 2 * blocks)])
            if is_better(gains, SECOND_LOOK):
                what = ", ".join(f"{parameters[i].name} {best[i]:g} -> {new[i]:g}" for i in np.flatnonzero(new != best))
                print(f"{laboratory.edition.name} step {step}: {gains.mean():+.4f} with {what}", flush=True)
                best = new
                store(laboratory, parameters, best)  # what was found stays found when the search is stopped
    return best


def store(laboratory: Laboratory, parameters: list[Parameter], values: Values) -> None:
    pairs = zip(parameters, values, strict=True)
    named = {parameter.name: float(value) for parameter, value in pairs if parameter.name != SPITE}
    write_tuned(laboratory.edition.folder, laboratory.style, named, None, tuned_of(laboratory.edition))


def report_gain(laboratory: Laboratory, new: Values, old: Values, blocks: int) -> None:
    gains = laboratory.gain(new, old, 10_000_000, blocks)  # deals no search has seen
    error = 1.96 * gains.std() / len(gains) ** 0.5
    print(f"{laboratory.edition.name}: the tuned values gain {gains.mean():+.4f} +- {error:.4f} over the defaults")


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/tune", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("edition", help="a name or a folder")
    parser.add_argument("--style", default="planner")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--blocks", type=int, default=100, help="deals a step is judged on at first")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="only measure the stored values")
    wish = parser.parse_args(words)
    laboratory = Laboratory(load_edition(wish.edition), wish.style, wish.seed)
    parameters = load_style(wish.style).parameters
    stored = tuned_of(laboratory.edition).of(wish.style, None)
    default = np.array([parameter.default for parameter in parameters])
    values = np.array([stored.get(parameter.name, parameter.default) for parameter in parameters])
    if not wish.check:
        values = search(laboratory, values, wish.steps, wish.blocks)
    report_gain(laboratory, values, default, 4 * wish.blocks)


if __name__ == "__main__":
    main(sys.argv[1:])
