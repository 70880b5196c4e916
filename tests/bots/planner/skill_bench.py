"""A position, a memory and a seat, for trying one skill at a time from plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.engine.rig import Position, new_game
from ttr_sim.bots.api import load_style
from ttr_sim.bots.planner.memory import PLANNER_MEMORY
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.records import BOT_MEMORY


@dataclass
class Bench:
    game: Position
    board: Any
    view: Any
    memory: Any
    seat: Any

    @property
    def me(self) -> int:
        return int(self.view["seat"])

    def color(self, name: str) -> int:
        return next(index for index, color in enumerate(self.game.edition.colors) if color.name == name)

    def put(self, counts: Any, wilds: float = 0, **colors: float) -> None:
        counts[:] = 0
        counts[WILD] = wilds
        for name, n in colors.items():
            counts[self.color(name)] = n

    def hold(self, wilds: int = 0, **cards: int) -> None:
        """Replace the mover's hand."""
        self.put(self.view["hand"], wilds, **cards)


def bench(edition: str = "usa", players: int = 2) -> Bench:
    game = new_game(edition, players)
    seat = np.zeros(1, BOT_MEMORY)[0]
    parameters = load_style("planner").parameters
    seat["parameters"][: len(parameters)] = [parameter.default for parameter in parameters]
    return Bench(game, game.boards[0], game.view, np.zeros(1, PLANNER_MEMORY)[0], seat)


def cities(*rows: int) -> np.uint64:
    return np.uint64(sum(1 << row for row in rows))
