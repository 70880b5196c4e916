"""Who plays in tests: any legal answer, with more draws and claims than tickets; or a compiled bot of one's own."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from ttr_sim.engine.actions import ANSWER_CLAIM, ANSWER_DRAW_DECK, ANSWER_DRAW_ROW
from ttr_sim.engine.bot_abi import address_of
from ttr_sim.engine.play import BotTable
from ttr_sim.engine.records import N_PARAMETERS
from ttr_sim.engine.stepping import Game

WEIGHTS = {ANSWER_CLAIM: 8, ANSWER_DRAW_DECK: 3, ANSWER_DRAW_ROW: 3}


def any_answer(game: Game, random: Random) -> int:
    """First a kind of answer by its weight, then any of the kind."""
    by_kind: dict[int, list[int]] = {}
    for answer in game.choices():
        by_kind.setdefault(answer & 255, []).append(answer)
    kinds = [kind for kind in sorted(by_kind) for _ in range(WEIGHTS.get(kind, 1))]
    return random.choice(by_kind[random.choice(kinds)])


def play_some(game: Game, random: Random, decisions: int) -> Game:
    """So many decisions, or fewer when the game ends before."""
    for _ in range(decisions):
        if game.is_over:
            break
        game.apply(any_answer(game, random))
    return game


def table_of(bot: Any) -> BotTable:
    """A compiled bot without parameters, for all seats."""
    no = np.zeros(1, bool)
    return BotTable(np.array([address_of(bot)]), np.zeros((1, N_PARAMETERS)), no, no, no)
