"""`racer`: long routes, and an early end."""

from dataclasses import replace

from ttr_sim.bots.api import Style
from ttr_sim.bots.planner import params
from ttr_sim.bots.planner.claiming import claim_best, claim_target
from ttr_sim.bots.planner.drawing import draw_for_targets, longest_open
from ttr_sim.bots.planner.endgame import turns_left
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.planner.worth import choose_passenger, weigh_finds
from ttr_sim.engine.actions import ASK_PASSENGER, ASK_TURN, DEFAULT
from ttr_sim.engine.jit import compiled

# A turn is worth less to a bot that completes no tickets in it.
RESTLESS = 0.75


@compiled
def choose(board, view, seat):
    memory = memory_of(seat)
    if view.decision == ASK_PASSENGER:
        return choose_passenger(board, view)
    answer = take_turn(board, view, seat, memory) if view.decision == ASK_TURN else DEFAULT
    return answer if answer != DEFAULT else draw_for_targets(board, view, memory, seat.parameters[params.GRAY])


@compiled
def take_turn(board, view, seat, memory):
    """Claim the route that pays most, or the longest one where routes score nothing."""
    weigh_finds(board, view, memory, seat.parameters[params.PASSENGER], seat.parameters[params.GOODS])
    if not board.routes_score:
        trains = view.trains[view.seat]
        return claim_best(board, view, memory, longest_open(board, view, trains), trains)
    return claim_target(board, view, seat, memory, turns_left(board, view))


STYLE = Style(
    name="racer",
    idea="Keeps as few and as cheap tickets as allowed and plays for the routes that pay most for their turns and "
    "trains. It lives on route points and ends the game before ticket players have finished.",
    choose=choose,
    parameters=tuple(
        replace(taste, default=RESTLESS) if taste.name == "tempo" else taste for taste in params.ROUTE_TASTES
    ),
    plans=True,
)
