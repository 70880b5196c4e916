"""`racer`: long routes, and an early end."""

from ttr_sim.bots.model import Parameter, Style
from ttr_sim.bots.skills.drawing import clear_wishes, draw_card
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.bots.skills.pace import turns_left
from ttr_sim.bots.skills.racing import claim_long, longest_open, wish_for_long
from ttr_sim.bots.skills.worth import weigh_finds
from ttr_sim.engine.actions import ASK_SECOND, ASK_TURN, DEFAULT
from ttr_sim.engine.compiled import compiled

SLACK, RUSH = range(2)
PASSENGER, GOODS = 1.0, 2.0  # weight of passengers, points of merchandise


@compiled
def choose(board, view, seat):
    mind = mind_of(seat)
    if view.decision not in (ASK_TURN, ASK_SECOND):
        return DEFAULT
    trains = view.trains[view.seat]
    least = longest_open(board, view, trains) - seat.parameters[SLACK]
    if view.decision == ASK_TURN:
        weigh_finds(board, view, mind, PASSENGER, GOODS)
        if turns_left(board, view) <= seat.parameters[RUSH]:
            least = 1.0
        clear_wishes(board, mind)
        answer = claim_long(board, view, mind, least, trains)
        if answer != DEFAULT:
            return answer
    clear_wishes(board, mind)
    wish_for_long(board, view, mind, least, trains)
    return draw_card(board, view, mind)


STYLE = Style(
    name="racer",
    idea="Keeps as few and as cheap tickets as it may and claims whatever long route its cards can pay first. "
    "It lives on route points and ends the game before ticket players are done.",
    choose=choose,
    parameters=(
        Parameter("slack", 1.0, 0.0, 5.0, "how much shorter than the longest open route one may be"),
        Parameter("rush", 2.0, 0.0, 10.0, "turns before the end from which it claims anything"),
    ),
)
