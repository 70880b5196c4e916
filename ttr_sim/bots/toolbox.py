"""The toolbox of users' bots: answers, decisions and helpers, for compiled and plain Python alike.

Kernels trust the rows they are given: an index out of range reads whatever lies there. A user's bot may be wrong about
a row, so each function of one is offered here as a guarded copy, not as the kernel itself.
"""

from typing import Any

from ttr_sim.bots.planner import paying
from ttr_sim.engine import claims, networks
from ttr_sim.engine.actions import (
    ASK_KEEP,
    ASK_MIX,
    ASK_PASSENGER,
    ASK_SECOND,
    ASK_TUNNEL,
    ASK_TURN,
    DEFAULT,
    WILD,
    build_station,
    claim,
    discard_tickets,
    draw_deck,
    draw_row,
    draw_tickets,
    give_up,
    keep,
    pass_turn,
    passenger,
    pay_tunnel,
    ticket_mix,
)
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.cards import fewest_wilds
from ttr_sim.engine.claims import FREE
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import count_choices, nth_choice
from ttr_sim.engine.networks import clear_routes
from ttr_sim.engine.rng import draw_below
from ttr_sim.engine.tickets import may_draw_tickets


@compiled
def _checked(row: int, rows: int) -> int:
    if not 0 <= row < rows:
        raise IndexError("there is no such row")
    return row


@compiled
def add_route(routes: Any, route: int) -> None:
    networks.add_route(routes, _checked(route, 64 * routes.shape[0]))


@compiled
def has_route(routes: Any, route: int) -> Any:
    return networks.has_route(routes, _checked(route, 64 * routes.shape[0]))


@compiled
def may_claim(board: Any, view: Any, seat: int, route: int) -> Any:
    return claims.may_claim(board, view, _checked(seat, view.players), _checked(route, board.n_routes))


@compiled
def colored_cards(board: Any, view: Any, route: int) -> Any:
    return paying.colored_cards(board, view, _checked(route, board.n_routes))


@compiled
def missing_cards(board: Any, view: Any, route: int) -> Any:
    return paying.missing_cards(board, view, _checked(route, board.n_routes))


@compiled
def is_met(board: Any, labels: Any, ticket: int) -> Any:
    return networks.is_met(board, labels, _checked(ticket, board.n_tickets))


@compiled
def cheapest_claim(board: Any, view: Any, route: int) -> Any:
    """Claim this route with the fewest wilds, or DEFAULT when it cannot be claimed now."""
    if not may_claim(board, view, view.seat, route) or missing_cards(board, view, route) > 0:
        return DEFAULT
    color = board.route_color[route]
    if color == GRAY:
        color = paying.fullest_color(board, view, view.hand)
    return paying.claim_in_color(board, view, route, color)
