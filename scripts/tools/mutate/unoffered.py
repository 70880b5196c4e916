"""A bot that answers what the engine accepts, offered or not, which shows illegal moves that are allowed."""

from __future__ import annotations

from typing import Any

from ttr_sim.bots.toolbox import DEFAULT, WILD, draw_below
from ttr_sim.engine.actions import ANSWER_CLAIM, ANSWER_KEEP, ANSWER_PASSENGER, ANSWER_STATION, FINE
from ttr_sim.engine.game import why_not
from ttr_sim.engine.jit import compiled

KINDS, TRIES = 40, 300
MOST_CARDS = 8  # of a payment, or of a mix from one deck
MASKS = 256


@compiled
def _numbers_of(board: Any, kind: Any) -> Any:
    """Count the values that the first field of an answer of this kind may have."""
    if kind == ANSWER_CLAIM:
        return board.n_routes + 0
    if kind == ANSWER_STATION:
        return board.n_cities + 0
    return MASKS if kind == ANSWER_KEEP else WILD + 1


def unoffered(board: Any, view: Any, seat: Any) -> Any:
    """Draw a kind of answer, then answers of that kind until one is accepted."""
    for _ in range(KINDS):
        kind = draw_below(seat, ANSWER_PASSENGER + 1)
        numbers = _numbers_of(board, kind)
        for _ in range(TRIES):
            first, second, third = draw_below(seat, numbers), draw_below(seat, WILD + 1), draw_below(seat, MOST_CARDS)
            answer = kind | first << 8 | second << 16 | third << 24
            if why_not(board, view, answer) == FINE:
                return answer
    return DEFAULT
