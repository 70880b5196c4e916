"""`hungry`: tickets, tickets, tickets."""

from ttr_sim.bots.skills.claiming import claim_dearest, claim_longest_aim
from ttr_sim.bots.skills.goals import collect_goals, count_unmet
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.bots.skills.mixes import NO_FAVORITE, draw_from
from ttr_sim.bots.skills.offers import best_mask, mask_of_all
from ttr_sim.bots.skills.pace import turns_left, turns_of_game
from ttr_sim.bots.skills.planning import lay_dearest_first
from ttr_sim.bots.skills.plans import adopt_trial, is_plan_good
from ttr_sim.bots.skills.prices import price_by_trains
from ttr_sim.bots.skills.stationing import build_for_loans
from ttr_sim.bots.skills.targets import ANY_COLOR, draw_for_targets
from ttr_sim.bots.style import Parameter, Style
from ttr_sim.engine.actions import ASK_KEEP, ASK_SECOND, ASK_TURN, DEFAULT, discard_tickets, keep
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.instant_tickets import can_discard
from ttr_sim.engine.tickets import may_draw_tickets

APPETITE, TIME = range(2)
LOAN = 6.0  # trains of a detour for which a station is built instead
FOREVER = 1000.0


@compiled
def choose(board, view, seat):
    mind = mind_of(seat)
    if view.decision == ASK_KEEP:
        return keep(_keep(board, view, mind))
    if view.decision == ASK_TURN:
        answer = _act(board, view, seat, mind)
        if answer != DEFAULT:
            return answer
    if view.decision in (ASK_TURN, ASK_SECOND):
        return draw_for_targets(board, view, mind, ANY_COLOR)
    return DEFAULT


@part
def _keep(board, view, mind):
    """All of the first offer, later whatever its trains can still reach."""
    if view.turn < 0:
        return mask_of_all(view)
    price_by_trains(board, view, mind, LOAN)
    return best_mask(board, view, mind, FOREVER, 0.0)


@part
def _act(board, view, seat, mind):
    if _is_hungry(board, view, seat) and may_draw_tickets(board, view):
        return draw_from(board, view, NO_FAVORITE)
    if not is_plan_good(view, seat, mind):
        price_by_trains(board, view, mind, LOAN)
        collect_goals(board, view, mind)
        lay_dearest_first(board, view, mind, FOREVER)
        adopt_trial(view, seat, mind)
    if mind.n_targets + mind.n_loans == 0 and can_discard(board, view):
        return discard_tickets()
    answer = claim_longest_aim(board, view, mind)
    if answer == DEFAULT and mind.n_aims == 0:
        answer = build_for_loans(board, view, mind)
        if answer == DEFAULT:
            answer = claim_dearest(board, view, mind, 1, view.trains[view.seat])
    return answer


@part
def _is_hungry(board, view, seat):
    """Fewer tickets under way than it likes, and time to do more."""
    if turns_left(board, view) < seat.parameters[TIME] * turns_of_game(board):
        return False
    return count_unmet(board, view) < seat.parameters[APPETITE]


STYLE = Style(
    name="hungry",
    idea="Keeps every ticket of the first offer and draws more until it has several under way, then again as they are "
    "done. Its routes are a network over all of them; points of routes do not interest it.",
    choose=choose,
    parameters=(
        Parameter("appetite", 3.0, 1.0, 12.0, "tickets it likes to have under way"),
        Parameter("time", 0.35, 0.0, 1.0, "share of a game that must be left to draw more"),
    ),
    plans=True,
)
