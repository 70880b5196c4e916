"""A spot check of the edits with players that search: stronger than the planner and far slower, so there are few games
of them, and what they say is shown with its wide interval and decides nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ttr_sim.analysis import tickets
from ttr_sim.analysis.jackknife import derive
from ttr_sim.analysis.source import sources_of
from ttr_sim.analysis.words import decimal
from ttr_sim.balance.bench import Bench, Sample
from ttr_sim.balance.edits import Edit

SEARCHER = "search:budget=8"
GAMES = 100
PLAYERS = 2  # where the board is for two


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """What being dealt one of the tickets gives beyond its class among searching players, on the side on which it was
    before the edits; in shares of a win, with the 95 % interval."""

    games: int
    players: int
    tickets: int
    value: float
    low: float
    high: float

    @property
    def sentence(self) -> str:
        value, low, high = (decimal(100 * share, 1, "+") for share in (self.value, self.low, self.high))
        which = "the ticket" if self.tickets == 1 else f"one of the {self.tickets} tickets"
        return (
            f"A spot check, {self.games} games of {self.players} players that search ({SEARCHER}) on the edited board: "
            f"being dealt {which} that the edits are for gives {value} ({low} to {high}) wins in 100 beyond its class, "
            "with a plus on the side where it was before. So few games decide nothing."
        )


def spot_check(bench: Bench, edits: tuple[Edit, ...], before: Mapping[int, float], seed: int) -> SpotCheck | None:
    """Play the edited board by searching players; `before` has each ticket's value on the board as it was."""
    if not before:
        return None
    players = min(bench.players, key=lambda count: abs(count - PLAYERS))
    sample = Sample(GAMES, seed, (SEARCHER,), part_size=None)
    runs = bench.play(edits, sample, f"proof: a spot check with {players} players that search", (players,))
    excess = tickets.measure_values([tickets.Deals(source) for source in sources_of(runs)]).estimates["excess"]
    dealt = [row for row in before if np.isfinite(excess.error[row])]
    if not dealt:
        return None
    sides = np.sign([before[row] for row in dealt])
    each = [excess.pick(np.array([row])) for row in dealt]
    mean = derive(lambda *values: np.tensordot(sides, values, 1) / len(sides), *each)
    low, high = mean.interval()
    return SpotCheck(GAMES, players, len(dealt), float(mean.value[0]), float(low[0]), float(high[0]))
