"""What a bot can see: open information, its own hand and tickets, and nothing else."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numba import TypingError, njit

from tests.engine.invariants import check_invariants
from tests.engine.players import play_some
from tests.engine.rig import edition_of
from ttr_sim.edition import official_names
from ttr_sim.engine.board import BOARD
from ttr_sim.engine.bot_abi import BOT_SIGNATURE
from ttr_sim.engine.records import BOT_MEMORY, HIDDEN, HOLDING, VIEW
from ttr_sim.engine.stepping import Game

HIDDEN_FIELDS = {*HIDDEN.names, *HOLDING.names} - {*VIEW.names}


@pytest.mark.parametrize("field", ["deck", "ring", "deal_key", "holdings", "hidden"])
def test_hidden_field_cannot_be_read_through_a_view(field: str) -> None:
    """A bot that names one does not compile."""
    namespace: dict[str, object] = {}
    exec(f"def spy(board, view, seat):\n    return view.{field}[0]\n", namespace)
    with pytest.raises((KeyError, TypingError), match=field):
        njit(namespace["spy"]).compile(BOT_SIGNATURE)


def test_view_names_no_hidden_field() -> None:
    assert {"deck", "ring", "deal_key", "met_turn"} <= HIDDEN_FIELDS
    assert not HIDDEN_FIELDS & {*VIEW.names, *BOT_MEMORY.names, *BOARD.names}


@pytest.mark.parametrize("name", official_names())
def test_nothing_of_another_seat_is_left_in_the_view(name: str) -> None:
    """Neither tickets nor offers of who moved before, at setup and later."""
    random, edition = Random(name), edition_of(name)
    game = Game(edition, edition.players[1])
    for _ in range(120):
        check_invariants(game)
        play_some(game, random, 1)


@pytest.mark.parametrize("name", official_names())
def test_hands_of_others_do_not_change_the_view(name: str) -> None:
    """The view's bytes, but for sizes, are a function of the table and the own hand."""
    edition = edition_of(name)
    game = play_some(Game(edition, 2), Random(name), 40)
    other = 1 - game.seat
    before = game.view.tobytes()
    game.state["holdings"][other]["hand"][:] = np.roll(game.state["holdings"][other]["hand"], 1)
    assert game.view.tobytes() == before
