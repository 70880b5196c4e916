"""A position, a memory and a seat, for trying one skill at a time from plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.engine.rig import new_game
from ttr_sim.bots.api import load_style
from ttr_sim.bots.planner.memory import PLANNER_MEMORY
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.records import BOT_MEMORY
from ttr_sim.engine.stepping import Game


@dataclass
class Bench:
    game: Game
    board: Any
    view: Any
    memory: Any
    seat: Any

    def city(self, name: str) -> int:
        return next(row for row, city in enumerate(self.game.edition.cities) if city.name == name)

    def route(self, a: str, b: str) -> int:
        ends = {self.city(a), self.city(b)}
        return next(row for row, route in enumerate(self.game.edition.routes) if {route.a, route.b} == ends)

    def color(self, name: str) -> int:
        return next(index for index, color in enumerate(self.game.edition.colors) if color.name == name)

    def hold(self, wilds: int = 0, **cards: int) -> None:
        """Replace the mover's hand."""
        self.view["hand"][:] = 0
        self.view["hand"][WILD] = wilds
        for name, n in cards.items():
            self.view["hand"][self.color(name)] = n

    def lay_row(self, wilds: int = 0, **cards: int) -> None:
        self.view["row"][:] = 0
        self.view["row"][WILD] = wilds
        for name, n in cards.items():
            self.view["row"][self.color(name)] = n


def bench(edition: str = "usa", players: int = 2) -> Bench:
    game = new_game(edition, players)
    seat = np.zeros(1, BOT_MEMORY)[0]
    parameters = load_style("planner").parameters
    seat["parameters"][: len(parameters)] = [parameter.default for parameter in parameters]
    return Bench(game, game.boards[0], game.view, np.zeros(1, PLANNER_MEMORY)[0], seat)


def cities(*rows: int) -> np.uint64:
    return np.uint64(sum(1 << row for row in rows))
