"""`longroute`: hoards cards for the longest route there is."""

from ttr_sim.bots.skills.claiming import claim_dearest
from ttr_sim.bots.skills.drawing import draw_card
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.bots.skills.racing import longest_open, wish_for_long
from ttr_sim.bots.style import Parameter, Style
from ttr_sim.engine.actions import ASK_SECOND, ASK_TURN, DEFAULT
from ttr_sim.engine.compiled import compiled, part

HOARD = 0


@compiled
def choose(board, view, seat):
    if view.decision not in (ASK_TURN, ASK_SECOND):
        return DEFAULT
    mind = mind_of(seat)
    longest = longest_open(board, view, view.trains[view.seat])
    if view.decision == ASK_TURN:
        answer = _claim(board, view, seat, mind, longest)
        if answer != DEFAULT:
            return answer
    wish_for_long(board, view, mind, longest, longest)
    return draw_card(board, view, mind)


@part
def _claim(board, view, seat, mind, longest):
    """The longest open route or none; with a full hand or at the end the best that can be paid."""
    if view.final_turns >= 0 or view.hand_cards[view.seat] >= seat.parameters[HOARD] * longest:
        return claim_dearest(board, view, mind, 1, view.trains[view.seat])
    return claim_dearest(board, view, mind, longest, longest)


STYLE = Style(
    name="longroute",
    idea="Hoards cards for the longest route still open and claims nothing shorter until its hand overflows. "
    "Tickets do not interest it.",
    choose=choose,
    parameters=(Parameter("hoard", 4.0, 1.0, 10.0, "cards it hoards, in lengths of the longest open route"),),
)
