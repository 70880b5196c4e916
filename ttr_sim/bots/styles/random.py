"""`random`: any legal choice, each with the same chance."""

from ttr_sim.bots.api import Style
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import count_choices, nth_choice
from ttr_sim.engine.rng import draw_below


@compiled
def choose(board, view, seat):
    return nth_choice(board, view, draw_below(seat, count_choices(board, view)))


STYLE = Style(
    name="random",
    idea="Makes any legal choice, each with the same chance. A yardstick: a bot that loses to it is broken.",
    choose=choose,
)
