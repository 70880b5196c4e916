"""Playing for targets: the plan's aims and the routes that pay for themselves."""

from ttr_sim.bots.skills.claiming import claim_urgent
from ttr_sim.bots.skills.drawing import draw_card
from ttr_sim.bots.skills.endgame import claim_for_points
from ttr_sim.bots.skills.extras import choose_extras
from ttr_sim.bots.skills.plans import lacking_for_targets, wish_for_targets
from ttr_sim.bots.skills.racing import wish_for_long
from ttr_sim.bots.skills.tastes import HURRY, PATIENCE
from ttr_sim.engine.actions import DEFAULT
from ttr_sim.engine.cards import can_draw_from_deck
from ttr_sim.engine.compiled import compiled

WHATEVER = 1000.0
ANY_COLOR = 0.3  # wish of a simple mind for any color where a gray route lacks cards


@compiled
def claim_target(board, view, seat, mind, turns):
    """Choose the targets beside the aims, and claim the most urgent one the hand can spare the cards for."""
    choose_extras(board, view, seat, mind, turns)
    patience = seat.parameters[PATIENCE] * seat.parameters[HURRY] / turns
    if turns <= seat.parameters[HURRY] or lacking_for_targets(board, view, mind) == 0:
        patience = WHATEVER
    answer = claim_urgent(board, view, mind, patience)
    if answer == DEFAULT and not can_draw_from_deck(view):
        answer = claim_for_points(board, view, mind)  # hands have swallowed the deck: cards must flow again
    return answer


@compiled
def draw_for_targets(board, view, mind, any_color):
    """The card the targets want most; without any, what brings the best route nearer."""
    if mind.n_targets > 0:
        wish_for_targets(board, view, mind, any_color)
    else:
        wish_for_long(board, view, mind, 1, view.trains[view.seat])
    return draw_card(board, view, mind)
