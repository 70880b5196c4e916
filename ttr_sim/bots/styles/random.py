"""`random`: any legal choice, each as likely as the other."""

from ttr_sim.bots.style import Style
from ttr_sim.engine.chance import draw_below
from ttr_sim.engine.choices import count_choices, nth_choice
from ttr_sim.engine.compiled import compiled


@compiled
def choose(board, view, seat):
    return nth_choice(board, view, draw_below(seat, count_choices(board, view)))


STYLE = Style(
    name="random",
    idea="Takes any legal choice, each as likely as the other. A yardstick: whatever loses to it is broken.",
    choose=choose,
)
