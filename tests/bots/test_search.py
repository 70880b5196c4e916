"""What others may hold: likelier what fits their routes, and still a deal that adds up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.engine import kernels
from tests.engine.invariants import check_invariants
from tests.engine.rig import Position, new_game
from ttr_sim.bots.styles.playouts import judge_fits, weigh_tickets
from ttr_sim.edition.limits import MAX_PLAYERS, MAX_TICKETS
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.records import STATE

Floats = NDArray[np.float64]
DEALS = 400


@compiled
def weigh(boards: Any, states: Any, mover: int, trust: float, rooms: Any, fits: Any) -> None:
    states[0].mover_view.seat = mover
    judge_fits(boards[0], states[0].mover_view, rooms[0].seats, fits)
    weigh_tickets(boards[0], states[0], mover, trust, fits)


@pytest.fixture
def game() -> Position:
    """The other seat has joined Calgary and Helena, and nothing else."""
    game = new_game("usa")
    kernels.give_route(game.boards, game.states, 1, game.route("Calgary", "Helena"))
    return game


def _weigh(game: Position, trust: float) -> Floats:
    """Deal the other's tickets again as the first seat would and return how its routes fit each ticket."""
    fits = np.zeros((MAX_PLAYERS, MAX_TICKETS))
    weigh(game.boards, game.states, 0, trust, np.zeros(1, STATE), fits)
    return fits[1, : len(game.edition.tickets)]


def _times_held(game: Position, city: str, trust: float) -> int:
    """Count the deals in which the other seat holds a ticket of this city."""
    wanted = {row for row, ticket in enumerate(game.edition.tickets) if city in (ticket.a, ticket.b)}
    held, before = 0, game.states.copy()
    for key in range(DEALS):
        game.states[:] = before
        kernels.sample_hidden(game.boards, game.states, 0, np.uint64(key))
        _weigh(game, trust)
        holding = game.state["holdings"][1]
        held += bool(wanted & {int(row) for row in holding["tickets"][: int(holding["n_tickets"])]})
    return held


def test_a_ticket_fits_as_far_as_its_shortest_way_is_built(game: Position) -> None:
    fits = {(ticket.a, ticket.b): fit for ticket, fit in zip(game.edition.tickets, _weigh(game, 0.0), strict=True)}
    assert fits["Helena", "Los Angeles"] == 0  # Calgary lies on no shortest way from Helena
    assert fits["Calgary", "Salt Lake City"] == pytest.approx(4 / 7, abs=0.01)


def test_tickets_that_fit_the_routes_are_likelier_and_others_less_likely(game: Position) -> None:
    assert _times_held(game, "Calgary", 9.0) > 1.3 * _times_held(game, "Calgary", 0.0)
    assert _times_held(game, "Miami", 9.0) < _times_held(game, "Miami", 0.0)


def test_weighed_deal_adds_up(game: Position) -> None:
    for key in range(20):
        kernels.sample_hidden(game.boards, game.states, 0, np.uint64(key))
        _weigh(game, 60.0)
        check_invariants(game)
