"""`longroute`: hoards cards for the longest route there is."""

from ttr_sim.bots.api import Parameter, Style
from ttr_sim.bots.planner.claiming import claim_best
from ttr_sim.bots.planner.drawing import draw_card, longest_open, wish_for_long
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.engine.actions import ASK_SECOND, ASK_TURN, DEFAULT
from ttr_sim.engine.jit import compiled

HOARD = 0


@compiled
def choose(board, view, seat):
    if view.decision not in (ASK_TURN, ASK_SECOND):
        return DEFAULT
    memory = memory_of(seat)
    longest = longest_open(board, view, view.trains[view.seat])
    if view.decision == ASK_TURN:
        # With a full hand or at the end, any payable route will do.
        is_full = view.final_turns >= 0 or view.hand_cards[view.seat] >= seat.parameters[HOARD] * longest
        answer = claim_best(board, view, memory, 1 if is_full else longest, longest)
        if answer != DEFAULT:
            return answer
    wish_for_long(board, view, memory, longest, longest)
    return draw_card(board, view, memory)


STYLE = Style(
    name="longroute",
    idea="Saves cards for the longest route still open and claims nothing shorter until its hand is full. "
    "It ignores tickets.",
    choose=choose,
    parameters=(Parameter("hoard", 4.0, 1.0, 10.0, "cards it saves, in lengths of the longest open route"),),
)
