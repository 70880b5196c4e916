"""What others may hold: likelier what fits their routes, and still a deal that adds up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.engine import kernels
from tests.engine.invariants import check_invariants
from tests.engine.rig import new_game, route
from ttr_sim.bots.search.beliefs import weigh_tickets
from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.stepping import Game

DEALS = 400


@compiled
def weigh(boards: Any, states: Any, mover: int, trust: float) -> None:
    weigh_tickets(boards[0], states[0], mover, trust)


@pytest.fixture
def game() -> Game:
    """The other seat has joined Calgary and Helena, and nothing else."""
    game = new_game("usa")
    kernels.give_route(game.boards, game.states, 1, route(game, "Calgary", "Helena"))
    return game


def _times_held(game: Game, city: str, trust: float) -> int:
    """Count the deals in which the other seat holds a ticket of this city."""
    wanted = {row for row, ticket in enumerate(game.edition.tickets) if city in (ticket.a, ticket.b)}
    held, before = 0, game.states.copy()
    for key in range(DEALS):
        game.states[:] = before
        kernels.sample_hidden(game.boards, game.states, 0, np.uint64(key))
        weigh(game.boards, game.states, 0, trust)
        holding = game.state["holdings"][1]
        held += bool(wanted & {int(row) for row in holding["tickets"][: int(holding["n_tickets"])]})
    return held


def test_tickets_that_fit_the_routes_are_likelier(game: Game) -> None:
    assert _times_held(game, "Helena", 2.0) > 1.3 * _times_held(game, "Helena", 0.0)


def test_tickets_elsewhere_are_less_likely(game: Game) -> None:
    assert _times_held(game, "Miami", 2.0) < _times_held(game, "Miami", 0.0)


def test_weighed_deal_adds_up(game: Game) -> None:
    for key in range(20):
        kernels.sample_hidden(game.boards, game.states, 0, np.uint64(key))
        weigh(game.boards, game.states, 0, 3.0)
        check_invariants(game)
