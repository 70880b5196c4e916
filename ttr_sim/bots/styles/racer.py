"""`racer`: long routes, and an early end."""

from dataclasses import replace

from ttr_sim.bots.skills.claiming import claim_dearest
from ttr_sim.bots.skills.endgame import claim_for_points
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.bots.skills.pace import turns_left
from ttr_sim.bots.skills.passengers import choose_passenger
from ttr_sim.bots.skills.racing import longest_open
from ttr_sim.bots.skills.targets import claim_target, draw_for_targets
from ttr_sim.bots.skills.tastes import GOODS, GRAY, PASSENGER, ROUTE_TASTES
from ttr_sim.bots.skills.worth import weigh_finds
from ttr_sim.bots.style import Style
from ttr_sim.engine.actions import ASK_PASSENGER, ASK_SECOND, ASK_TURN, DEFAULT
from ttr_sim.engine.compiled import compiled, part

RESTLESS = 0.75  # a turn is worth less to who has no tickets to complete in it


@compiled
def choose(board, view, seat):
    mind = mind_of(seat)
    if view.decision == ASK_PASSENGER:
        return choose_passenger(board, view)
    if view.decision not in (ASK_TURN, ASK_SECOND):
        return DEFAULT
    if view.decision == ASK_TURN:
        answer = _claim(board, view, seat, mind)
        if answer != DEFAULT:
            return answer
    return draw_for_targets(board, view, mind, seat.parameters[GRAY])


@part
def _claim(board, view, seat, mind):
    """What pays most in the end; where routes score nothing, the longest."""
    weigh_finds(board, view, mind, seat.parameters[PASSENGER], seat.parameters[GOODS])
    turns = turns_left(board, view)
    if not board.routes_score:
        trains = view.trains[view.seat]
        return claim_dearest(board, view, mind, longest_open(board, view, trains), trains)
    if turns <= 1.0:
        return claim_for_points(board, view, mind)
    return claim_target(board, view, seat, mind, turns)


STYLE = Style(
    name="racer",
    idea="Keeps as few and as cheap tickets as it may and plays for the routes that pay most for their turns and "
    "trains. It lives on route points and ends the game before ticket players are done.",
    choose=choose,
    parameters=tuple(replace(taste, default=RESTLESS) if taste.name == "tempo" else taste for taste in ROUTE_TASTES),
    plans=True,
)
