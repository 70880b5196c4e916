"""Tunnels: whether the extra cards are worth paying."""

from ttr_sim.bots.skills.plans import count_needs
from ttr_sim.engine.actions import give_up, pay_tunnel
from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.tunnels import fewest_extra_wilds


@compiled
def pay_or_give_up(board, view, mind, turns, most):
    """Pay with as few wilds as can be; give up when that eats more of what the plan needs than `most` cards,
    and there is time to try again."""
    wilds = fewest_extra_wilds(view)
    if turns <= 2.0:
        return pay_tunnel(wilds)
    count_needs(board, view, mind)
    colored = view.tunnel_cost - wilds
    left = view.hand[view.laid_color] - colored
    harm = wilds + max(0, min(colored, mind.need[view.laid_color] - left))
    return give_up() if harm > most else pay_tunnel(wilds)
